import type postgres from "postgres";
import { projectFile } from "../../src/kernel/project-files.ts";
import { decideRetry } from "../../src/recovery/engine/decide-retry.ts";
import { toDecisionInputs, toStoredJson } from "../../src/recovery/engine/decision-record.ts";
import type { Decision } from "../../src/recovery/engine/decision.ts";
import { createPolicy } from "../../src/recovery/engine/policy.ts";
import { currentRulebook } from "../../src/recovery/engine/rulebook.ts";
import { toDecisionColumns } from "../../src/recovery/decisions/retry-decision.mapping.ts";
import { publishedModel } from "../../src/recovery/models/published-prior.ts";
import { toEngineCase } from "../../src/recovery/simulation/engine-case.ts";
import { loadWorld } from "../../src/recovery/simulation/load-world.ts";
import { generatePayments } from "../../src/recovery/simulation/population.ts";
import { RandomSource } from "../../src/recovery/simulation/random-source.ts";
import type { RetryStrategy } from "../../src/recovery/simulation/retry-strategy.ts";
import { playPayments } from "../../src/recovery/simulation/simulation-run.ts";
import type { FailedPayment } from "../../src/recovery/simulation/world.ts";

/*
 * Fills a vendor with recorded retries. Payments of a simulated world are decided by the engine, and what it decided is stored
 * as the gateway stores it, but by statements for a thousand covers at once. Many retries are made of few: the same payments, some weeks
 * earlier, so that hours and weekdays keep their law.
 */

/** What is recorded. */
interface RecordedVolume {
  vendorId: number;
  /** At least so many retries. */
  tries: number;
  /** Nothing happens later. */
  until: Date;
}

/** Weeks by which payments are repeated: with a year of payments that stays within what a training reads. */
const MAX_COPIES = 40;
const MIN_SIMULATED_TRIES = 2_000;
const PAYMENTS_AT_ONCE = 500;
const COVERS_PER_STATEMENT = 1_000;
const WEEK_MS = 7 * 86_400_000;
const policy = createPolicy("recorded-smart-8", { kind: "SMART", tries: 8, windowInDays: 28 });

/** A payment with all that was decided and reported. */
interface PlayedPayment {
  payment: FailedPayment;
  decisions: { at: Date; decision: Decision; inputs: string }[];
  failedAt: Date[];
  approvedAt: Date | null;
}

/** @returns how many covers and retries were stored. */
export async function recordPayments(
  sql: postgres.Sql,
  { vendorId, tries, until }: RecordedVolume,
): Promise<{ covers: number; tries: number }> {
  const { played, count } = await playUntil(Math.max(MIN_SIMULATED_TRIES, Math.ceil(tries / MAX_COPIES)));
  const last = Math.max(...played.map(({ payment }) => payment.failedAt.getTime())) + 5 * WEEK_MS;
  const first = Math.floor((until.getTime() - last) / WEEK_MS);
  const copies = Math.ceil(tries / count);
  await sql`set synchronous_commit = off`;
  await sql`insert into cover_customers (vendor_id, partner_customer_id, name, email, phone, created_at, modified_at)
    select ${vendorId}::bigint, 'recorded-' || n, 'Payer ' || n, 'payer' || n || '@example.com', '8210', ${until}, ${until}
    from generate_series(0, 999) n on conflict do nothing`;
  for (let copy = 0; copy < copies; copy++)
    for (let from = 0; from < played.length; from += COVERS_PER_STATEMENT)
      await store(sql, vendorId, played.slice(from, from + COVERS_PER_STATEMENT), (first - copy) * WEEK_MS);
  for (const table of ["cover_orders", "covers", "cover_attempts", "cover_decisions"])
    await sql.unsafe(`analyze ${table}`);
  return { covers: copies * played.length, tries: copies * count };
}

/** Plays payments until they have so many retries. */
async function playUntil(tries: number): Promise<{ played: PlayedPayment[]; count: number }> {
  const world = await loadWorld(projectFile("test/worlds/salary-korea.mjs"));
  const played: PlayedPayment[] = [];
  let count = 0;
  for (let round = 0; count < tries; round++) {
    const payments = generatePayments(world, new RandomSource(round), PAYMENTS_AT_ONCE);
    const recorded = payments.map((payment): PlayedPayment => ({
      ...{ payment, decisions: [], failedAt: [payment.failedAt], approvedAt: null },
    }));
    const strategy: RetryStrategy = {
      ...{ name: policy.version, label: policy.version, baseline: false },
      next(history, at) {
        const facts = { ...toEngineCase(history), draws: { key: `${round} ${history.index}`, share: 0.1 } };
        const decision = decideRetry(facts, policy, currentRulebook, publishedModel(), at);
        const inputs = JSON.stringify(toDecisionInputs(facts, policy, at));
        recorded[history.index]!.decisions.push({ at, decision, inputs });
        return decision.retryAt && { at: decision.retryAt, probability: decision.probability };
      },
      observe({ index }, at, approved) {
        count++;
        if (approved) recorded[index]!.approvedAt = at;
        else recorded[index]!.failedAt.push(at);
      },
    };
    playPayments(payments, strategy, new RandomSource(), [round]);
    played.push(...recorded);
  }
  return { played, count };
}

