import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { DocumentText } from "../support/answers.ts";
import type { RequestOptions } from "../support/test-gateway.ts";
import { startGateway } from "../support/test-gateway.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/*
 * Several subscriptions on one card: the attempts that the networks count are read from the books of the simulated
 * gateway.
 */

const NOW = "2026-01-31T03:00:00.000Z";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const gateway = await startGateway({ now: NOW });
// One charge at a time, so that the tests know which attempts a decision sees.
const worker = createWorker(gateway, undefined, { chargeConcurrency: 1 });

let vendorId: number;
let own: RequestOptions;
let payments: TestPayments;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  const vendor = await gateway.openVendor();
  vendorId = vendor.id;
  own = { token: vendor.token };
  payments = await TestPayments.start(gateway, own);
});

const ask = <Q extends DocumentText>(query: Q, variables: object = {}) =>
  gateway.queryData(query, variables as Record<string, unknown>, own);

/** Activates a policy. */
async function inForce(plan: object): Promise<void> {
  const { policy } = await payments.runMutation("proposeRecoveryPolicy", { terms: { plan } }, "policy { databaseId }");
  await payments.runMutation(
    "activateRecoveryPolicy",
    { policyId: String(policy.databaseId) },
    "policy { databaseId }",
  );
}

/** So many subscriptions that are paid by one card, which is declined from the first renewal on. */
async function subscribe(count: number, price = "10000", card = testCards.neverAgain): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { databaseId } = await payments.createOrder(price, { plan: { type: "FLAT", recurring: everyMonth } });
    await payments.payOrder(databaseId, card);
  }
}

/** Changes the network of the card and of its stored data to another one, which cannot reach the issuer. */
async function ofNetwork(network: string): Promise<void> {
  await queryRows(gateway, `update payment_methods set network = '${network}' where vendor_id = ${vendorId}`);
  await queryRows(
    gateway,
    `update simulated_methods set behaviour = (behaviour::jsonb || '{"network": "${network}", "code": "91"}')::text
      where vendor_id = ${vendorId}`,
  );
}

/** Moves to the day on which all renewals are due, and charges them. */
async function renew(workers = [worker]): Promise<void> {
  gateway.clock.setTo("2026-02-28T03:00:00.000Z");
  await Promise.all(workers.map(runUntilIdle));
}

const COVERS = `covers(first: 50, orderBy: { field: RETRY_DATE, direction: ASC }) { nodes { databaseId state endReason retryDate
  attempts { totalCount } timeline(first: 100) { nodes { type facts } }
  decisions(first: 100) { nodes { databaseId en: explanation(language: ENGLISH) ko: explanation(language: KOREAN) effects { kind by otherAttempts }
    rule { id } retryDate endReason } } } }`;
const covers = async () => (await ask(`{ ${COVERS} }`)).covers.nodes;

/** Makes every retry at its date, until no cover is in progress or so many dates have come. */
async function liveOn(workers = [worker], dates = 200): Promise<void> {
  for (let number = 0; number < dates; number++) {
    const { covers: running } = await ask(
      `{ covers(first: 1, filter: { states: [IN_PROGRESS] }, orderBy: { field: RETRY_DATE, direction: ASC }) { nodes { retryDate } } }`,
    );
    const [next] = running.nodes;
    if (!next) return;
    gateway.clock.setTo(next.retryDate!);
    await Promise.all(workers.map(runUntilIdle));
  }
}

interface Tried {
  at: Date;
  amount: string;
  isRetry: boolean;
}

/** The declined charges of the vendor's cards in the books, in order of time; the first charge of an order is no retry. */
async function declined(): Promise<Tried[]> {
  const rows = await queryRows<{ at: string; amount: string; number: string }>(
    gateway,
    sql`select created_at as at, trim_scale(amount)::text as amount,
      row_number() over (partition by order_reference order by created_at, reference) as number
      from simulated_charges where vendor_id = ${vendorId} and status = 'DECLINED' order by created_at, number, reference`,
  );
  return rows.map(({ at, amount, number }) => ({ at: new Date(at), amount, isRetry: Number(number) > 1 }));
}

