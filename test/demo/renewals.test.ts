import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { DAY } from "../support/test-clock.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";
import { startDemo } from "./demo-gateway.ts";

/* The demo vendor's next month: its stored methods are charged by the simulated gateway. */

const gateway = await startDemo();

test("the demo's renewals are charged when time passes; some have insufficient funds and get covers", async () => {
  const start = gateway.clock.now();
  gateway.clock.advance(31 * DAY);
  await runUntilIdle(createWorker(gateway));
  const charges = await queryRows<{ state: string; errorCode: string | null; count: number }>(
    gateway,
    `select state, error_code as "errorCode", count(*)::int as count from payments
      where created_at > '${start.toISOString()}' group by 1, 2 order by 1`,
  );
  expect(charges).toEqual([
    { state: "FAILED", errorCode: "51", count: expect.any(Number) },
    { state: "SUCCEEDED", errorCode: null, count: expect.any(Number) },
  ]);
  expect(charges[1]!.count).toBeGreaterThan(charges[0]!.count);
  const covered = await queryRows(
    gateway,
    `select distinct a.error_code as "errorCode" from cover_attempts a
      where a.attempted_at > '${start.toISOString()}'`,
  );
  expect(covered).toEqual([{ errorCode: "51" }]);
});
