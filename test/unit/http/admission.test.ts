import { expect, test } from "vitest";
import { AdmissionControl } from "../../../src/http/limits/admission.ts";
import type { Refusal } from "../../../src/kernel/refusals.ts";

/** The result of each request so far: a slot, a refusal, or none yet. */
function asked(admission: AdmissionControl, vendorId: number, rows: number, count: number) {
  const states = Array.from({ length: count }, () => "waiting");
  const leaves: (() => void)[] = [];
  for (let place = 0; place < count; place++)
    admission.admit(vendorId, rows).then(
      (leave) => {
        states[place] = "in";
        leaves.push(leave);
      },
      (error: unknown) => void (states[place] = (error as Refusal).code),
    );
  return { states, leaves };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const counted = (states: string[], state: string) => states.filter((one) => one === state).length;

test("large pages of a vendor run one after the other, also when no other vendor is active, and few may wait", async () => {
  const admission = new AdmissionControl();
  const large = asked(admission, 1, 1_000, 12);
  await settled();
  expect([counted(large.states, "in"), counted(large.states, "waiting")]).toEqual([1, 8]);
  expect(large.states.slice(9)).toEqual(Array.from({ length: 3 }, () => "TOO_MANY_REQUESTS"));
  large.leaves[0]!();
  await settled();
  expect(large.leaves).toHaveLength(2);
});

test("short pages do not wait for large ones, nor large ones of another vendor", async () => {
  const admission = new AdmissionControl();
  const large = asked(admission, 1, 1_000, 2);
  await settled();
  const others = [asked(admission, 1, 20, 3), asked(admission, 2, 1_000, 1)];
  await settled();
  expect(large.states).toEqual(["in", "waiting"]);
  expect(others.flatMap(({ states }) => states)).toEqual(["in", "in", "in", "in"]);
});
