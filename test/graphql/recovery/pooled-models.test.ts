import { beforeAll, describe, expect, test } from "vitest";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { createServices } from "../../../src/graphql/services.ts";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { modelVersionOf } from "../../../src/recovery/engine/model/stored-model.ts";
import { poolCountry } from "../../../src/recovery/pooling/pool-country.ts";
import { SharingFamiliesRepository } from "../../../src/recovery/pooling/sharing-families.repository.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { buildOnce } from "../../support/build-once.ts";
import { recordCopiedCases, type CopiedCases, type Shop } from "../../support/copied-cases.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../../support/cover-mutations.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { DAY, MINUTE } from "../../support/test-clock.ts";
import { createWorker } from "../../support/test-worker.ts";
import { updateVendorSettings } from "../../support/vendor-queries.ts";

/* Pooling: what families share becomes the model of those of their country that have none of their own. */

const gateway = await startGateway({ now: "2026-03-02T00:30:00.000Z" });
const worker = createWorker(gateway);
const published = publishedModel().version;
const smart = { plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 }, exploration: { share: 0 } };

const random = new RandomSource(11);
const isAfternoon = (at: Date): boolean => {
  const hour = (at.getUTCHours() + 9) % 24;
  return hour >= 12 && hour < 18;
};

async function openShop(input: Parameters<typeof gateway.openVendor>[0] = {}): Promise<Shop> {
  const vendor = await gateway.openVendor(input);
  if (input.parentId === undefined) {
    const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms: smart }, undefined, vendor);
    await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, vendor);
  }
  return { vendor, fixture: await createCoverFixture(gateway, {}, vendor) };
}
const record = (shop: Shop, count: number, isApproved: (at: Date) => boolean, input: Partial<CopiedCases> = {}) =>
  recordCopiedCases(gateway, shop, { count, isApproved, random: () => random.next(), ...input });

const share = async (vendor: TestVendor, recoveryPooling = true) => {
  const { errors } = await updateVendorSettings(gateway, { recoveryPooling }, vendor);
  return errors?.map(({ extensions }) => extensions["code"]) ?? [];
};

/** Families of Korea with payers in Korea, where one law holds for all, and in Japan, where one is always paid and the others never. */
const families: Shop[] = [];
/** Of Korea, and shares nothing. */
let other: Shop;

beforeAll(async () => {
  await buildOnce();
  for (let family = 0; family < 5; family++) {
    const shop = await openShop();
    await record(shop, 52, isAfternoon);
    await record(shop, 104, () => family === 0, { country: "JP", retries: 1 });
    families.push(shop);
  }
  other = await openShop();
  await record(other, 60, (at) => !isAfternoon(at));
  // Somebody has to be there for whom the country is pooled.
  await gateway.openVendor({ country: "JP" });
}, 240_000);

const later = (milliseconds: number) => new Date(gateway.clock.now().getTime() + milliseconds);
const nextWeek = () => {
  gateway.clock.setTo(later(7 * DAY + MINUTE).toISOString());
};
const pool = () => worker.runTask("recovery.pool-countries");
interface Pooling {
  state: string;
  result: string;
  version: string | null;
  families: number;
  tries: number;
  failure: string | null;
}
const poolings = (country: string) =>
  queryRows<Pooling>(
    gateway,
    `select state, result, version, families, tries, failure from recovery_poolings where country = '${country}' order by id desc`,
  );
async function statusOf(vendor: TestVendor) {
  const fields = "source version reason tries staleAt explanation pooling { country isSharing result pooledAt }";
  return (await gateway.queryData(`{ recoveryModelStatus { ${fields} } }`, {}, vendor)).recoveryModelStatus;
}
async function decide({ vendor, fixture }: Shop) {
  const order = await createCoverOrder(gateway, fixture, { paymentFailed: true, errorCode: "51" }, vendor);
  const fields = "databaseId modelVersion effects { kind by fallbackReason }";
  const { coverOrder } = await gateway.queryData(
    `query ($id: ID!) { coverOrder(id: $id) { cover { decision { ${fields} } } } }`,
    { id: order.databaseId },
    vendor,
  );
  return coverOrder!.cover!.decision!;
}
const sharingFamilies = new SharingFamiliesRepository(gateway.database.handle);
/** What a pooling of Korea would find now, without storing it. */
const poolNow = () =>
  poolCountry(
    { sharingFamilies, recordedCases: createRepositories(gateway.database.handle).recordedCases },
    { country: "KR", prior: publishedPrior(), now: gateway.clock.now() },
  );

