import { expect, test } from "vitest";
import { rowsOf } from "../hostile/query-rows.ts";
import { DAY } from "../support/test-clock.ts";
import { workerOf, workOff } from "../support/test-worker.ts";
import { startDemo } from "./demo-gateway.ts";

/* What the demo vendor's next month comes to: its stored methods are charged by the simulated gateway. */

const gateway = await startDemo();

test("the demo's renewals are charged when time passes; some have no funds and are covered", async () => {
  const start = gateway.clock.now();
  gateway.clock.advance(31 * DAY);
  await workOff(workerOf(gateway));
  const charges = await rowsOf<{ state: string; errorCode: string | null; count: number }>(
    gateway,
    `select state, error_code as "errorCode", count(*)::int as count from payments
      where created_at > '${start.toISOString()}' group by 1, 2 order by 1`,
  );
  expect(charges).toEqual([
    { state: "FAILED", errorCode: "51", count: expect.any(Number) },
    { state: "SUCCEEDED", errorCode: null, count: expect.any(Number) },
  ]);
  expect(charges[1]!.count).toBeGreaterThan(charges[0]!.count);
  const covered = await rowsOf(
    gateway,
    `select distinct a.error_code as "errorCode" from cover_attempts a
      where a.attempted_at > '${start.toISOString()}'`,
  );
  expect(covered).toEqual([{ errorCode: "51" }]);
});