/** The maximum number of attempts within so many milliseconds of which the last one is a retry. */
function mostWithin(tries: readonly Tried[], milliseconds: number): number {
  const counts = tries.map(({ at, isRetry }, index) =>
    isRetry ? tries.slice(0, index + 1).filter((other) => at.getTime() - other.at.getTime() < milliseconds).length : 0,
  );
  return Math.max(...counts);
}

/** A replay of every stored decision of every cover reproduces it. */
async function expectReplays(): Promise<number> {
  const ids = (await covers()).flatMap(({ decisions }) => decisions.nodes.map(({ databaseId }) => databaseId));
  for (const id of ids) {
    const { replayDecision } = await ask("query ($id: ID!) { replayDecision(id: $id) { isReproduced differences } }", {
      id: String(id),
    });
    expect(replayDecision).toEqual({ isReproduced: true, differences: [] });
  }
  return ids.length;
}

const daily = (days: number) => ({ kind: "LADDER", offsetsInDays: Array.from({ length: days }, (_, day) => day + 1) });

describe("subscriptions of one customer on one card", () => {
  test("are retried together no more often than the network allows, and every decision can be replayed", async () => {
    await inForce(daily(10));
    await subscribe(3);
    await renew();
    await liveOn();
    const tries = await declined();
    expect(mostWithin(tries, 30 * DAY)).toBe(20);
    // A retry that is not allowed at its date is made when older ones no longer count; dates that pass meanwhile are
    // not made up for.
    expect(tries).toHaveLength(20 + 3);
    expect((tries.at(-1)!.at.getTime() - tries[0]!.at.getTime()) / DAY).toBe(30);

    const all = await covers();
    expect(all.map(({ state, endReason }) => [state, endReason])).toEqual(
      Array(3).fill(["EXHAUSTED", "NO_TRIES_LEFT"]),
    );
    expect(all.map(({ attempts }) => attempts.totalCount).sort()).toEqual([7, 8, 8]);
    const moved = all.flatMap(({ timeline }) => timeline.nodes.filter((one) => one.type === "COVER_RETRY_SCHEDULED"));
    expect(moved.length).toBeGreaterThan(0);
    // A rescheduled retry is no loss.
    const { recoveryAnalytics } = await ask("{ recoveryAnalytics { total { cases lost open } } }");
    expect(recoveryAnalytics.total).toEqual({ cases: 3, lost: 3, open: 0 });
    for (const { facts } of moved)
      expect(facts).toEqual({
        retryDate: expect.any(String),
        reasonClass: "INSUFFICIENT_FUNDS",
        rule: "visa-20-in-30-days",
      });
    const told = all.flatMap(({ decisions }) => decisions.nodes).filter(({ rule }) => rule !== null);
    for (const { effects, en, ko } of told) {
      const others = effects.find(({ kind }) => kind === "RULEBOOK")!.otherAttempts!;
      expect(others).toBeGreaterThan(9);
      if (!en.includes("the next attempt")) continue;
      expect(en).toContain(
        `because the network's rule visa-20-in-30-days allows none before: it also counts ${others} other attempts with the same card.`,
      );
      expect(ko).toContain(`규칙 visa-20-in-30-days에 따라 같은 카드의 다른 시도 ${others}회를 포함하면 그 전에는`);
    }
    expect(await expectReplays()).toBeGreaterThan(20 + 3);
  });

  test("stay within the limit when several workers make retries at the same time", async () => {
    await inForce(daily(10));
    await subscribe(6);
    const workers = Array.from({ length: 6 }, () => createWorker(gateway));
    await renew(workers);
    await liveOn(workers, 3);
    const tries = await declined(); // Six first charges and twelve retries; of the next six only two.
    expect(tries).toHaveLength(20);
    expect(mostWithin(tries, 30 * DAY)).toBe(20);
    for (const { state, attempts } of await covers()) {
      expect(state).toBe("IN_PROGRESS");
      expect([3, 4]).toContain(attempts.totalCount);
    }
    await expectReplays();
  });

  test("end their recovery when the policy's window is over before the card may be retried", async () => {
    await inForce({ kind: "EVEN", maxRetries: 12, windowInDays: 12 });
    await subscribe(2);
    await renew();
    await liveOn();
    const tries = await declined();
    expect(tries).toHaveLength(20);
    const all = await covers();
    expect(all.map(({ state, endReason }) => [state, endReason])).toEqual(Array(2).fill(["EXHAUSTED", "WINDOW_OVER"]));
    const ends = all.map(({ decisions }) => decisions.nodes.find(({ endReason }) => endReason !== null)!);
    for (const { en, ko } of ends) {
      expect(en).toBe(
        "No further attempt: the time for attempts is over, because the network's rule visa-20-in-30-days allows none within it: it also counts 10 other attempts with the same card.",
      );
      expect(ko).toContain("같은 카드의 다른 시도 10회를 포함하면 그 기간 안에는 더 시도할 수 없습니다");
    }
    const { subscriptions } = await ask("{ subscriptions { nodes { status } } }");
    expect(subscriptions.nodes).toEqual(Array(2).fill({ status: "EXPIRED" }));
    const { recoveryAnalytics } = await ask("{ recoveryAnalytics { total { cases lost open } } }");
    expect(recoveryAnalytics.total).toEqual({ cases: 2, lost: 2, open: 0 });
    await expectReplays();
  });

  test("have ten retries of each amount in a day when the network counts by amount", async () => {
    await inForce({ kind: "EVEN", maxRetries: 8, windowInDays: 2 });
    await subscribe(3);
    await subscribe(1, "25000");
    await ofNetwork("MASTERCARD");
    await renew();
    await liveOn();
    const tries = await declined();
    const alike = tries.filter(({ amount }) => amount === "10000");
    expect(mostWithin(alike, DAY)).toBe(10);
    expect(mostWithin(tries, DAY)).toBeGreaterThan(10); // The other amount is retried as often as its policy says.
    expect(tries.filter(({ amount }) => amount === "25000")).toHaveLength(9);
    await expectReplays();
  });
});

