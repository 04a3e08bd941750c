import { beforeEach, describe, expect, test } from "vitest";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { activateModel } from "../../support/active-models.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../../support/cover-mutations.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { DAY, MINUTE } from "../../support/test-clock.ts";
import { createWorker } from "../../support/test-worker.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const worker = createWorker(gateway);
const published = publishedModel().version;

let vendorId: number;
let own: { token: string };
let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  const vendor = await gateway.openVendor({ zoneId: "UTC" });
  [vendorId, own] = [vendor.id, { token: vendor.token }];
  shop = await createCoverFixture(gateway, {}, own);
});

const SMART = { plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 }, exploration: { share: 0 } };
async function inForce(terms: object): Promise<void> {
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, own);
  await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, own);
}

const COVER = "retryDate decision { modelVersion explanation effects { kind by fallbackReason } id }";
const coverOf = async (orderId: number) =>
  (await gateway.queryRawData(`{ coverOrder(id: ${orderId}) { cover { ${COVER} } } }`, {}, own)).coverOrder.cover;
const fail = async (): Promise<number> =>
  (await createCoverOrder(gateway, shop, { paymentFailed: true, errorCode: "51" }, own)).databaseId;

/** The results of the vendor's retries are read. */
async function readResults(): Promise<void> {
  gateway.clock.setTo(new Date(gateway.clock.now().getTime() + 11 * MINUTE).toISOString());
  await worker.runTask("recovery.test-models");
}
/** Orders fail together, and each is paid at its retry. */
async function recoverAll(count: number): Promise<void> {
  const orders = await Promise.all(Array.from({ length: count }, fail));
  const dated = await Promise.all(orders.map(async (orderId) => ({ orderId, ...(await coverOf(orderId)) })));
  for (const { orderId, retryDate } of dated.sort((a, b) => (a.retryDate < b.retryDate ? -1 : 1))) {
    gateway.clock.setTo(retryDate);
    await runMutation(gateway, "reportCoverOrderPaid", { orderId }, undefined, own);
  }
}

const statusOf = async (options = own) =>
  (
    await gateway.queryData(
      `{ recoveryModelStatus { source version reason tries triesFrom trainedAt lastResultAt staleAt explanation ko: explanation(language: KOREAN)
          givenUp { source version reason since } training { state }
          drift { attempts predicted observed error errorBounds { low high } modelLoss countingLoss miscalibrationEvidence countingEvidence evidenceLimit tolerance } } }`,
      {},
      options,
    )
  ).recoveryModelStatus;
/** The fallbacks in the vendor's event log, each with the version of its subject. */
const loggedFallbacks = () =>
  queryRows(
    gateway,
    `select e.trigger as change, m.version, e.facts from event_log e
      left join recovery_models m on m.vendor_id = e.vendor_id and m.id = e.subject_id
      where e.vendor_id = ${vendorId} and e.type = 'MODEL_FALLBACK' order by e.id`,
  );

const eventsOf = async (options = own) =>
  (
    await gateway.queryData(
      "{ recoveryModelEvents(first: 5) { nodes { id databaseId type source version decides reason occurredAt } totalCount } }",
      {},
      options,
    )
  ).recoveryModelEvents.nodes;

/** Makes a model the family's active one. */
const activate = (content: object = { ...publishedPrior(), tries: 5000 }): Promise<string> =>
  activateModel(gateway, vendorId, { ...publishedPrior(), ...content });

describe("the status of a vendor's model", () => {
  test("says what decides, whether or not the policy uses it", async () => {
    const [{ source, version, reason, drift, ...rest }] = [await statusOf()];
    expect([source, version, reason, drift, rest.staleAt]).toEqual(["PUBLISHED", published, "NOT_SMART", null, null]);
    await inForce({ ...SMART, model: "OFF" });
    expect(await statusOf()).toMatchObject({ source: "EVEN", version: null, reason: "OFF", tries: null });
    await inForce({ ...SMART, model: published });
    expect(await statusOf()).toMatchObject({ source: "PUBLISHED", version: published, reason: "PINNED" });
    await inForce(SMART);
    const status = await statusOf();
    expect(status).toMatchObject({ source: "PUBLISHED", reason: "NOT_TRAINED", tries: publishedPrior().tries });
    expect(status.explanation).toBe(
      "The published model chooses times under SMART: no model was trained on own retries yet.",
    );
    expect(status.ko).toContain("기본 제공 모델");
    const trained = await activate();
    expect(await statusOf()).toMatchObject({
      ...{ source: "VENDOR", version: trained, reason: "TRAINED", tries: 5000, trainedAt: NOW },
      ...{ triesFrom: "2026-01-30T09:30:00.000Z", staleAt: "2026-04-15T09:30:00.000Z", givenUp: [], training: null },
    });
  });

  test("of a child is its family's", async () => {
    await inForce(SMART);
    const version = await activate();
    const { token } = await gateway.openVendor({ parentId: vendorId });
    expect(await statusOf({ token })).toMatchObject({ source: "VENDOR", version, reason: "TRAINED" });
    const other = await gateway.openVendor();
    expect(await statusOf({ token: other.token })).toMatchObject({ source: "PUBLISHED" });
    expect(await eventsOf({ token: other.token })).toEqual([]);
  });
});

