import { beforeEach, describe, expect, test } from "vitest";
import { sendMutation, runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";

const NOW = "2026-03-01T20:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let shop: CoverFixture;
let own: RequestOptions;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  own = { token: (await gateway.openVendor()).token };
  shop = await createCoverFixture(gateway, {}, own);
});

const day = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();
const failed = async (rest: object = {}, options = own, at = shop): Promise<number> =>
  (
    await createCoverOrder(
      gateway,
      at,
      { paymentFailed: true, errorCode: "51", amount: "1000", subscriptionId: at.subscriptionId, ...rest },
      options,
    )
  ).databaseId;
const again = (orderId: number, rest: object = {}) =>
  runMutation(
    gateway,
    "startRecovery",
    { orderId, subscriptionId: shop.subscriptionId, errorCode: "51", ...rest },
    undefined,
    own,
  );
const paid = (orderId: number) => runMutation(gateway, "reportCoverOrderPaid", { orderId }, undefined, own);

const TALLY =
  "cases amount recovered recoveredAmount lost lostAmount open openAmount recoveryRate recoveryRateByAmount";
const analytics = async (startedAt?: { from: string; until?: string }, options = own) =>
  (
    await gateway.queryData(
      `query ($startedAt: PeriodInput) { recoveryAnalytics(startedAt: $startedAt) { from until total { ${TALLY} } byDay { day ${TALLY} } byReason { reasonClass cases recovered lost } byGateway { paymentGateway cases recoveredAmount } byCountry { country cases } byAttempt { attempt recovered recoveredAmount } curve { day recovered recoveredAmount recoveryRate } } }`,
      { startedAt },
      options,
    )
  ).recoveryAnalytics;

describe("analytics", () => {
  test("of no covers are zero", async () => {
    expect(await analytics()).toMatchObject({
      from: "2025-12-03",
      until: "2026-03-02",
      total: { cases: 0, amount: "0", recoveryRate: null },
      curve: [],
    });
    const { byDay } = await analytics({ from: "2026-02-27T15:00:00Z", until: "2026-03-01T14:59:00Z" });
    expect(byDay.map(({ day: on, cases, amount, recoveryRate }) => [on, cases, amount, recoveryRate])).toEqual([
      ["2026-02-28", 0, "0", null],
      ["2026-03-01", 0, "0", null],
    ]);
  });

  test("count covers as they start and end; open ones stay in the denominator", async () => {
    const [first, second, third] = [
      await failed(),
      await failed({ paymentGateway: "PROVIDER_02" }),
      await failed({ errorCode: "05", amount: "500" }),
    ];
    await failed({ errorCode: "41" });
    gateway.clock.setTo(day(1));
    await again(first);
    await paid(second);
    gateway.clock.setTo(day(3));
    await paid(first);
    await runMutation(gateway, "cancelCoverOrder", { orderId: third }, undefined, own);
    await failed({ amount: "250" });
    const seen = await analytics();
    const total = {
      cases: 5,
      amount: "3750",
      recovered: 2,
      recoveredAmount: "2000",
      lost: 2,
      lostAmount: "1500",
      open: 1,
      openAmount: "250",
      recoveryRate: 0.4,
      recoveryRateByAmount: 0.533333,
    };
    expect(seen.total).toEqual(total);
    expect(seen.byDay).toHaveLength(90);
    expect(seen.byDay.slice(-4).map(({ day: on, cases, recovered, open }) => [on, cases, recovered, open])).toEqual([
      ["2026-03-02", 4, 2, 0],
      ["2026-03-03", 0, 0, 0],
      ["2026-03-04", 0, 0, 0],
      ["2026-03-05", 1, 0, 1],
    ]);
    expect(seen.byReason).toEqual([
      { reasonClass: "GENERIC_REFUSAL", cases: 1, recovered: 0, lost: 1 },
      { reasonClass: "INSUFFICIENT_FUNDS", cases: 3, recovered: 2, lost: 0 },
      { reasonClass: "NEVER", cases: 1, recovered: 0, lost: 1 },
    ]);
    expect(seen.byGateway).toEqual([
      { paymentGateway: "PROVIDER_02", cases: 1, recoveredAmount: "1000" },
      { paymentGateway: "UNKNOWN", cases: 4, recoveredAmount: "1000" },
    ]);
    expect(seen.byCountry).toEqual([{ country: "KR", cases: 5 }]);
    expect(seen.byAttempt).toEqual([
      { attempt: 1, recovered: 1, recoveredAmount: "1000" },
      { attempt: 2, recovered: 1, recoveredAmount: "1000" },
    ]);
    expect(seen.curve).toEqual([
      { day: 0, recovered: 0, recoveredAmount: "0", recoveryRate: 0 },
      { day: 1, recovered: 1, recoveredAmount: "1000", recoveryRate: 0.2 },
      { day: 2, recovered: 1, recoveredAmount: "1000", recoveryRate: 0.2 },
      { day: 3, recovered: 2, recoveredAmount: "2000", recoveryRate: 0.4 },
    ]);
    const narrow = await analytics({ from: day(3) });
    expect([narrow.total.cases, narrow.total.recoveryRate]).toEqual([1, 0]);
    expect((await analytics(undefined, {})).total.cases).toBe(0);
  });

  test("count a cover as lost when a decline ends it later", async () => {
    const order = await failed();
    expect((await analytics()).total).toMatchObject({ cases: 1, lost: 0, open: 1 });
    gateway.clock.setTo(day(1));
    await again(order, { errorCode: "41" });
    expect((await analytics()).total).toMatchObject({ cases: 1, lost: 1, lostAmount: "1000", open: 0 });
  });

  test("are read from counts: no statement reads covers, orders or attempts", async () => {
    await failed();
    gateway.statements.length = 0;
    await analytics();
    const asked = gateway.statements.map(({ text }) => text).filter((text) => /from "recovery_/.test(text));
    expect(asked).toHaveLength(8);
    expect(gateway.statements.filter(({ text }) => /"cover(?:s|_orders|_attempts)"/.test(text))).toEqual([]);
  });

  test("agree with the covers, also when many start and end at once", async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => failed({ subscriptionId: null })));
    await Promise.all(orders.slice(0, 5).map(paid));
    expect((await analytics()).total).toMatchObject({
      cases: 12,
      recovered: 5,
      lost: 0,
      open: 7,
      recoveredAmount: "5000",
    });
  });

  test("accept the largest possible amounts", async () => {
    for (let count = 0; count < 3; count++) await failed({ amount: "999999999999999" });
    expect((await analytics()).total.amount).toBe("2999999999999997");
  });

  test.each([
    '(startedAt: { from: "2026-03-03T00:00:00Z", until: "2026-03-01T00:00:00Z" })',
    '(startedAt: { from: "2020-01-01T00:00:00Z" })',
  ])("refuse %s", async (args) => {
    const { errors } = await gateway.sendRawGraphQL(`{ recoveryAnalytics${args} { from } }`, {}, own);
    expect(errors).toMatchObject([{ extensions: { code: "INVALID_ARGUMENT" } }]);
  });
});

