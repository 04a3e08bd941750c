import { expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import type { CoverPriceRecord, CoverPriceRepository } from "../../../src/recovery/registry/cover-price.repository.ts";
import { CoverPriceService, type CoverPriceCycle } from "../../../src/recovery/registry/cover-price.service.ts";

const now = new Date("2026-03-01T09:30:00Z");

/** Registers a plan where there is none, or one with this cycle, and answers the cycle that it has then. */
async function cycleAfter(
  sent: { [K in keyof CoverPriceCycle]?: CoverPriceCycle[K] | null },
  existing?: CoverPriceCycle,
): Promise<CoverPriceCycle> {
  const catalogue = {
    lockByPartnerId: async () => existing && { id: 1, ...existing },
    add: async (_vendorId: number, values: object) => ({ id: 1, ...values }),
    update: async (_vendorId: number, id: number, values: object) => ({ id, ...values }),
  } as unknown as CoverPriceRepository;
  const plan = { name: "Plan", productId: 1, price: toAmount(1), partnerPriceId: "plan", replaceIfExists: true };
  const record: CoverPriceRecord = await new CoverPriceService(catalogue, now).register(1, { ...plan, ...sent });
  const { isRecurring, recurringInterval, recurringIntervalCount } = record;
  return { isRecurring, recurringInterval, recurringIntervalCount };
}

const once: CoverPriceCycle = { isRecurring: false, recurringInterval: null, recurringIntervalCount: null };
const every = (
  recurringIntervalCount: number,
  recurringInterval: CoverPriceCycle["recurringInterval"],
): CoverPriceCycle => ({
  isRecurring: true,
  recurringInterval,
  recurringIntervalCount,
});

test.each<[string, Parameters<typeof cycleAfter>[0], CoverPriceCycle | undefined, CoverPriceCycle]>([
  ["nothing told", {}, undefined, once],
  ["told to recur never", { isRecurring: false }, undefined, once],
  ["an interval makes it recur, once in it", { recurringInterval: "MONTH" }, undefined, every(1, "MONTH")],
  ["an interval and a count", { recurringInterval: "WEEK", recurringIntervalCount: 2 }, undefined, every(2, "WEEK")],
  ["told to recur", { isRecurring: true, recurringInterval: "YEAR" }, undefined, every(1, "YEAR")],
  ["told not to recur, whatever the interval", { isRecurring: false, recurringInterval: "DAY" }, undefined, once],
  ["a count alone makes no cycle", { recurringIntervalCount: 3 }, undefined, once],
  ["nulls tell nothing", { isRecurring: null, recurringInterval: null, recurringIntervalCount: null }, undefined, once],
  ["nothing told keeps what was", {}, every(3, "WEEK"), every(3, "WEEK")],
  ["nothing told keeps that it did not recur", {}, once, once],
  ["told to recur keeps the cycle that was", { isRecurring: true }, every(3, "WEEK"), every(3, "WEEK")],
  ["another interval keeps the count", { recurringInterval: "DAY" }, every(3, "WEEK"), every(3, "DAY")],
  ["another count keeps the interval", { recurringIntervalCount: 1 }, every(3, "WEEK"), every(1, "WEEK")],
  ["told not to recur any more", { isRecurring: false }, every(3, "WEEK"), once],
  ["an interval for one that did not recur", { recurringInterval: "DAY" }, once, every(1, "DAY")],
  ["a count for one that did not recur", { recurringIntervalCount: 2 }, once, once],
  ["nulls keep what was", { isRecurring: null, recurringInterval: null }, every(3, "WEEK"), every(3, "WEEK")],
])("%s", async (_name, sent, existing, cycle) => {
  expect(await cycleAfter(sent, existing)).toEqual(cycle);
});

test.each<[string, CoverPriceCycle | undefined]>([
  ["a new plan", undefined],
  ["one that did not recur", once],
])("%s cannot recur without an interval", async (_name, existing) => {
  for (const rest of [{}, { recurringInterval: null }, { recurringIntervalCount: 2 }]) {
    const refused = cycleAfter({ isRecurring: true, ...rest }, existing);
    await expect(refused).rejects.toThrow(Refusal);
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: {
        fields: [{ path: "recurringInterval", code: "REQUIRED", message: "is required when the plan is recurring." }],
      },
    });
  }
});
