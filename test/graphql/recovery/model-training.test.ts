import { beforeAll, describe, expect, test } from "vitest";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { createServices } from "../../../src/graphql/services.ts";
import { modelVersionOf } from "../../../src/recovery/engine/model/stored-model.ts";
import { publishedModel } from "../../../src/recovery/models/published-prior.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { buildOnce } from "../../support/build-once.ts";
import { recordCopiedCases } from "../../support/copied-cases.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../../support/cover-mutations.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { MINUTE } from "../../support/test-clock.ts";
import { createWorker } from "../../support/test-worker.ts";

/* Training as a job: what a vendor's retries say becomes the model that its decisions are made by. */

const NOW = "2026-03-02T00:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const worker = createWorker(gateway);
const smart = { plan: { kind: "SMART", maxRetries: 8, windowInDays: 28 }, exploration: { share: 1 } };

let vendor: TestVendor;
let shop: CoverFixture;
beforeAll(async () => {
  await buildOnce();
  vendor = await gateway.openVendor();
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms: smart }, undefined, vendor);
  await runMutation(gateway, "activateRecoveryPolicy", { policyId: String(policy.databaseId) }, undefined, vendor);
  shop = await createCoverFixture(gateway, {}, vendor);
  const random = new RandomSource(7);
  await recordCopiedCases(gateway, { vendor, fixture: shop }, { count: 120, isApproved, random: () => random.next() });
}, 240_000);

/** The law of the vendor's payers: a retry works in the afternoon, in Seoul, and at no other hour. */
const isApproved = (at: Date): boolean => {
  const hour = (at.getUTCHours() + 9) % 24;
  return hour >= 12 && hour < 18;
};

const TRAINING =
  `databaseId state trigger result tries failure leftOut { unreadable doubled } model { databaseId version }
  evaluation { tries candidate { logLoss calibrationError } active { logLoss } }` as const;
const train = async (of: TestVendor = vendor) =>
  (await gateway.queryData(`mutation { trainRecoveryModel { training { ${TRAINING} } } }`, {}, of)).trainRecoveryModel
    .training;
const trainings = async (of: TestVendor = vendor) =>
  (await gateway.queryData(`{ recoveryTrainings(first: 20) { nodes { ${TRAINING} } } }`, {}, of)).recoveryTrainings
    .nodes;
const lastTraining = async (of: TestVendor = vendor) =>
  (
    await gateway.queryData(
      `{ recoveryModelStatus { lastTraining { state result version tries failure
        evaluation { tries candidate { logLoss calibrationError } active { logLoss } } } } }`,
      {},
      of,
    )
  ).recoveryModelStatus.lastTraining;
const runTrainings = () => worker.runTask("recovery.train-model");

async function decide(of = { vendor, shop }) {
  const order = await createCoverOrder(gateway, of.shop, { paymentFailed: true, errorCode: "51" }, of.vendor);
  const { coverOrder } = await gateway.queryRawData(
    `{ coverOrder(id: ${order.databaseId}) { cover { decision { databaseId modelVersion probability plan { probability } } } } }`,
    {},
    of.vendor,
  );
  return coverOrder.cover.decision as { databaseId: number; modelVersion: string; probability: number };
}
const replay = async (id: number): Promise<boolean> =>
  (await gateway.queryRawData(`{ replayDecision(id: ${id}) { isReproduced } }`, {}, vendor)).replayDecision
    .isReproduced;

describe("a training", () => {
  test("makes a model that knows the vendor's law, which decides from then on and is found by its replays", async () => {
    const before = await decide();
    expect(before.modelVersion).toBe(publishedModel().version);
    const requested = await train();
    expect(requested).toMatchObject({ state: "REQUESTED", trigger: "REQUEST", result: null, model: null });
    expect((await train()).databaseId).toBe(requested.databaseId);
    // Two workers at the same time: one training.
    await Promise.all([runTrainings(), createWorker(gateway).runTask("recovery.train-model")]);
    const [done, ...others] = await trainings();
    expect(others).toEqual([]);
    expect(done).toMatchObject({
      state: "DONE",
      failure: null,
      result: "ACTIVATED",
      leftOut: { unreadable: 0, doubled: 0 },
    });
    expect(done!.tries).toBeGreaterThan(150);
    expect(done!.evaluation!.candidate.logLoss).toBeLessThan(done!.evaluation!.active.logLoss);

    gateway.statements.length = 0;
    const after = await decide();
    expect(after.modelVersion).toBe(done!.model!.version);
    expect(gateway.statements.filter(({ text }) => /from "recovery_models"/.test(text))).toHaveLength(1);
    expect(await lastTraining()).toEqual({
      ...{ state: "DONE", result: "ACTIVATED", version: done!.model!.version, tries: done!.tries, failure: null },
      evaluation: done!.evaluation,
    });
    expect([await replay(before.databaseId), await replay(after.databaseId)]).toEqual([true, true]);

    const { model } = (
      await createRepositories(gateway.database.handle).recoveryModels.contentsOf(vendor.id, [after.modelVersion])
    )[0]!;
    const weights = model["weights"] as number[];
    expect(weights.every(Number.isFinite)).toBe(true);
    expect(weights.some((weight) => Math.abs(weight) > 0.3)).toBe(true);
  });

  test("without new retries leaves the model in force, and so does one with too few", async () => {
    const { model: active } = (await trainings())[0]!;
    await train();
    await runTrainings();
    expect((await trainings())[0]).toMatchObject({ state: "DONE", result: "TOO_FEW_NEW_TRIES", model: null });
    expect((await decide()).modelVersion).toBe(active!.version);
    const other = await gateway.openVendor();
    expect(await lastTraining(other)).toBeNull();
    await train(other);
    await runTrainings();
    expect((await trainings(other))[0]).toMatchObject({ state: "DONE", result: "TOO_FEW_TRIES", tries: 0 });
    expect(await lastTraining(other)).toMatchObject({ result: "TOO_FEW_TRIES", version: null, evaluation: null });
  });

  test("is of the family: a child decides by its parent's model and requests none", async () => {
    const child = await gateway.openVendor({ parentId: vendor.id });
    const decision = await decide({ vendor: child, shop: await createCoverFixture(gateway, {}, child) });
    expect(decision.modelVersion).toBe((await decide()).modelVersion);
    const refused = await gateway.sendRawGraphQL("mutation { trainRecoveryModel { training { id } } }", {}, child);
    expect(refused.errors?.map(({ extensions }) => extensions["code"])).toEqual(["MODEL_OF_PARENT"]);
    const { recoveryModels } = await gateway.queryRawData(
      "{ recoveryModels(first: 9) { nodes { version } } }",
      {},
      child,
    );
    expect(recoveryModels.nodes).toEqual([]);
    expect(await lastTraining(child)).toEqual(await lastTraining());
  });

  test("of a vendor that is fenced: another vendor neither decides by it nor can name it", async () => {
    const { modelVersion } = await decide();
    const other = await gateway.openVendor();
    const { recoveryModels } = createRepositories(gateway.database.handle);
    expect((await recoveryModels.standing(other.id)).own).toBeNull();
    expect(await recoveryModels.contentsOf(other.id, [modelVersion])).toEqual([]);
  });
});

