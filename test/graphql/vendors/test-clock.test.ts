import { beforeEach, describe, expect, test } from "vitest";
import {
  sendMutation,
  errorSummaries,
  runMutation,
  createCoverOrder,
  createCoverFixture,
} from "../../support/cover-mutations.ts";
import { type GraphQLResponse, startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { TestPayments } from "../../support/test-payments.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

/** A sandbox of its own for each test. */
let sandbox: RequestOptions;
let sandboxId: number;
beforeEach(async () => {
  const { id, token } = await gateway.openVendor({ sandbox: true, zoneId: "UTC" });
  [sandboxId, sandbox] = [id, { token }];
});

const move = (by: unknown, options = sandbox) => sendMutation(gateway, "advanceTestClock", { by }, undefined, options);
const moved = (now: string) => ({ status: 200, data: { advanceTestClock: { now } } });
const nowOf = async (options: RequestOptions): Promise<string> =>
  (await gateway.queryData("{ vendor { now } }", {}, options)).vendor.now;

describe("the clock of a sandbox", () => {
  test.each([
    ["P1D", "2026-03-02T09:30:00.000Z"],
    ["PT5M", "2026-03-01T09:35:00.000Z"],
    ["P1W", "2026-03-08T09:30:00.000Z"],
    ["P1M", "2026-04-01T09:30:00.000Z"],
    ["P1Y2M3DT4H5M6.007S", "2027-05-04T13:35:06.007Z"],
    ["+P1D", "2026-03-02T09:30:00.000Z"],
    ["PT0S", NOW],
    ["P99Y", "2125-03-01T09:30:00.000Z"],
  ])("moves by %s to %s, and stays there", async (by, now) => {
    expect(await move(by)).toEqual(moved(now));
    expect(await nowOf(sandbox)).toBe(now);
  });

  test("goes on with the real time", async () => {
    await move("P1D");
    gateway.clock.advance(90_000);
    expect(await nowOf(sandbox)).toBe("2026-03-02T09:31:30.000Z");
    gateway.clock.setTo(NOW);
  });

  test("is its own: another sandbox and a live vendor have the real time", async () => {
    await move("P1D");
    expect(await nowOf({ token: (await gateway.openVendor({ sandbox: true })).token })).toBe(NOW);
    expect(await nowOf({})).toBe(NOW);
  });

  test("moves by days of the vendor's zone: one across a change to summer time has 23 hours", async () => {
    gateway.clock.setTo("2026-03-28T12:00:00Z");
    const { token } = await gateway.openVendor({ sandbox: true, zoneId: "Europe/Berlin" });
    expect(await move("P1D", { token })).toEqual(moved("2026-03-29T11:00:00.000Z"));
    gateway.clock.setTo(NOW);
  });

  test("adds up two moves of one document, and the rest of it sees them", async () => {
    const query = `mutation {
      first: advanceTestClock(input: { by: "P1D" }) { now }
      second: advanceTestClock(input: { by: "PT1H" }) { now }
      product: registerCoverProduct(input: { name: "Tea", partnerProductId: "tea-${sandboxId}" }) { product { createdAt } }
    }`;
    expect(await gateway.queryRawData(query, {}, sandbox)).toEqual({
      first: { now: "2026-03-02T09:30:00.000Z" },
      second: { now: "2026-03-02T10:30:00.000Z" },
      product: { product: { createdAt: "2026-03-02T10:30:00.000Z" } },
    });
    expect(await nowOf(sandbox)).toBe("2026-03-02T10:30:00.000Z");
  });

  test("adds up moves that come at once", async () => {
    await Promise.all([move("PT1H"), move("PT1H"), move("PT1H")]);
    expect(await nowOf(sandbox)).toBe("2026-03-01T12:30:00.000Z");
  });

  test("dates events: a cover starts, and is due, by it", async () => {
    const shop = await createCoverFixture(gateway, {}, sandbox);
    await move("P10D");
    const { retryDate, databaseId: orderId } = await createCoverOrder(gateway, shop, { paymentFailed: true }, sandbox);
    expect(retryDate).toBe("2026-03-12T09:30:00.000Z");
    await move("P1D");
    const report = { orderId, subscriptionId: shop.subscriptionId };
    const { cover } = await runMutation(
      gateway,
      "startRecovery",
      report,
      "cover { retryDate attempts { nodes { kind attemptedAt } } }",
      sandbox,
    );
    expect(cover).toEqual({
      retryDate: "2026-03-14T09:30:00.000Z",
      attempts: {
        nodes: [
          { kind: "FIRST_FAILURE", attemptedAt: "2026-03-11T09:30:00.000Z" },
          { kind: "SCHEDULED", attemptedAt: "2026-03-12T09:30:00.000Z" },
        ],
      },
    });
  });

  test("skips unreported dates: the next planned one is answered", async () => {
    const shop = await createCoverFixture(gateway, {}, sandbox);
    const { databaseId: id } = await createCoverOrder(gateway, shop, { paymentFailed: true }, sandbox);
    const retryDate = async () =>
      (await gateway.queryRawData(`{ coverOrder(id: ${id}) { retryDate } }`, {}, sandbox)).coverOrder.retryDate;
    const told: unknown[] = [];
    for (const by of ["PT0S", "P1D", "P9D", "P3DT23H59M59.999S", "PT0.001S"]) {
      await move(by);
      told.push(await retryDate());
    }
    expect(told).toEqual(
      [2, 4, 15, 15, null].map((day) => day && `2026-03-${String(day).padStart(2, "0")}T09:30:00.000Z`),
    );
  });
});

describe("a move is refused", () => {
  /** The reason of a refused move; the clock is unchanged. */
  const refused = async (by: unknown, options = sandbox) => {
    const before = await nowOf(options);
    const answer = await move(by, options);
    expect(await nowOf(options)).toBe(before);
    return errorSummaries(answer);
  };

  test.each(["-P1D", "P-1D", "-PT0.001S", "P1DT-25H"])("when it is negative, as %s", async (by) => {
    expect(await refused(by)).toEqual(["INVALID_ARGUMENT: input.by INVALID_VALUE"]);
  });

  test.each([
    "P1000000Y",
    "P101Y",
    "P9999999999999D",
    `P${"9".repeat(400)}D`,
    "PT9007199254740993S",
    `PT0.${"1".repeat(400)}S`,
    "P0.5Y",
    "P1,5D",
  ])("when the result is out of range, as %s", async (by) => {
    expect(await refused(by)).toEqual(["INVALID_ARGUMENT: input.by INVALID_VALUE"]);
  });

  test.each(["", "P", "PT", "1D", "P1H", "soon", "P1D ", "p1d", "2026-03-02T00:00:00Z", 1, null, {}])(
    "when it is no duration, as %j",
    async (by) => {
      const [complaint] = await refused(by);
      expect(complaint).toMatch(/^INVALID_ARGUMENT: input\.by (?:INVALID_TYPE|INVALID_VALUE|REQUIRED)$/);
    },
  );

  test("for a live vendor", async () => {
    expect(await refused("P1D", {})).toEqual(["TEST_CLOCK_UNAVAILABLE"]);
  });

  test("beyond a century, in one step or in many", async () => {
    await move("P60Y");
    expect(await refused("P60Y")).toEqual(["INVALID_ARGUMENT: input.by INVALID_VALUE"]);
    expect(await nowOf(sandbox)).toBe("2086-03-01T09:30:00.000Z");
  });

  test("beyond a century, in two steps of one document", async () => {
    const query =
      'mutation { a: advanceTestClock(input: { by: "P60Y" }) { now } b: advanceTestClock(input: { by: "P60Y" }) { now } }';
    expect(errorSummaries(await gateway.sendGraphQL(query, {}, sandbox))).toEqual([
      "INVALID_ARGUMENT: input.by INVALID_VALUE",
    ]);
    expect(await nowOf(sandbox)).toBe("2086-03-01T09:30:00.000Z");
  });

  test("beyond a century, in steps that come at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => move("P60Y")));
    expect(await nowOf(sandbox)).toBe("2086-03-01T09:30:00.000Z");
  });
});

