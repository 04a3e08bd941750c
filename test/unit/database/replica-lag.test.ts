import { expect, test } from "vitest";
import { ReplicaLag } from "../../../src/database/replica/replica-lag.ts";

test("the lag of a replica is unknown before it has replayed a sample", () => {
  const lag = new ReplicaLag();
  expect(lag.lagMs(0)).toBeUndefined();
  lag.addSample(0, 100n);
  lag.recordReplayed(99n);
  expect(lag.lagMs(10_000)).toBeUndefined();
});

test("the lag of a replica is the age of the newest position that it has replayed", () => {
  const lag = new ReplicaLag();
  lag.addSample(0, 100n);
  lag.addSample(1_000, 200n);
  lag.addSample(2_000, 300n);
  lag.recordReplayed(250n);
  expect(lag.lagMs(2_500)).toBe(1_500);
  lag.addSample(3_000, 400n);
  lag.recordReplayed(250n);
  expect(lag.lagMs(3_500)).toBe(2_500);
  lag.recordReplayed(399n);
  expect(lag.lagMs(3_500)).toBe(1_500);
});

test("the lag of a replica that has replayed everything is 0, however long nobody writes", () => {
  const lag = new ReplicaLag();
  for (let at = 0; at < 10_000; at += 1_000) {
    lag.addSample(at, 100n);
    lag.recordReplayed(100n);
    expect(lag.lagMs(at + 999)).toBe(0);
  }
});

test("the lag of a replica that stands still is right after hours, with few samples kept", () => {
  const lag = new ReplicaLag();
  lag.addSample(0, 0n);
  lag.recordReplayed(0n);
  for (let second = 1; second <= 20_000; second++) lag.addSample(second * 1_000, BigInt(second));
  expect(lag.lagMs(20_000_000)).toBe(20_000_000);
  // Of the samples some are left: the replica is said to lag no less than it does.
  lag.recordReplayed(10_000n);
  expect(lag.lagMs(20_000_000)).toBeGreaterThanOrEqual(10_000_000);
  expect(lag.lagMs(20_000_000)).toBeLessThan(10_100_000);
  lag.recordReplayed(20_000n);
  expect(lag.lagMs(20_000_000)).toBe(0);
});
