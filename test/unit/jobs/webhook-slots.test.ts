import { expect, test } from "vitest";
import type { DueEndpoint } from "../../../src/jobs/due-vendor.repository.ts";
import { AttemptSlots } from "../../../src/jobs/webhook-slots.ts";

const endpoint = (familyId: number, endpointId = familyId, isFailing = false): DueEndpoint => ({
  ...{ familyId, vendorId: familyId, endpointId, isFailing },
});

/** Begins as many attempts at an endpoint as it can. @returns how many. */
function fill(slots: AttemptSlots, due: DueEndpoint): number {
  const free = slots.countFree(due);
  for (let taken = 0; taken < free; taken++) slots.take(due);
  return free;
}

test("an endpoint has 8 slots and a family 32, with all its children", () => {
  const slots = new AttemptSlots();
  expect([1, 2, 3, 4, 5].map((id) => fill(slots, endpoint(1, id)))).toEqual([8, 8, 8, 8, 0]);
  expect(slots.findBusy()).toMatchObject({ familyIds: [1], endpointIds: [1, 2, 3, 4] });
  slots.giveBack(endpoint(1, 1));
  expect(slots.findBusy()).toMatchObject({ familyIds: [], endpointIds: [2, 3, 4] });
  expect(slots.countFree(endpoint(1, 5))).toBe(1);
});

test("slow families leave slots to another when there are 80 of them", () => {
  for (const families of [1, 8, 40, 80]) {
    const slots = new AttemptSlots();
    for (let round = 0; round < 40; round++)
      for (let family = 1; family <= families; family++) fill(slots, endpoint(family, family * 100 + round));
    expect(slots.countFree(endpoint(9_999)), `${families} families`).toBeGreaterThan(0);
  }
});

test("endpoints that fail have half of the slots, however many they are", () => {
  const slots = new AttemptSlots();
  let taken = 0;
  for (let family = 1; family <= 10_000; family++) taken += fill(slots, endpoint(family, family, true)) > 0 ? 1 : 0;
  expect(slots.findBusy().isFullOfFailing).toBe(true);
  expect(taken).toBeLessThanOrEqual(128);
  expect(fill(slots, endpoint(20_000))).toBe(8);
});