/** Moves all instants of a JSON text. */
const shiftJson = (json: string, byMs: number): string =>
  json.replace(
    /"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g,
    (_, at: string) => `"${new Date(Date.parse(at) + byMs).toISOString()}"`,
  );

async function store(sql: postgres.Sql, vendorId: number, played: PlayedPayment[], byMs: number): Promise<void> {
  const shift = (at: Date) => new Date(at.getTime() + byMs).toISOString();
  const covers = played.map(({ payment, decisions, failedAt, approvedAt }, index) => ({
    ...{ index, startedAt: shift(payment.failedAt), amount: payment.amount, gateway: payment.gateway },
    endedAt: shift(approvedAt ?? failedAt.at(-1)!),
    isPaid: approvedAt !== null,
    reasonClass: decisions[0]!.decision.reasonClass,
  }));
  const attempts = played.flatMap(({ payment, decisions, failedAt }, index) =>
    failedAt.map((at, number) => ({
      ...{ index, number: number + 1, at: shift(at), code: payment.code ?? null, network: payment.network ?? null },
      kind: number === 0 ? "FIRST_FAILURE" : "SCHEDULED",
      reasonClass: decisions[number]?.decision.reasonClass ?? "UNKNOWN",
    })),
  );
  const decided = played.flatMap(({ decisions }, index) =>
    decisions.map(({ at, decision, inputs }) => ({
      ...{ index, at: shift(at), inputs: shiftJson(inputs, byMs) },
      columns: shiftJson(JSON.stringify({ ...toDecisionColumns(decision), outcome: toStoredJson(decision) }), byMs),
    })),
  );
  await sql.begin(async (transaction) => {
    const rows = await transaction<{ id: number }[]>`
      with payer as (select array_agg(id order by id) as ids from cover_customers where vendor_id = ${vendorId} and partner_customer_id like 'recorded-%'),
      given as (select * from json_to_recordset(${JSON.stringify(covers)}::text::json) as t (index int, "startedAt" timestamptz, "endedAt" timestamptz,
        amount numeric, gateway text, "isPaid" boolean, "reasonClass" text)),
      orders as (insert into cover_orders (vendor_id, partner_order_id, customer_id, status, amount, amount_returned, payment_gateway, created_at, modified_at)
        select ${vendorId}::bigint, gen_random_uuid(), payer.ids[1 + index % 1000], case when "isPaid" then 'PAID' else 'CREATED' end, amount, 0, gateway, "startedAt", "endedAt"
        from given, payer order by index returning id),
      numbered as (select id, row_number() over (order by id) - 1 as index from orders)
      insert into covers (vendor_id, order_id, state, end_reason, window_start, zone_id, planned, policy_version, policy, started_on, reason_class, gateway,
        country, amount, started_at, ended_at)
      select ${vendorId}::bigint, numbered.id, case when "isPaid" then 'RECOVERED' else 'EXHAUSTED' end, case when "isPaid" then 'PAID' else 'NO_TRIES_LEFT' end,
        "startedAt", 'Asia/Seoul', '{}', ${policy.version}, ${JSON.stringify(policy)}::text::jsonb, ("startedAt" at time zone 'Asia/Seoul')::date, "reasonClass",
        gateway, 'KR', amount, "startedAt", "endedAt" from given join numbered using (index) order by index returning id::int`;
    const idOf = rows.map(({ id }) => id).sort((a, b) => a - b);
    const withCover = (list: { index: number }[]) =>
      JSON.stringify(list.map(({ index, ...rest }) => ({ cover: idOf[index], ...rest })));
    await transaction`
      insert into cover_attempts (vendor_id, cover_id, number, kind, attempted_at, error_code, network, initiator, reason_class)
      select ${vendorId}::bigint, cover, number, kind, at, code, network, 'MERCHANT', "reasonClass"
      from json_to_recordset(${withCover(attempts)}::text::json) as t (cover bigint, number int, kind text, at timestamptz, code text, network text, "reasonClass" text)`;
    await transaction`
      insert into cover_decisions (vendor_id, cover_id, decided_at, retry_at, end_reason, reason_class, floor, floor_row, alternatives, budget_used,
        budget_limit, window_ends, policy_version, rulebook_version, inputs, outcome)
      select ${vendorId}::bigint, t.cover, t.at, c."retryAt", c."endReason", c."reasonClass", c.floor, c."floorRow", array(select json_array_elements_text(c.alternatives)::timestamptz),
        c."budgetUsed", c."budgetLimit", c."windowEnds", c."policyVersion", c."rulebookVersion", t.inputs::jsonb, c.outcome
      from json_to_recordset(${withCover(decided)}::text::json) as t (cover bigint, at timestamptz, inputs text, columns text),
        json_to_record(t.columns::json) as c ("retryAt" timestamptz, "endReason" text, "reasonClass" text, floor timestamptz, "floorRow" text, alternatives json,
          "budgetUsed" int, "budgetLimit" int, "windowEnds" timestamptz, "policyVersion" text, "rulebookVersion" text, outcome jsonb)
      order by t.cover, t.at`;
  });
}