test("nothing is pooled while nobody shares, and four families are refused with the reason", async () => {
  await pool();
  expect(await poolings("KR")).toEqual([]);
  for (const { vendor } of families.slice(0, 4)) expect(await share(vendor)).toEqual([]);
  await pool();
  expect(await poolings("KR")).toMatchObject([
    { state: "DONE", result: "TOO_FEW_VENDORS", version: null, families: 4 },
  ]);
  expect(await statusOf(families[0]!.vendor)).toMatchObject({
    ...{ source: "PUBLISHED", pooling: { country: "KR", isSharing: true, result: "TOO_FEW_VENDORS" } },
  });
});

describe("five families that share", () => {
  test("have a model from the next week on, once for two workers, which others of the country use", async () => {
    const before = await decide(other);
    expect(await share(families[4]!.vendor)).toEqual([]);
    await pool();
    expect(await poolings("KR")).toHaveLength(1);
    nextWeek();
    await Promise.all([pool(), createWorker(gateway).runTask("recovery.pool-countries")]);
    const [done, ...earlier] = await poolings("KR");
    expect(earlier).toHaveLength(1);
    expect(done).toMatchObject({ state: "DONE", failure: null, result: "ACTIVATED", families: 5 });
    // Kept with its reason.
    expect((await poolings("JP"))[0]).toMatchObject({ result: "NOT_BETTER", version: expect.any(String), families: 5 });

    const { version } = done!;
    expect(version).not.toBe(published);
    gateway.statements.length = 0;
    const after = await decide(other);
    expect([before.modelVersion, after.modelVersion]).toEqual([published, version]);
    expect(after.effects.filter(({ kind }) => kind === "FALLBACK")).toEqual([]);
    const status = await statusOf(other.vendor);
    expect(status).toMatchObject({
      ...{ source: "COUNTRY", version, reason: "NOT_TRAINED" },
      pooling: { country: "KR", isSharing: false, result: "ACTIVATED", pooledAt: gateway.clock.now().toISOString() },
    });
    expect(status.tries! % 100).toBe(0);
    expect(status.explanation).toContain("The model of the vendor's country chooses times under SMART");
    const child = await gateway.openVendor({ parentId: other.vendor.id, country: "US" });
    expect(await statusOf(child)).toMatchObject({ source: "COUNTRY", version });
    expect(await statusOf(await gateway.openVendor({ country: "JP" }))).toMatchObject({ source: "PUBLISHED" });
    expect((await decide(await openShop({ country: "US" }))).modelVersion).toBe(published);

    const replays = await gateway.queryRawData(
      `{ a: replayDecision(id: ${before.databaseId}) { isReproduced } b: replayDecision(id: ${after.databaseId}) { isReproduced } }`,
      {},
      other.vendor,
    );
    expect(replays).toEqual({ a: { isReproduced: true }, b: { isReproduced: true } });
  });

  test("leave no trace of a vendor that does not share, nor of a sandbox or a disabled one", async () => {
    await record(other, 40, (at) => !isAfternoon(at));
    for (const values of ["sandbox = true", "enabled = false"]) {
      const shop = await openShop();
      await record(shop, 40, () => false);
      await share(shop.vendor);
      await queryRows(gateway, `update vendors set ${values} where id = ${shop.vendor.id}`);
    }
    const { candidate } = await poolNow();
    expect(candidate && modelVersionOf(candidate)).toBe((await poolings("KR"))[0]!.version);
    await queryRows(gateway, "update vendors set enabled = true");
    expect(await sharingFamilies.all()).toHaveLength(6);
    await queryRows(gateway, "update vendors set enabled = false where id in (select max(id) from vendors)");
  });

  test("share with their children, who cannot decide that", async () => {
    const child = await gateway.openVendor({ parentId: families[0]!.vendor.id });
    expect([await share(child), await share(child, false)]).toEqual([["MODEL_OF_PARENT"], []]);
    await record({ vendor: child, fixture: await createCoverFixture(gateway, {}, child) }, 20, isAfternoon);
    const { familyIds, tries } = await poolNow();
    expect(familyIds).toEqual(families.map(({ vendor }) => vendor.id));
    expect(tries).toBeGreaterThan((await poolings("KR"))[0]!.tries);
  });
});

test("a policy cannot name a country's model, and the prior of an own training is that model", async () => {
  const version = (await poolings("KR"))[0]!.version!;
  const terms = { ...smart, model: version };
  const refused = await gateway.sendRawGraphQL(
    "mutation ($input: ProposeRecoveryPolicyInput!) { proposeRecoveryPolicy(input: $input) { policy { id } } }",
    { input: { terms } },
    other.vendor,
  );
  expect(refused.errors?.map(({ extensions }) => extensions["code"])).toEqual(["MODEL_NOT_FOUND"]);

  await gateway.queryRawData("mutation { trainRecoveryModel { training { id } } }", {}, other.vendor);
  await worker.runTask("recovery.train-model");
  const { recoveryTrainings } = await gateway.queryRawData(
    "{ recoveryTrainings(first: 1) { nodes { result model { version priorVersion } } } }",
    {},
    other.vendor,
  );
  const [training] = recoveryTrainings.nodes;
  expect(training).toMatchObject({ result: "ACTIVATED", model: { priorVersion: version } });
  expect((await decide(other)).modelVersion).toBe(training.model.version);
});

