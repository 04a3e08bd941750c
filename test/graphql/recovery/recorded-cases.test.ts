import { beforeEach, describe, expect, test } from "vitest";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { cellCount } from "../../../src/recovery/engine/model/cells.ts";
import { CaseFeatures } from "../../../src/recovery/engine/model/case-features.ts";
import { isEvidence, type RecordedCase } from "../../../src/recovery/engine/recorded-case.ts";
import { noneLeftOut, type LeftOut } from "../../../src/recovery/models/recorded-case.reading.ts";
import { streamFamilyCases, streamRecordedCases } from "../../../src/recovery/models/recorded-cases.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../../support/cover-mutations.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { DAY, HOUR } from "../../support/test-clock.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const recordedCases = createRepositories(gateway.database.handle).recordedCases;
const period = { from: new Date("2026-01-01T00:00:00Z"), until: new Date("2027-01-01T00:00:00Z") };

let own: { token: string };
let vendorId: number;
let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  const vendor = await gateway.openVendor();
  [own, vendorId] = [{ token: vendor.token }, vendor.id];
  shop = await createCoverFixture(gateway, {}, own);
});

const day = (days: number, hours = 0) => new Date(Date.parse(NOW) + days * DAY + hours * HOUR).toISOString();

async function fail(at: string, fields: object = {}): Promise<number> {
  gateway.clock.setTo(at);
  return (await createCoverOrder(gateway, shop, { paymentFailed: true, errorCode: "51", ...fields }, own)).databaseId;
}
async function failAgain(orderId: number, at: string, fields: object = {}): Promise<void> {
  gateway.clock.setTo(at);
  const { subscriptionId } = shop;
  await runMutation(gateway, "startRecovery", { orderId, subscriptionId, errorCode: "51", ...fields }, undefined, own);
}
async function pay(orderId: number, at: string, fields: object = {}): Promise<void> {
  gateway.clock.setTo(at);
  await runMutation(gateway, "reportCoverOrderPaid", { orderId, ...fields }, undefined, own);
}

async function read(
  id = vendorId,
  stream: typeof streamRecordedCases | typeof streamFamilyCases = streamRecordedCases,
): Promise<{ cases: RecordedCase[]; leftOut: LeftOut }> {
  const leftOut = noneLeftOut();
  const cases: RecordedCase[] = [];
  for await (const one of stream(recordedCases, id, period, new Date(day(100)), leftOut)) cases.push(one);
  return { cases, leftOut };
}

const inShort = ({ cases }: { cases: RecordedCase[] }) =>
  cases.map(({ retries }) =>
    retries.map(({ at, approved }) => `${at.toISOString()} ${approved ? "approved" : "declined"}`),
  );