describe("unmapped declines", () => {
  const unmapped = async (options = own) =>
    (
      await gateway.queryData(
        "{ unmappedDeclines { paymentGateway errorCode errorMessage declines lost lostAmount firstSeenAt lastSeenAt } }",
        {},
        options,
      )
    ).unmappedDeclines;
  const reasonOf = async (orderId: number, options = own) =>
    (await gateway.queryRawData(`{ coverOrder(id: ${orderId}) { cover { decision { reasonClass } } } }`, {}, options))
      .coverOrder.cover.decision.reasonClass;
  const map = (rest: object, options = own) =>
    sendMutation(
      gateway,
      "mapDeclineCode",
      { paymentGateway: "PROVIDER_03", errorCode: "q7", reasonClass: "INSUFFICIENT_FUNDS", ...rest },
      undefined,
      options,
    );

  test("are counted with their cost, the highest first, until a mapping exists", async () => {
    const lost = await failed({ errorCode: "q7", errorMessage: "E-77", paymentGateway: "PROVIDER_03" });
    await failed({ errorCode: "Q7", paymentGateway: "PROVIDER_03" });
    await failed({ errorCode: null });
    gateway.clock.setTo(day(1));
    await runMutation(gateway, "cancelCoverOrder", { orderId: lost }, undefined, own);
    expect(await unmapped()).toEqual([
      {
        paymentGateway: "PROVIDER_03",
        errorCode: "Q7",
        errorMessage: "E-77",
        declines: 2,
        lost: 1,
        lostAmount: "1000",
        firstSeenAt: NOW,
        lastSeenAt: day(1),
      },
      {
        paymentGateway: "UNKNOWN",
        errorCode: null,
        errorMessage: null,
        declines: 1,
        lost: 0,
        lostAmount: "0",
        firstSeenAt: NOW,
        lastSeenAt: NOW,
      },
    ]);
    expect((await map({})).data).toEqual({
      mapDeclineCode: { paymentGateway: "PROVIDER_03", errorCode: "Q7", reasonClass: "INSUFFICIENT_FUNDS" },
    });
    expect((await unmapped()).map(({ errorCode }) => errorCode)).toEqual([null]);
    expect(await reasonOf(await failed({ errorCode: "Q7", paymentGateway: "PROVIDER_03" }))).toBe("INSUFFICIENT_FUNDS");
    expect(await reasonOf(await failed({ errorCode: "Q7", paymentGateway: "PROVIDER_04" }))).toBe("UNKNOWN");
    await map({ reasonClass: "UNKNOWN" });
    expect(await reasonOf(await failed({ errorCode: "Q7", paymentGateway: "PROVIDER_03" }))).toBe("UNKNOWN");
  });

  test("of a child are mapped as its parent says, unless the child has its own mapping", async () => {
    const { token } = await createTestChild(gateway, {}, own);
    const childShop = await createCoverFixture(gateway, {}, { token });
    const there = async () =>
      reasonOf(await failed({ errorCode: "Q7", paymentGateway: "PROVIDER_03" }, { token }, childShop), { token });
    expect(await there()).toBe("UNKNOWN");
    expect(await unmapped({ token })).toHaveLength(1);
    await map({});
    expect(await unmapped({ token })).toEqual([]);
    expect(await there()).toBe("INSUFFICIENT_FUNDS");
    await map({ reasonClass: "NEVER" }, { token });
    expect(await there()).toBe("NEVER");
  });

  test.each([
    [{ errorCode: "51" }, "DECLINE_CODE_KNOWN"],
    [{ errorCode: " " }, "INVALID_ARGUMENT"],
  ])("cannot be mapped from %j: %s", async (rest, code) => {
    expect((await map(rest)).errors).toMatchObject([{ extensions: { code } }]);
  });
});