test("a country's model that cannot be read falls back to the published one", async () => {
  const shop = await openShop();
  const cut = "0123456789abcdef";
  await queryRows(
    gateway,
    `insert into shared_recovery_models (version, scope, country, features, tries, made_at, model)
      values ('${cut}', 'COUNTRY', 'KR', 'none', 0, now(), '{}');
    insert into recovery_poolings (country, state, requested_at, finished_at, result, version)
      values ('KR', 'DONE', '2020-01-01', '2020-01-01', 'ACTIVATED', '${cut}')`,
  );
  const { modelVersion, effects } = await decide(shop);
  expect(modelVersion).toBe(published);
  expect(effects).toContainEqual({ kind: "FALLBACK", by: "PUBLISHED", fallbackReason: "MISSING" });
  expect(await statusOf(shop.vendor)).toMatchObject({ source: "PUBLISHED", reason: "MISSING" });
  await queryRows(gateway, `delete from recovery_poolings where version = '${cut}'`);
});

describe("a pooling whose worker", () => {
  const inServices = <T>(
    at: Date,
    work: (services: ReturnType<typeof createServices>["recoveryPoolings"]) => Promise<T>,
  ) => gateway.database.transaction((handle) => work(createServices(handle, at).recoveryPoolings));

  test("dies is taken over after its lease, and what the first one still reports is dropped", async () => {
    nextWeek();
    const now = gateway.clock.now();
    await inServices(now, (service) => service.requestWeekly());
    const first = await inServices(now, (service) => service.claim());
    expect(first!.pooling).toMatchObject({ state: "RUNNING", runs: 1 });
    await queryRows(gateway, `delete from recovery_poolings where state = 'REQUESTED'`);
    expect(await inServices(later(MINUTE), (service) => service.claim())).toBeUndefined();
    const second = await inServices(later(3 * MINUTE), (service) => service.claim());
    expect(second!.pooling).toMatchObject({ id: first!.pooling.id, runs: 2 });
    const nothing = { result: "TOO_FEW_VENDORS" as const, familyIds: [], tries: 0, evaluation: null, candidate: null };
    await inServices(now, (service) => service.finish(first!.pooling, nothing));
    const { country } = first!.pooling;
    expect((await poolings(country))[0]).toMatchObject({ state: "RUNNING" });

    const third = await inServices(later(6 * MINUTE), (service) => service.claim());
    expect(third!.pooling.runs).toBe(3);
    expect(await inServices(later(9 * MINUTE), (service) => service.claim())).toBeUndefined();
    expect((await poolings(country))[0]).toMatchObject({
      ...{ state: "FAILED", failure: "The pooling ended 3 workers." },
    });
  });

  test("finds that a family has stopped sharing meanwhile pools anew without it", async () => {
    nextWeek();
    await inServices(gateway.clock.now(), (service) => service.requestWeekly());
    const claimed = await inServices(gateway.clock.now(), (service) => service.claim());
    const familyIds = families.map(({ vendor }) => vendor.id);
    const report = { result: "NOT_BETTER" as const, familyIds, tries: 0, evaluation: null, candidate: null };
    expect(await share(families[0]!.vendor, false)).toEqual([]);
    await inServices(gateway.clock.now(), (service) => service.finish(claimed!.pooling, report));
    expect((await poolings(claimed!.pooling.country))[0]).toMatchObject({ state: "REQUESTED" });
  });
});

test("with fewer than five families left, the country's model ends, and its decisions are still replayed", async () => {
  const shop = await openShop();
  const decision = await decide(shop);
  expect(decision.modelVersion).not.toBe(published);
  await pool();
  expect((await poolings("KR"))[0]).toMatchObject({ result: "TOO_FEW_VENDORS", version: null, families: 4 });
  expect(await statusOf(shop.vendor)).toMatchObject({ source: "PUBLISHED", version: published, reason: "NOT_TRAINED" });
  expect((await decide(shop)).modelVersion).toBe(published);
  const { replayDecision } = await gateway.queryRawData(
    `{ replayDecision(id: ${decision.databaseId}) { isReproduced } }`,
    {},
    shop.vendor,
  );
  expect(replayDecision).toEqual({ isReproduced: true });
  expect(modelVersionOf(publishedPrior())).toBe(published);
});