describe("the recorded cases of registered orders", () => {
  test("have each retry that was reported at its date, with what was known before it", async () => {
    const orderId = await fail(day(0));
    await failAgain(orderId, day(1), { errorCode: "61" });
    await pay(orderId, day(3, 1));
    const { cases, leftOut } = await read();
    expect(leftOut).toEqual(noneLeftOut());
    expect(inShort({ cases })).toEqual([[`${day(1)} declined`, `${day(3, 1)} approved`]]);
    const [one] = cases;
    expect(one).toMatchObject({
      end: { at: new Date(day(3, 1)), reason: "PAID" },
      policy: { plan: { kind: "LADDER" } },
    });
    expect(one!.retries.map(({ facts }) => facts.attempts.map(({ code }) => code))).toEqual([["51"], ["51", "61"]]);
    expect(one!.facts.attempts).toHaveLength(2);
    expect(one!.retries[0]).toMatchObject({
      ...{ declinedAs: "LIMIT_EXCEEDED", chosenAt: new Date(day(0)), propensity: 1, probability: null },
      ...{ modelVersion: null, explored: false },
    });
  });

  test("leave out what is no result of a retry: a payment before its date or long after it, and a silent date", async () => {
    await pay(await fail(day(0)), day(0.5));
    await pay(await fail(day(0, 1)), day(2, 1));
    await fail(day(0, 2));
    const missed = await fail(day(0, 3));
    await failAgain(missed, day(3, 3), { errorCode: "05" });
    const { cases, leftOut } = await read();
    expect(inShort({ cases })).toEqual([[], [], [], [`${day(3, 3)} declined`]]);
    // A later date of the same decision: nobody knows with which probability it would have been chosen.
    expect(cases[3]!.retries[0]).toMatchObject({ propensity: null });
    expect(leftOut).toEqual({ ...noneLeftOut(), late: 1 });
  });

  test("leave out attempts outside the schedule, those by payers in person, and mark declines that end trying", async () => {
    const orderId = await fail(day(0));
    await failAgain(orderId, day(0, 5), { errorCode: "61" });
    await failAgain(orderId, day(1), { errorCode: "05", initiator: "CUSTOMER" });
    await failAgain(orderId, day(3), { errorCode: "41" });
    const { cases, leftOut } = await read();
    expect(inShort({ cases })).toEqual([[`${day(3)} declined`]]);
    expect(cases[0]!.retries.map(isEvidence)).toEqual([false]);
    expect(leftOut).toEqual({ ...noneLeftOut(), byPayer: 1 });
  });

  test("know a payment in person from a retry that worked, as far as its report says so", async () => {
    await pay(await fail(day(0)), day(1, 1), { initiator: "CUSTOMER" });
    await pay(await fail(day(0, 1)), day(1, 2), { initiator: "MERCHANT" });
    for (const [partnerOrderId, paymentDate] of [
      ["in-person", day(1.2)],
      ["by-the-day", "2026-03-04T00:00:00.000Z"],
    ]) {
      const orderId = await fail(day(0, 2), { partnerOrderId });
      await failAgain(orderId, day(1, 2), { errorCode: "61" });
      gateway.clock.setTo(day(3, 3));
      const again = { partnerOrderId, paymentDate, replaceIfExists: true };
      await createCoverOrder(gateway, shop, again, own);
    }
    const { cases, leftOut } = await read();
    expect(inShort({ cases })).toEqual([
      [],
      [`${day(1, 2)} approved`],
      [`${day(1, 2)} declined`],
      [`${day(1, 2)} declined`, `${day(3, 3)} approved`],
    ]);
    expect(leftOut).toEqual({ ...noneLeftOut(), byPayer: 2 });
    const { nodes } = (
      await gateway.queryData(
        "{ covers(first: 4, orderBy: { field: STARTED_AT, direction: ASC }) { nodes { timeline(first: 9) { nodes { type actor } } } } }",
        {},
        own,
      )
    ).covers;
    const ends = nodes.map((cover) => cover.timeline.nodes.find(({ type }) => type === "COVER_RECOVERED")!.actor);
    expect(ends).toEqual(["CUSTOMER", "MANAGER", "MANAGER", "MANAGER"]);
  });

  test("are read a page a statement, each vendor's apart and a family's together", async () => {
    const child = await gateway.openVendor({ parentId: vendorId });
    await fail(day(0));
    [own, shop] = [{ token: child.token }, await createCoverFixture(gateway, {}, { token: child.token })];
    await fail(day(1));
    expect((await read()).cases).toHaveLength(1);
    expect((await read(child.id)).cases).toHaveLength(1);
    gateway.statements.length = 0;
    expect((await read(vendorId, streamFamilyCases)).cases.map(({ startedAt }) => startedAt.toISOString())).toEqual([
      day(0),
      day(1),
    ]);
    expect(gateway.statements).toHaveLength(3);
    const first = await recordedCases.page(child.id, period, 1);
    expect(await recordedCases.page(child.id, period, 1, first[0])).toEqual([]);
    expect(await recordedCases.page(child.id, { ...period, until: first[0]!.startedAt }, 1)).toEqual([]);
  });
});

test("renewals know a charge from a payment in person, however late their cover ends", async () => {
  const payments = await TestPayments.start(gateway, own);
  const worker = createWorker(gateway);
  const renew = async (card: string): Promise<void> => {
    const { databaseId } = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
    await payments.payOrder(databaseId, card);
  };
  await renew(testCards.recoversOnThirdRetry);
  gateway.clock.setTo("2026-04-01T09:30:00.000Z");
  await runUntilIdle(worker);
  for (let retry = 0; retry < 3; retry++) {
    gateway.clock.advance(retry === 0 ? DAY : 2 * DAY);
    await runUntilIdle(worker);
  }
  const paid = await read();
  expect(inShort(paid)).toEqual([
    ["2026-04-02T09:30:00.000Z declined", "2026-04-04T09:30:00.000Z declined", "2026-04-06T09:30:00.000Z approved"],
  ]);
  await queryRows(
    gateway,
    `update payments set initiator = 'CUSTOMER' where vendor_id = ${vendorId} and state = 'SUCCEEDED'`,
  );
  expect(inShort(await read())[0]).toHaveLength(2);
});

