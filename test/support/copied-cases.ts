import { queryRows } from "../hostile/query-rows.ts";
import { createCoverOrder } from "./cover-mutations.ts";
import type { CoverFixture } from "./fixtures/cover-fixture.ts";
import { DAY, HOUR } from "./test-clock.ts";
import type { TestGateway, TestVendor } from "./test-gateway.ts";

/** A vendor whose cases are copies of a real one. */
export interface Shop {
  vendor: TestVendor;
  fixture: CoverFixture;
}

/** The cases to record: as many, of payers of one country. */
export interface CopiedCases {
  count: number;
  /** Defaults to that of the real case. */
  country?: string;
  /** The most retries of a case, one a day. Defaults to 3. */
  retries?: number;
  isApproved: (at: Date) => boolean;
  /** Numbers from 0 to 1. */
  random: () => number;
}

/** Cases of one statement. */
const BATCH_SIZE = 50;

/** Stores cases with retries at random hours of the last two months, by copying a real one: thousands of reports would take minutes. */
export async function recordCopiedCases(
  gateway: TestGateway,
  { vendor, fixture }: Shop,
  { count, country, retries = 3, isApproved, random }: CopiedCases,
): Promise<void> {
  const order = await createCoverOrder(gateway, fixture, { paymentFailed: true, errorCode: "51" }, vendor);
  const [real] = await queryRows<{ id: number }>(
    gateway,
    `select id from covers where vendor_id = ${vendor.id} and order_id = ${order.databaseId}`,
  );
  const now = gateway.clock.now().getTime();
  const statements = Array.from({ length: count }, () => {
    const startedAt = new Date(now - Math.floor((4 + random() * 58) * DAY));
    const times = Array.from(
      { length: retries },
      (_, index) => new Date(startedAt.getTime() + (index + 1) * DAY + Math.floor(random() * 20 * HOUR)),
    );
    const approvedAt = times.findIndex(isApproved);
    const failed = approvedAt < 0 ? times : times.slice(0, approvedAt);
    return copyCase(vendor.id, real!.id, { startedAt, failed, times, endedAt: times[approvedAt] ?? null, country });
  });
  for (let from = 0; from < count; from += BATCH_SIZE)
    await queryRows(gateway, statements.slice(from, from + BATCH_SIZE).join(";\n"));
}

const literal = (at: Date | null) => (at ? `timestamptz '${at.toISOString()}'` : "null");

interface CaseTimes {
  startedAt: Date;
  failed: Date[];
  times: Date[];
  endedAt: Date | null;
  country: string | undefined;
}

function copyCase(vendorId: number, id: number, { startedAt, failed, times, endedAt, country }: CaseTimes): string {
  const decidedAt = [startedAt, ...failed];
  const attempts = decidedAt.map((at, index) => ({ at, index }));
  const facts = (upTo: number) =>
    `(d.inputs || jsonb_build_object('case', d.inputs -> 'case' || jsonb_build_object('windowStart', '${startedAt.toISOString()}',
      ${country === undefined ? "" : `'country', '${country}',`}
      'attempts', (select jsonb_agg(d.inputs #> '{case,attempts,0}' || jsonb_build_object('at', t.at))
        from unnest('{${decidedAt
          .slice(0, upTo + 1)
          .map((at) => at.toISOString())
          .join()}}'::text[]) t (at)))))`;
  return `with cover as (insert into covers (vendor_id, order_id, subscription_id, state, end_reason, window_start, zone_id, planned,
      policy_version, policy, started_on, reason_class, gateway, country, amount, started_at, ended_at)
    select vendor_id, order_id, subscription_id, ${endedAt ? "'RECOVERED', 'PAID'" : "'EXHAUSTED', 'NO_TRIES_LEFT'"}, ${literal(startedAt)},
      zone_id, '{}', policy_version, policy, started_on, reason_class, gateway, ${country === undefined ? "country" : `'${country}'`}, amount,
      ${literal(startedAt)}, ${literal(endedAt ?? times.at(-1)!)} from covers where vendor_id = ${vendorId} and id = ${id} returning vendor_id, id),
    attempts as (insert into cover_attempts (vendor_id, cover_id, number, kind, attempted_at, error_code, initiator, reason_class)
      select cover.vendor_id, cover.id, t.number, t.kind, t.at, '51', 'MERCHANT', 'INSUFFICIENT_FUNDS' from cover, (values ${attempts
        .map(({ at, index }) => `(${index + 1}, '${index === 0 ? "FIRST_FAILURE" : "SCHEDULED"}', ${literal(at)})`)
        .join()}) t (number, kind, at) returning id)
    insert into cover_decisions (vendor_id, cover_id, decided_at, retry_at, reason_class, alternatives, budget_used, budget_limit,
      window_ends, policy_version, rulebook_version, inputs, outcome)
    ${decidedAt
      .map(
        (
          at,
          index,
        ) => `select d.vendor_id, cover.id, ${literal(at)}, ${literal(times[index] ?? null)}, d.reason_class, '{}'::timestamptz[], 0, 8,
        d.window_ends, d.policy_version, d.rulebook_version, ${facts(index)}, d.outcome
        from cover, cover_decisions d where d.vendor_id = ${vendorId} and d.cover_id = ${id}`,
      )
      .join(" union all ")}`;
}