test("a card is counted as one card when two customers have stored it", async () => {
  await inForce(daily(12));
  await subscribe(1);
  payments.customerId = await payments.createCustomer();
  await subscribe(1);
  const methods = await queryRows(gateway, `select 1 from payment_methods where vendor_id = ${vendorId}`);
  expect(methods).toHaveLength(2);
  await renew();
  await liveOn();
  const tries = await declined();
  expect(mostWithin(tries, 30 * DAY)).toBe(20);
  expect(tries).toHaveLength(20 + 2);
});

test("faults, successful charges, other cards and other vendors do not count", async () => {
  await inForce(daily(3));
  await subscribe(2);
  payments.customerId = await payments.createCustomer();
  await subscribe(1, "10000", testCards.recoversOnThirdRetry);
  await renew();
  const counted = () =>
    queryRows<{ others: number }>(
      gateway,
      `select jsonb_array_length(inputs -> 'case' -> 'alongside') as others from cover_decisions
        where vendor_id = ${vendorId} order by id`,
    ).then((rows) => rows.map(({ others }) => others).sort());
  // Of the two on one card, the one that was charged later sees the other's attempt; the other one too, if it is decided after it.
  const first = await counted();
  expect([
    [0, 0, 1],
    [0, 1, 1],
  ]).toContainEqual(first);
  await queryRows(
    gateway,
    `update payments set error_code = 'NOT_CHARGED' where vendor_id = ${vendorId} and state = 'FAILED'`,
  );
  await liveOn([worker], 1);
  expect(await counted()).toEqual([...first, 0, 0, 1].sort());
});