describe("a training whose worker", () => {
  const claim = (at: Date) =>
    gateway.database.transaction((handle) => createServices(handle, at).recoveryTrainings.claim(vendor.id));
  const later = (milliseconds: number) => new Date(gateway.clock.now().getTime() + milliseconds);

  test("dies is taken over after its lease, and what the first one still reports is dropped", async () => {
    await train();
    const first = await claim(later(0));
    expect(await claim(later(MINUTE))).toBeUndefined();
    const second = await claim(later(3 * MINUTE));
    expect(second!.training).toMatchObject({ id: first!.training.id, runs: 2 });
    await gateway.database.transaction((handle) =>
      createServices(handle, later(0)).recoveryTrainings.fail(vendor.id, first!.training, "too late"),
    );
    expect((await trainings())[0]).toMatchObject({ state: "RUNNING", failure: null });
  });

  test("dies again and again is given up", async () => {
    await claim(later(6 * MINUTE));
    expect(await claim(later(9 * MINUTE))).toBeUndefined();
    const failed = { state: "FAILED", failure: "The training ended 3 workers." };
    expect((await trainings())[0]).toMatchObject(failed);
    expect(await lastTraining()).toMatchObject({ ...failed, result: null, evaluation: null });
  });
});

test("after a fallback, a candidate is compared with what decides meanwhile, on retries since the last training", async () => {
  const { recoveryModels } = createRepositories(gateway.database.handle);
  const { model: own } = (await recoveryModels.latestActivation(vendor.id))!;
  const giveUp = (source: string, version: string) =>
    queryRows(
      gateway,
      `insert into recovery_model_trust (vendor_id, source, drift, tested_from, given_up_version, given_up_at, given_up_for)
        values (${vendor.id}, '${source}', '{"counts": {}, "windows": []}', now(), '${version}', now(), 'MISCALIBRATED')`,
    );
  const activeOfClaim = async (after: number) => {
    await train();
    const at = new Date(gateway.clock.now().getTime() + after);
    return gateway.database.transaction(async (handle) => {
      const { recoveryTrainings } = createServices(handle, at);
      const { training, active } = (await recoveryTrainings.claim(vendor.id))!;
      await recoveryTrainings.fail(vendor.id, training, "only claimed");
      return [modelVersionOf(active.model), active.triesUntil, active.isGivenUp ?? false];
    });
  };
  const published = publishedModel().version;
  expect(await activeOfClaim(20 * MINUTE)).toEqual([own.version, own.triesUntil, false]);
  await giveUp("VENDOR", own.version);
  expect(await activeOfClaim(21 * MINUTE)).toEqual([published, own.triesUntil, false]);
  await giveUp("PUBLISHED", published);
  expect(await activeOfClaim(22 * MINUTE)).toEqual([published, own.triesUntil, true]);
  await queryRows(gateway, `delete from recovery_model_trust where vendor_id = ${vendor.id}`);
});

test("a model that is cut or of other features falls back to the published prior, and its decisions are not replayed", async () => {
  const version = "0123456789abcdef";
  await queryRows(
    gateway,
    `with cut as (insert into recovery_models (vendor_id, version, features, prior_version, tries, tries_from, tries_until, made_at, model)
      select vendor_id, '${version}', features, prior_version, tries, tries_from, tries_until, made_at, '{"features": "none"}'
      from recovery_models where vendor_id = ${vendor.id} limit 1 returning vendor_id, id)
    insert into recovery_model_activations (vendor_id, model_id, training_id, activated_at)
    select cut.vendor_id, cut.id, (select max(id) from recovery_trainings where vendor_id = ${vendor.id}), now() from cut`,
  );
  expect((await decide()).modelVersion).toBe(publishedModel().version);
});
