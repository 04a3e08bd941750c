import { beforeEach, describe, expect, test } from "vitest";
import { runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";

/* Fields that REST does not have: the advice of the network, the network, the initiator of the attempt. */

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  shop = await createCoverFixture(gateway);
});

const COVER = `cover {
  state endReason retryDate decision { earliestAllowedAt ruleId alternatives reasonClass }
  attempts { nodes { number kind errorCode adviceCode network initiator reasonClass } }
}`;

/** Registers an order whose payment failed with this decline, and returns its cover. */
async function failed(failure: object) {
  const { databaseId } = await createCoverOrder(gateway, shop, { paymentFailed: true, ...failure });
  const { coverOrder } = await gateway.queryData(`query ($id: ID!) { coverOrder(id: $id) { ${COVER} } }`, {
    id: databaseId,
  });
  return { orderId: databaseId, ...coverOrder!.cover! };
}

const report = async (orderId: number, failure: object) =>
  (await runMutation(gateway, "startRecovery", { orderId, subscriptionId: shop.subscriptionId, ...failure }, COVER))
    .cover;

const onDays = (...days: number[]) => days.map((day) => `2026-03-${String(day).padStart(2, "0")}T09:30:00.000Z`);

describe("a minimum delay of the network", () => {
  test.each([
    ["24", [2, 4, 6, 11, 15], null],
    ["25", [2, 4, 6, 11, 15], null],
    ["26", [3, 4, 6, 11, 15], "mastercard-advice-26"],
    ["02", [4, 6, 11, 15], "mastercard-advice-02"],
    ["27", [5, 6, 11, 15], "mastercard-advice-27"],
    ["28", [7, 11, 15], "mastercard-advice-28"],
    ["29", [9, 11, 15], "mastercard-advice-29"],
    ["30", [11, 15], "mastercard-advice-30"],
  ])("of advice code %s moves the retry, and the decision names the rule", async (adviceCode, days, floorRow) => {
    for (const network of ["MASTERCARD", null]) {
      const { retryDate, decision } = await failed({ errorCode: "51", adviceCode, network });
      expect([retryDate, ...decision!.alternatives]).toEqual(onDays(...days));
      expect([decision!.ruleId, decision!.earliestAllowedAt]).toEqual([floorRow, floorRow && retryDate]);
    }
  });

  test("does not apply to another network", async () => {
    const { retryDate, decision } = await failed({ errorCode: "51", adviceCode: "30", network: "VISA" });
    expect([retryDate, decision!.ruleId]).toEqual([onDays(2)[0], null]);
  });

  test("moves a promised date after an attempt outside the schedule", async () => {
    const { orderId } = await failed({ errorCode: "51" });
    gateway.clock.setTo("2026-03-01T21:30:00Z");
    const cover = await report(orderId, { errorCode: "05", adviceCode: "26" });
    expect(cover).toMatchObject({
      retryDate: "2026-03-03T21:30:00.000Z",
      decision: { alternatives: onDays(4, 6, 11, 15) },
    });
  });

  test("moves the last retry past the end of the schedule, and that retry is still awaited", async () => {
    const { orderId } = await failed({ errorCode: "51" });
    gateway.clock.setTo(onDays(11)[0]!);
    expect(await report(orderId, { errorCode: "51", adviceCode: "30" })).toMatchObject({ retryDate: onDays(21)[0] });
    gateway.clock.setTo(onDays(21)[0]!);
    expect(await report(orderId, { errorCode: "51" })).toMatchObject({
      state: "EXHAUSTED",
      endReason: "NO_TRIES_LEFT",
    });
  });
});

describe("an advice that ends the scenario", () => {
  const endings = [
    ["01", "NEEDS_NEW_METHOD", "FIX_DATA_FIRST"],
    ["03", "MUST_NOT_RETRY", "NEVER"],
    ["21", "MUST_NOT_RETRY", "NEVER"],
  ] as const;

  test.each(endings)(
    "%s does so at the first failure, whatever the code",
    async (adviceCode, endReason, reasonClass) => {
      const { state, retryDate, ...cover } = await failed({ errorCode: "51", adviceCode });
      expect([state, retryDate, cover.endReason]).toEqual(["STOPPED", null, endReason]);
      expect(cover.attempts.nodes).toEqual([expect.objectContaining({ adviceCode, reasonClass })]);
    },
  );

  test.each(endings)("%s does so before the date too, with the decline of last time", async (adviceCode, endReason) => {
    const { orderId } = await failed({ errorCode: "51" });
    gateway.clock.setTo("2026-03-01T12:00:00Z");
    expect(await report(orderId, { errorCode: "51", adviceCode })).toMatchObject({ state: "STOPPED", endReason });
  });
});

test("an attempt saves every reported field, and its initiator defaults to the merchant", async () => {
  const told = { errorCode: "61", adviceCode: "24", network: "VISA", initiator: "CUSTOMER" };
  const { orderId } = await failed(told);
  gateway.clock.setTo(onDays(2)[0]!);
  const { attempts } = await report(orderId, {});
  const nothing = { errorCode: null, adviceCode: null, network: null, initiator: "MERCHANT" };
  expect(attempts.nodes).toEqual([
    { number: 1, kind: "FIRST_FAILURE", reasonClass: "LIMIT_EXCEEDED", ...told },
    { number: 2, kind: "SCHEDULED", reasonClass: "UNKNOWN", ...nothing },
  ]);
});

describe("a date that passed without a report", () => {
  test("makes the next one due, and a report just before that belongs to the retry on it", async () => {
    const { orderId } = await failed({ errorCode: "51" });
    gateway.clock.setTo("2026-03-04T09:27:00Z");
    const { coverOrder } = await gateway.queryRawData(`{ coverOrder(id: ${orderId}) { retryDate } }`);
    expect(coverOrder.retryDate).toBe(onDays(4)[0]);
    // Three minutes early by the caller's clock: were the answer 4 March again, it would charge twice within minutes.
    expect(await report(orderId, { errorCode: "51" })).toMatchObject({ retryDate: onDays(6)[0] });
  });

  test("is still awaited: a report between the dates belongs to the passed one", async () => {
    const { orderId } = await failed({ errorCode: "51" });
    gateway.clock.setTo("2026-03-03T00:00:00Z");
    expect(await report(orderId, { errorCode: "51" })).toMatchObject({ retryDate: onDays(4)[0] });
  });
});
