import { expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import type { CoverPriceRecord, CoverPriceRepository } from "../../../src/recovery/registry/cover-price.repository.ts";
import { CoverPriceService, type CoverPriceCycle } from "../../../src/recovery/registry/cover-price.service.ts";

const now = new Date("2026-03-01T09:30:00Z");

/** Registers a plan if there is none, or one with this cycle, and returns its resulting cycle. */
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
  const record: CoverPriceRecord = await new CoverPriceService({ coverPriceRepository: catalogue, now }).register(1, {
    ...plan,
    ...sent,
  });
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
  ["no field given", {}, undefined, once],
  ["isRecurring false", { isRecurring: false }, undefined, once],
  ["an interval makes it recur, once in it", { recurringInterval: "MONTH" }, undefined, every(1, "MONTH")],
  ["an interval and a count", { recurringInterval: "WEEK", recurringIntervalCount: 2 }, undefined, every(2, "WEEK")],
  ["isRecurring true", { isRecurring: true, recurringInterval: "YEAR" }, undefined, every(1, "YEAR")],
  ["isRecurring false, whatever the interval", { isRecurring: false, recurringInterval: "DAY" }, undefined, once],
  ["a count without an interval makes no cycle", { recurringIntervalCount: 3 }, undefined, once],
  [
    "nulls count as not given",
    { isRecurring: null, recurringInterval: null, recurringIntervalCount: null },
    undefined,
    once,
  ],
  ["no field given leaves the cycle", {}, every(3, "WEEK"), every(3, "WEEK")],
  ["no field given leaves it one-time", {}, once, once],
  ["isRecurring true leaves the cycle", { isRecurring: true }, every(3, "WEEK"), every(3, "WEEK")],
  ["another interval leaves the count", { recurringInterval: "DAY" }, every(3, "WEEK"), every(3, "DAY")],
  ["another count leaves the interval", { recurringIntervalCount: 1 }, every(3, "WEEK"), every(1, "WEEK")],
  ["isRecurring false ends the cycle", { isRecurring: false }, every(3, "WEEK"), once],
  ["an interval for a one-time plan", { recurringInterval: "DAY" }, once, every(1, "DAY")],
  ["a count for a one-time plan", { recurringIntervalCount: 2 }, once, once],
  ["nulls leave the cycle", { isRecurring: null, recurringInterval: null }, every(3, "WEEK"), every(3, "WEEK")],
])("%s", async (_name, sent, existing, cycle) => {
  expect(await cycleAfter(sent, existing)).toEqual(cycle);
});

test.each<[string, CoverPriceCycle | undefined]>([
  ["a new plan", undefined],
  ["a one-time plan", once],
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