test("a model whose probabilities prove wrong is given up, the even schedule says so, and the next model ends it", async () => {
  await inForce(SMART);
  await recoverAll(25);
  await readResults();
  const [event] = await eventsOf();
  expect(event).toMatchObject({
    ...{ type: "MODEL_FALLBACK", source: "PUBLISHED", version: published, decides: "EVEN" },
    ...{
      reason: expect.stringMatching(/^(MISCALIBRATED|WORSE_THAN_COUNTING)$/),
      occurredAt: gateway.clock.now().toISOString(),
    },
  });
  const status = await statusOf();
  expect(status).toMatchObject({ source: "EVEN", version: null, reason: event!.reason, drift: null });
  expect(status.givenUp).toEqual([
    { source: "PUBLISHED", version: published, reason: event!.reason, since: event!.occurredAt },
  ]);
  const orderId = await fail();
  const { decision } = await coverOf(orderId);
  expect(decision.modelVersion).toBeNull();
  expect(decision.effects).toContainEqual({ kind: "FALLBACK", by: "EVEN", fallbackReason: event!.reason });
  expect(decision.explanation).toContain("evenly within the window, because");
  const { replayDecision } = await gateway.queryRawData(
    `{ replayDecision(id: "${decision.id}") { isReproduced differences } }`,
    {},
    own,
  );
  expect(replayDecision).toEqual({ isReproduced: true, differences: [] });
  const version = await activate();
  expect((await coverOf(await fail())).decision).toMatchObject({ modelVersion: version });
  // Nothing new is no work, however many results there were.
  gateway.statements.length = 0;
  await readResults();
  expect(gateway.statements.filter(({ text }) => text.includes("cover_decisions"))).toEqual([]);
  expect(await eventsOf()).toMatchObject([{ type: "MODEL_TRAINED", source: "VENDOR", version, decides: null }, event]);
  expect(await loggedFallbacks()).toEqual([
    {
      ...{ change: "giveUpModel", version: null },
      facts: { modelVersion: published, decides: "EVEN", reason: event!.reason },
    },
  ]);
});

test("a model is tested by each result once, and figures show what it predicted", async () => {
  await inForce({ ...SMART, model: published });
  await recoverAll(1);
  await readResults();
  // The merchant named it: its results test nothing.
  expect(await statusOf()).toMatchObject({ reason: "PINNED", drift: null });
  await inForce(SMART);
  await recoverAll(3);
  await readResults();
  const { drift, lastResultAt } = await statusOf();
  expect(drift).toMatchObject({ attempts: 3, observed: 1, tolerance: 0.05 });
  expect(drift!.error).toBeCloseTo(1 - drift!.predicted, 6);
  expect(drift!.errorBounds.low).toBeLessThan(drift!.error);
  expect(drift!.miscalibrationEvidence).toBeLessThan(drift!.evidenceLimit);
  await readResults();
  expect((await statusOf()).drift).toEqual(drift);
  expect(Date.parse(lastResultAt!)).toBeLessThan(gateway.clock.now().getTime());
});

test("an own model falls back when it is stale or cannot be read, and comes back by itself", async () => {
  await inForce(SMART);
  await recoverAll(1);
  const version = await activate();
  await readResults();
  expect((await eventsOf()).map(({ type }) => type)).toEqual(["MODEL_TRAINED"]);
  gateway.clock.setTo(new Date(gateway.clock.now().getTime() + 46 * DAY).toISOString());
  await readResults();
  expect((await eventsOf())[0]).toMatchObject({ source: "VENDOR", version, decides: "PUBLISHED", reason: "STALE" });
  const orderId = await fail();
  const { decision, retryDate } = await coverOf(orderId);
  expect(decision).toMatchObject({ modelVersion: published });
  expect(decision.effects).toContainEqual({ kind: "FALLBACK", by: "PUBLISHED", fallbackReason: "STALE" });
  gateway.clock.setTo(retryDate);
  await runMutation(gateway, "reportCoverOrderPaid", { orderId }, undefined, own);
  await readResults();
  expect((await eventsOf())[0]).toMatchObject({ source: "VENDOR", version, decides: "VENDOR", reason: null });
  expect((await coverOf(await fail())).decision).toMatchObject({ modelVersion: version });

  const unreadable = await activate({ features: "2001-01-01" });
  expect(await statusOf()).toMatchObject({ source: "PUBLISHED", reason: "MISSING" });
  const missing = (await coverOf(await fail())).decision;
  expect(missing.effects).toContainEqual({ kind: "FALLBACK", by: "PUBLISHED", fallbackReason: "MISSING" });
  await readResults();
  expect((await eventsOf())[0]).toMatchObject({ version: unreadable, decides: "PUBLISHED", reason: "MISSING" });
  await readResults();
  // The event log has each change once, and not each decision.
  expect(await loggedFallbacks()).toEqual([
    { change: "giveUpModel", version, facts: { modelVersion: version, decides: "PUBLISHED", reason: "STALE" } },
    { change: "trustModel", version, facts: { modelVersion: version, decides: "VENDOR" } },
    {
      ...{ change: "giveUpModel", version: unreadable },
      facts: { modelVersion: unreadable, decides: "PUBLISHED", reason: "MISSING" },
    },
  ]);
});