describe("bad rows are left out and counted", () => {
  /** A case with a retry that failed, changed by a statement; a good one stands beside it. */
  async function spoil(statement: (of: string) => string): Promise<{ retries: string[]; leftOut: Partial<LeftOut> }> {
    const orderId = await fail(day(0));
    await failAgain(orderId, day(1), { errorCode: "61" });
    await failAgain(orderId, day(3), { errorCode: "05" });
    const good = await fail(day(4));
    await failAgain(good, day(5), { errorCode: "61" });
    const cover = `vendor_id = ${vendorId} and cover_id = (select min(id) from covers where vendor_id = ${vendorId})`;
    await queryRows(gateway, statement(cover));
    const result = await read();
    expect(inShort(result).at(-1)).toEqual([`${day(5)} declined`]);
    const leftOut = Object.fromEntries(Object.entries(result.leftOut).filter(([, count]) => count > 0));
    return { retries: result.cases.length === 2 ? inShort(result)[0]! : [], leftOut };
  }
  const ofAttempts = (set: string, number: number) => (cover: string) =>
    `update cover_attempts set ${set} where ${cover} and number = ${number}`;
  const ofCase = (path: string, value: string) => (cover: string) =>
    `update cover_decisions set inputs = jsonb_set(inputs, '{case,${path}}', '${value}') where ${cover}`;
  const first = `${day(1)} declined`;

  test("results out of order", async () => {
    expect(await spoil(ofAttempts("attempted_at = '2026-03-01T09:00:00Z'", 3))).toEqual({
      ...{ retries: [first], leftOut: { outOfOrder: 1 } },
    });
  });
  test("results of a hundred years ago", async () => {
    expect(await spoil(ofAttempts("attempted_at = '1926-03-01T09:00:00Z'", 3))).toEqual({
      ...{ retries: [first], leftOut: { outOfOrder: 1 } },
    });
  });
  test("results of the future", async () => {
    expect(await spoil(ofAttempts("attempted_at = '2126-03-01T09:00:00Z'", 3))).toEqual({
      ...{ retries: [first], leftOut: { inFuture: 1 } },
    });
  });
  test("results that came twice", async () => {
    expect(await spoil(ofAttempts(`attempted_at = '${day(1)}'`, 3))).toEqual({
      retries: [first],
      leftOut: { doubled: 1 },
    });
  });
  test("a time zone that changed during the case is the last one for all of its retries", async () => {
    const zone = '{"zoneId": "Pacific/Apia", "offsets": [{"from": "2026-01-01T00:00:00.000Z", "aheadMs": 46800000}]}';
    const changed = (cover: string) =>
      `update cover_decisions set inputs = jsonb_set(inputs, '{case,zone}', '${zone}') where ${cover}
        and id = (select max(id) from cover_decisions where ${cover})`;
    expect(await spoil(changed)).toEqual({ retries: [first, `${day(3)} declined`], leftOut: {} });
    const { cases } = await read();
    expect(cases[0]!.retries.map(({ facts }) => facts.zone.zoneId)).toEqual(["Pacific/Apia", "Pacific/Apia"]);
  });
  test.each([
    [
      "facts without a zone",
      (cover: string) => `update cover_decisions set inputs = inputs #- '{case,zone}' where ${cover}`,
    ],
    ["facts that are no object", (cover: string) => `update cover_decisions set inputs = '{"case": 7}' where ${cover}`],
    ["no facts", (cover: string) => `update cover_decisions set inputs = null where ${cover}`],
    ["an amount that is no number", ofCase("amount", '"much"')],
    ["a negative amount", ofCase("amount", '"-5"')],
    ["a time that is none", ofCase("windowStart", '"yesterday"')],
    ["a zone without offsets", ofCase("zone,offsets", "[]")],
    ["a decision at no time", (cover: string) => `update cover_decisions set decided_at = 'infinity' where ${cover}`],
  ])("%s", async (_, statement) => {
    expect(await spoil(statement)).toEqual({ retries: [], leftOut: { unreadable: 1 } });
  });

  test("a currency, a country and a code that nobody knows, and an amount beyond all others, have cells", async () => {
    await spoil(ofCase("currency", '"ZZZ"'));
    const [{ id } = { id: 0 }] = await queryRows<{ id: number }>(
      gateway,
      `select min(id) as id from covers where vendor_id = ${vendorId}`,
    );
    const values = `'{"amount": "99999999999999999999", "country": "??", "currency": "ZZZ"}'`;
    await queryRows(
      gateway,
      `update cover_decisions set inputs = jsonb_set(inputs, '{case}', inputs -> 'case' || ${values}) where vendor_id = ${vendorId} and cover_id = ${id}`,
    );
    const { cases, leftOut } = await read();
    expect(leftOut).toEqual(noneLeftOut());
    const { own: ownCells, sources } = new CaseFeatures(cases[0]!.retries[0]!.facts, { KRW: 9 }).cellsAt(
      new Date(day(1)),
    );
    expect(Math.min(ownCells.length, sources.length)).toBeGreaterThan(0);
    for (const cell of [...ownCells, ...sources]) expect(cell >= 0 && cell < cellCount).toBe(true);
  });
});
