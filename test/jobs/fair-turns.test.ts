import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestPayments } from "../support/test-payments.ts";
import { createWorker } from "../support/test-worker.ts";

/** The simulated gateway answers its charges after 400 ms. */
const SLOW_CARD = "4000000000040016";
const RENEWALS = 6;

const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });
const payments = await TestPayments.start(gateway);

const countCharges = async () => {
  const [row] = await queryRows<{ charges: number }>(
    gateway,
    "select count(*)::integer as charges from payments where vendor_id > 0 and state = 'SUCCEEDED'",
  );
  return row!.charges;
};

test("a vendor whose gateway is slow ends its turn after its time, and makes the rest in later turns", async () => {
  for (let made = 0; made < RENEWALS; made++) {
    const { databaseId } = await payments.createOrder("5000", { plan: { type: "FLAT", recurring: everyMonth } });
    await payments.payOrder(databaseId, SLOW_CARD);
  }
  const worker = createWorker(gateway, undefined, { vendorTurnMs: 500 });
  gateway.clock.advance(31 * DAY);
  const before = await countCharges();
  await worker.runTurn();
  const inFirstTurn = (await countCharges()) - before;
  expect(inFirstTurn).toBeGreaterThanOrEqual(1);
  expect(inFirstTurn).toBeLessThanOrEqual(2);
  for (let turn = 1; turn < RENEWALS; turn++) await worker.runTurn();
  expect((await countCharges()) - before).toBe(RENEWALS);
});
