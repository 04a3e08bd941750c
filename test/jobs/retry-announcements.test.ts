import { beforeEach, expect, test } from "vitest";
import { createCoverFixture, createCoverOrder, runMutation } from "../support/cover-mutations.ts";
import type { CoverFixture } from "../support/fixtures/cover-fixture.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

/* A caller that makes its retries itself learns that the date of one has come, once for each date. */

const NOW = "2026-03-01T09:30:00.000Z";
const DAY = 86_400_000;
const gateway = await startGateway({ now: NOW });
const worker = createWorker(gateway);

let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  shop = await createCoverFixture(gateway);
});

const openCover = async (): Promise<number> =>
  (await createCoverOrder(gateway, shop, { paymentFailed: true, errorCode: "51" })).databaseId;

interface Shown {
  dates: string[];
  announced: { retryDate: string; attempt: number }[];
}

async function readOrder(orderId: number): Promise<Shown> {
  const { coverOrder } = await gateway.queryRawData(
    `query ($id: ID!) { coverOrder(id: $id) { covers(first: 1) { nodes { retryDate } } timeline(first: 100) { nodes { type actor title facts } } } }`,
    { id: orderId },
  );
  const due = coverOrder.timeline.nodes.filter(({ type }: { type: string }) => type === "COVER_RETRY_DUE");
  for (const event of due) expect(event).toMatchObject({ actor: "SYSTEM", title: "Retry due" });
  return {
    dates: coverOrder.covers.nodes.flatMap(({ retryDate }: { retryDate: string | null }) => retryDate ?? []),
    announced: due.map(({ facts }: { facts: object }) => facts),
  };
}

const announce = () => worker.runTask("recovery.announce-retries");

/** Moves the clock to a date, and announces what is due. */
async function pass(until: number): Promise<void> {
  gateway.clock.setTo(new Date(until).toISOString());
  await announce();
}

test("each date of a cover is announced once, when it has come", async () => {
  const orderId = await openCover();
  const first = (await readOrder(orderId)).dates[0]!;
  await pass(Date.parse(first) - 1);
  expect((await readOrder(orderId)).announced).toEqual([]);
  await pass(Date.parse(first));
  await announce();
  expect((await readOrder(orderId)).announced).toEqual([{ retryDate: first, attempt: 2 }]);
  const second = (await readOrder(orderId)).dates[0]!;
  expect(Date.parse(second)).toBeGreaterThan(Date.parse(first));
  await pass(Date.parse(second));
  expect((await readOrder(orderId)).announced).toEqual([
    { retryDate: first, attempt: 2 },
    { retryDate: second, attempt: 2 },
  ]);
});

test("two workers announce a date once", async () => {
  const orderId = await openCover();
  gateway.clock.setTo((await readOrder(orderId)).dates[0]!);
  await Promise.all([announce(), createWorker(gateway).runTask("recovery.announce-retries")]);
  expect((await readOrder(orderId)).announced).toHaveLength(1);
});

test("a date that a reported retry has moved is not announced", async () => {
  const orderId = await openCover();
  const first = (await readOrder(orderId)).dates[0]!;
  gateway.clock.setTo(new Date(Date.parse(first) - 60_000).toISOString());
  await runMutation(gateway, "startRecovery", { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" });
  const moved = (await readOrder(orderId)).dates[0]!;
  await pass(Date.parse(first));
  expect((await readOrder(orderId)).announced).toEqual([]);
  await pass(Date.parse(moved));
  expect((await readOrder(orderId)).announced).toEqual([{ retryDate: moved, attempt: 3 }]);
});

test("nothing is announced of a cover that has ended", async () => {
  const orderId = await openCover();
  const first = (await readOrder(orderId)).dates[0]!;
  await runMutation(gateway, "reportCoverOrderPaid", { orderId });
  await pass(Date.parse(first) + 30 * DAY);
  expect((await readOrder(orderId)).announced).toEqual([]);
});

test("nothing is announced to a caller that keeps its own schedule", async () => {
  await gateway.queryRawData(
    "mutation { updateVendorSettings(input: { recoveryShadowMode: true }) { vendor { uuid } } }",
  );
  const orderId = await openCover();
  await pass(Date.parse(NOW) + 30 * DAY);
  expect((await readOrder(orderId)).announced).toEqual([]);
});

test("of several dates that passed while no worker ran, the last one is announced", async () => {
  await gateway.queryRawData(
    "mutation { updateVendorSettings(input: { recoveryShadowMode: false }) { vendor { uuid } } }",
  );
  const orderId = await openCover();
  await pass(Date.parse(NOW) + 60 * DAY);
  const { announced, dates } = await readOrder(orderId);
  expect([announced, dates]).toEqual([[{ retryDate: expect.any(String), attempt: 2 }], []]);
});