describe("a child vendor", () => {
  test("has the clock of its parent, also for moves made before it was opened", async () => {
    await move("P1D");
    const child = { token: (await gateway.openVendor({ sandbox: true, parentId: sandboxId })).token };
    expect(await nowOf(child)).toBe("2026-03-02T09:30:00.000Z");
    await move("P1D");
    expect(await nowOf(child)).toBe("2026-03-03T09:30:00.000Z");
    const shop = await createCoverFixture(gateway, {}, child);
    expect((await createCoverOrder(gateway, shop, { paymentFailed: true }, child)).retryDate).toBe(
      "2026-03-04T09:30:00.000Z",
    );
  });

  test("cannot move it", async () => {
    const child = { token: (await gateway.openVendor({ sandbox: true, parentId: sandboxId })).token };
    expect(errorSummaries(await move("P1D", child))).toEqual(["TEST_CLOCK_UNAVAILABLE"]);
    expect([await nowOf(child), await nowOf(sandbox)]).toEqual([NOW, NOW]);
  });
});

describe("the work that a clock's moves make due", () => {
  /** As many subscriptions of a cycle as requested, the first of them really paid. */
  async function subscriptions(count: number, options = sandbox, vendorId = sandboxId): Promise<void> {
    const payments = await TestPayments.start(gateway, options);
    const { databaseId } = await payments.createOrder("10", { plan: { type: "FLAT", recurring: { interval: "DAY" } } });
    await payments.payOrder(databaseId);
    await queryRows(
      gateway,
      `insert into subscriptions overriding system value select copy.* from subscriptions s, generate_series(2, ${count}) g,
        jsonb_populate_record(s, jsonb_build_object('id', s.id + 1000000 + g, 'code', 'copy_' || g)) copy where s.vendor_id = ${vendorId}`,
    );
  }
  const refused = (answer: GraphQLResponse) => errorSummaries(answer).map((one) => one.split(":")[0]);

  test("has a limit for one move, and nothing moves beyond it", async () => {
    await subscriptions(14);
    expect(refused(await move("P99Y"))).toEqual(["CLOCK_MOVE_TOO_LARGE"]);
    expect(refused(await move("P358D"))).toEqual(["CLOCK_MOVE_TOO_LARGE"]);
    expect(await nowOf(sandbox)).toBe(NOW);
    expect(await move("P357D")).toMatchObject({ status: 200 });
  });

  test("has a limit for a day of the real time, which many short moves reach too", async () => {
    await subscriptions(4_000);
    const moves = [];
    for (let hour = 0; hour < 21; hour++) moves.push(await move("PT6H"));
    expect(moves.slice(0, 20).every(({ data }) => data?.advanceTestClock)).toBe(true);
    expect(refused(moves[20]!)).toEqual(["CLOCK_QUOTA_EXCEEDED"]);
    const { extensions } = moves[20]!.errors![0]!;
    expect(extensions["details"]).toMatchObject({ retryAfter: (14.5 * 3_600_000) / 1000 });
    // The sandbox's own midnight does not reset it.
    expect(refused(await move("PT12H"))).toEqual(["CLOCK_QUOTA_EXCEEDED"]);
    gateway.clock.advance(14.5 * 3_600_000);
    expect(await move("PT6H")).toMatchObject({ status: 200 });
    gateway.clock.setTo(NOW);
  });

  test("counts no period after the end of a subscription", async () => {
    await subscriptions(14);
    await queryRows(
      gateway,
      `update subscriptions set cancel_at = '2026-03-08T09:30:00Z' where vendor_id = ${sandboxId}`,
    );
    expect(await move("P90Y")).toMatchObject({ status: 200 });
  });

  test("counts the subscriptions of children, which follow the clock", async () => {
    const { id, token } = await gateway.openVendor({ sandbox: true, zoneId: "UTC", parentId: sandboxId });
    await subscriptions(14, { token }, id);
    expect(refused(await move("P358D"))).toEqual(["CLOCK_MOVE_TOO_LARGE"]);
  });
});
