import { beforeEach, describe, expect, test } from "vitest";
import {
  createCoverFixture,
  createCoverOrder,
  errorSummaries,
  minimalInputs,
  runMutation,
  sendMutation,
} from "../../support/cover-mutations.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import type { CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import { queryRows } from "../../hostile/query-rows.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const daysLater = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString();

let shop: CoverFixture;
let own: RequestOptions;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  own = { token: (await gateway.openVendor({ zoneId: "UTC" })).token };
  shop = await createCoverFixture(gateway, {}, own);
});

const EVEN = { plan: { kind: "EVEN", maxRetries: 4, windowInDays: 28 } };
const LADDER = { plan: { kind: "LADDER", offsetsInDays: [2, 4] } };

async function propose(terms: object = EVEN, options = own): Promise<number> {
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, options);
  return policy.databaseId;
}

async function start(input: object = {}, options = own): Promise<number> {
  const arms = "arms" in input ? input.arms : [{ policyId: await propose(EVEN, options), share: "0.95" }];
  const { experiment } = await runMutation(gateway, "startRecoveryExperiment", { ...input, arms }, undefined, options);
  return experiment.databaseId;
}

const COVER =
  "cover { databaseId retryDate state policy { version } experimentArm { number isHoldout experiment { databaseId } } }";

const coverOf = async (orderId: number, options = own) =>
  (await gateway.queryData(`query ($id: ID!) { coverOrder(id: $id) { ${COVER} } }`, { id: orderId }, options))
    .coverOrder!.cover!;

/** A failed payment of a new payer. */
async function fail(rest: object = {}, options = own, at = shop) {
  const payer = await runMutation(gateway, "registerCoverCustomer", minimalInputs.customer(), undefined, options);
  return failAgain(payer.customer.databaseId, rest, options, at);
}

async function failAgain(customerId: number, rest: object = {}, options = own, at = shop) {
  const order = {
    customerId,
    subscriptionId: undefined,
    paymentFailed: true,
    errorCode: "51",
    amount: "1000",
    ...rest,
  };
  const { databaseId } = await createCoverOrder(gateway, at, order, options);
  return { orderId: databaseId, customerId, ...(await coverOf(databaseId, options)) };
}

type Failed = Awaited<ReturnType<typeof fail>>;

const TALLY = "payers cases amount recovered recoveredAmount lost lostAmount open attemptsPerCase daysToRecovery";
const read = async (id: number, options = own) =>
  (
    await gateway.queryData(
      `query ($id: ID!) { recoveryExperiment(id: $id) { name state comparedAfterDays startedAt stoppedAt sampleRatio { isPlausible pValue }
        arms { number share policy { databaseId } terms { version plan { kind offsetsInDays } } results { ${TALLY} } comparedResults { ${TALLY} }
          recoveryRateDifference { value lower upper result } recoveryRateByAmountDifference { value lower upper result } } } }`,
      { id },
      options,
    )
  ).recoveryExperiment!;

const refused = async (name: "startRecoveryExperiment" | "promoteRecoveryExperimentArm", input: object) =>
  errorSummaries(await sendMutation(gateway, name, input, undefined, own));

describe("an experiment", () => {
  test("puts each payer into one arm, whose policy runs all covers of the payer", async () => {
    const policyId = await propose();
    const id = await start({ arms: [{ policyId, share: "0.5" }], holdout: { share: "0.5" } });
    const covers: Failed[] = [];
    const reached = () => new Set(covers.map(({ experimentArm }) => experimentArm!.number));
    // Each payer is drawn: of two thousand dozens, one is in one arm only.
    while (covers.length < 12 || (reached().size < 2 && covers.length < 100)) covers.push(await fail());
    expect(reached()).toEqual(new Set([0, 1]));
    for (const { customerId, experimentArm, policy, retryDate } of covers) {
      const isHoldout = experimentArm!.number === 0;
      expect(experimentArm).toEqual({ number: isHoldout ? 0 : 1, isHoldout, experiment: { databaseId: id } });
      expect(policy.version).toBe(isHoldout ? "ladder-1-3-5-10-14" : `policy-${policyId}`);
      expect(retryDate).toBe(daysLater(isHoldout ? 1 : 7));
      expect((await failAgain(customerId)).experimentArm).toEqual(experimentArm);
    }
    const { arms, ...experiment } = await read(id);
    expect(experiment).toEqual({
      ...{ name: null, state: "RUNNING", startedAt: NOW, stoppedAt: null, comparedAfterDays: 31 },
      sampleRatio: { isPlausible: true, pValue: expect.any(Number) },
    });
    expect(arms.map((arm) => [arm.share, arm.policy?.databaseId, arm.results.payers, arm.results.cases])).toEqual(
      [0, 1].map((number) => {
        const payers = covers.filter(({ experimentArm }) => experimentArm!.number === number).length;
        return ["0.5", number === 0 ? undefined : policyId, payers, 2 * payers];
      }),
    );
  });

  test("counts cases as they start and end, and compares them only when they are old", async () => {
    const id = await start({ holdout: { terms: LADDER } });
    let treated: Failed;
    do treated = await fail();
    while (treated.experimentArm!.isHoldout);
    const before = (await read(id)).arms[1]!.results;
    const second = await failAgain(treated.customerId, { amount: "500" });
    // A stolen card is no case, whatever the arm.
    expect(await failAgain(treated.customerId, { errorCode: "41" })).toMatchObject({ state: "STOPPED" });
    gateway.clock.setTo(daysLater(9));
    await runMutation(gateway, "reportCoverOrderPaid", { orderId: treated.orderId }, undefined, own);
    await runMutation(gateway, "cancelCoverOrder", { orderId: second.orderId }, undefined, own);
    const after = {
      ...before,
      ...{
        cases: before.cases + 1,
        amount: String(Number(before.amount) + 500),
        open: before.open - 1,
      },
      ...{ recovered: 1, recoveredAmount: "1000", lost: 1, lostAmount: "500", daysToRecovery: 9 },
      attemptsPerCase: 0.5,
    };
    const young = (await read(id)).arms[1]!;
    expect(young.results).toEqual(after);
    expect(young.comparedResults).toMatchObject({ cases: 0, amount: "0", attemptsPerCase: null });
    gateway.clock.setTo(daysLater(31));
    expect((await read(id)).arms[1]!.comparedResults).toEqual(after);
    const [counted] = await queryRows<Record<string, unknown>>(
      gateway,
      `select sum(cases_squared)::integer as cases, sum(cases_recovered)::integer as products, sum(recovered_squared)::integer as recovered,
        sum(amount_squared)::integer as amounts, sum(recovered_amount_squared)::integer as paid, sum(amount_recovered_amount)::integer as both
        from recovery_experiment_counts where experiment_id = ${id} and arm = 1`,
    );
    // Of one payer with cases of 1,000 and 500, the first of them recovered, and others with one case each.
    const others = before.cases - 1;
    expect(counted).toEqual({
      ...{ cases: 4 + others, products: 2, recovered: 1 },
      ...{ amounts: 1_500 ** 2 + others * 1_000 ** 2, paid: 1_000 ** 2, both: 1_500 * 1_000 },
    });
  });

  test("ends at once for new covers, and for those in progress if that is requested", async () => {
    const id = await start();
    let cover: Failed;
    do {
      shop = await createCoverFixture(gateway, {}, own);
      cover = await failAgain(shop.customerId, { subscriptionId: shop.subscriptionId });
    } while (cover.experimentArm!.isHoldout);
    const stop = (rest: object = {}) =>
      runMutation(gateway, "stopRecoveryExperiment", { experimentId: id, ...rest }, undefined, own);
    const stopped = {
      experiment: { databaseId: id, state: "STOPPED", coversInProgress: "KEEP_POLICY", promotedArm: null },
    };
    expect(await stop()).toEqual(stopped);
    expect(await stop({ coversInProgress: "KEEP_POLICY" })).toEqual(stopped);
    expect(await fail()).toMatchObject({ experimentArm: null, policy: { version: "ladder-1-3-5-10-14" } });
    const report = () => coverOf(cover.orderId);
    expect(await report()).toMatchObject({ policy: cover.policy });
    expect((await stop({ coversInProgress: "USE_ACTIVE_POLICY" })).experiment.coversInProgress).toBe(
      "USE_ACTIVE_POLICY",
    );
    // The date that was returned stays; the next decision is made by the active policy.
    expect(await report()).toMatchObject({ policy: cover.policy, retryDate: daysLater(7) });
    gateway.clock.setTo(daysLater(7));
    await failOrder(cover.orderId);
    expect(await report()).toMatchObject({
      policy: { version: "ladder-1-3-5-10-14" },
      experimentArm: cover.experimentArm,
      retryDate: daysLater(10),
    });
    const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms: LADDER }, undefined, own);
    await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, own);
    gateway.clock.setTo(daysLater(10));
    await failOrder(cover.orderId);
    expect(await report()).toMatchObject({ policy: { version: "ladder-1-3-5-10-14" }, retryDate: daysLater(14) });
  });

  test("is decided by promoting an arm, once", async () => {
    const policyId = await propose();
    const id = await start({ arms: [{ policyId, share: "0.95" }] });
    const promote = (arm: number) =>
      runMutation(gateway, "promoteRecoveryExperimentArm", { experimentId: id, arm }, undefined, own);
    for (const arm of [0, 2, -1])
      expect(await refused("promoteRecoveryExperimentArm", { experimentId: id, arm })).toEqual([
        "INVALID_ARGUMENT: input.arm INVALID_VALUE",
      ]);
    const promoted = { databaseId: id, state: "STOPPED", coversInProgress: "KEEP_POLICY", promotedArm: 1 };
    expect(await promote(1)).toEqual({ experiment: promoted });
    expect(await promote(1)).toEqual({ experiment: promoted });
    expect(await refused("promoteRecoveryExperimentArm", { experimentId: id, arm: 2 })).toEqual(["EXPERIMENT_STOPPED"]);
    expect(await fail()).toMatchObject({ experimentArm: null, policy: { version: `policy-${policyId}` } });
  });

  test("includes children without own policies, if it says so", async () => {
    const child = { token: (await createTestChild(gateway, { zoneId: "UTC" }, own)).token };
    const childShop = await createCoverFixture(gateway, {}, child);
    const IN_FORCE = "{ recoveryPolicy { origin isReplacedByExperiment } }";
    const policyId = await propose();
    const arms = [{ policyId, share: "0.95" }];
    const id = await start({ arms });
    const { experimentArm, policy } = await fail({}, child, childShop);
    expect(experimentArm).toMatchObject({ isHoldout: experimentArm!.number === 0, experiment: null });
    expect(policy.version).toBe(experimentArm!.isHoldout ? "ladder-1-3-5-10-14" : `policy-${policyId}`);
    expect((await read(id)).arms[experimentArm!.number]!.results.cases).toBe(1);
    expect(await gateway.queryRawData(IN_FORCE, {}, child)).toEqual({
      recoveryPolicy: { origin: "DEFAULT", isReplacedByExperiment: true },
    });
    const ownPolicy = await propose(LADDER, child);
    await runMutation(gateway, "activateRecoveryPolicy", { policyId: ownPolicy }, undefined, child);
    expect(await fail({}, child, childShop)).toMatchObject({ experimentArm: null });
    await runMutation(gateway, "retireRecoveryPolicy", { policyId: ownPolicy }, undefined, child);
    await runMutation(gateway, "stopRecoveryExperiment", { experimentId: id }, undefined, own);
    await start({ arms, includeChildren: false });
    expect(await fail({}, child, childShop)).toMatchObject({ experimentArm: null });
    expect(await gateway.queryRawData(IN_FORCE, {}, child)).toMatchObject({
      recoveryPolicy: { isReplacedByExperiment: false },
    });
  });

  test("is refused with what is wrong about it", async () => {
    const policyId = await propose();
    const foreign = await propose(EVEN, { token: (await gateway.openVendor()).token });
    const arm = (share: string, id = policyId) => ({ policyId: id, share });
    const start = (input: object) => refused("startRecoveryExperiment", input);
    expect(await start({ arms: [] })).toEqual(["INVALID_ARGUMENT: input.arms INVALID_VALUE"]);
    expect(await start({ arms: [arm("0.9")] })).toEqual(["INVALID_ARGUMENT: input.arms INVALID_VALUE"]);
    expect(await start({ arms: [arm("0.475"), arm("0.475")] })).toEqual(["INVALID_ARGUMENT: input.arms INVALID_VALUE"]);
    expect(await start({ arms: [arm("0.12345")] })).toEqual(["INVALID_ARGUMENT: input.arms[0].share INVALID_VALUE"]);
    expect(await start({ arms: [arm("0.95", foreign)] })).toEqual([
      "POLICY_NOT_FOUND: input.arms[0].policyId NOT_FOUND",
    ]);
    const holdout = { terms: { plan: { kind: "SMART", maxRetries: 4, windowInDays: 28 } } };
    expect(await start({ arms: [arm("0.95")], holdout })).toEqual([
      "INVALID_ARGUMENT: input.holdout.terms INVALID_VALUE",
    ]);
    expect(await start({ arms: [arm("0.95")] })).toEqual([]);
    expect(await start({ arms: [arm("0.95")] })).toEqual(["EXPERIMENT_RUNNING"]);
  });
});

describe("the effect of a policy", () => {
  const EFFECT =
    "policyEffect { experiment { databaseId } cases amount recovered { value lower upper } recoveredAmount { value lower upper } reason }";
  const effect = async () =>
    (await gateway.queryData(`{ recoveryAnalytics { total { recovered } ${EFFECT} } }`, {}, own)).recoveryAnalytics
      .policyEffect;
  const unknown = { cases: 0, amount: "0", recovered: null, recoveredAmount: null };

  test("is unknown without an experiment, and with too few payers", async () => {
    await fail();
    expect(await effect()).toEqual({ ...unknown, experiment: null, reason: "NO_EXPERIMENT" });
    const id = await start();
    expect(await effect()).toMatchObject({ reason: "NO_EXPERIMENT" });
    await fail();
    expect(await effect()).toEqual({ ...unknown, experiment: { databaseId: id }, reason: "TOO_FEW_PAYERS" });
  });

  test("is the difference to the holdout times the covers of the period, with its bounds", async () => {
    const id = await start();
    await fail();
    gateway.clock.setTo(daysLater(31));
    const [{ vendor } = { vendor: 0 }] = await queryRows<{ vendor: string }>(
      gateway,
      `delete from recovery_experiment_counts where experiment_id = ${id} returning vendor_id as vendor`,
    );
    // Payers with one case of 100 each.
    const add = (arm: number, payers: number, recovered: number) =>
      queryRows(
        gateway,
        `insert into recovery_experiment_counts (vendor_id, experiment_id, day, arm, shard, payers, cases, amount, recovered, recovered_amount,
          cases_squared, recovered_squared, cases_recovered, amount_squared, recovered_amount_squared, amount_recovered_amount)
          values (${vendor}, ${id}, '2026-03-01', ${arm}, 0, ${payers}, ${payers}, ${100 * payers}, ${recovered}, ${100 * recovered},
            ${payers}, ${recovered}, ${recovered}, ${1e4 * payers}, ${1e4 * recovered}, ${1e4 * recovered})`,
      );
    await add(0, 500, 250);
    await add(1, 9_500, 6_650);
    const [, arm] = (await read(id)).arms;
    expect(arm!.recoveryRateDifference).toMatchObject({ value: 0.2, result: "BETTER" });
    const { lower, upper } = arm!.recoveryRateDifference!;
    expect([lower, upper]).toEqual([expect.closeTo(0.125, 3), expect.closeTo(0.275, 3)]);
    const { recovered, recoveredAmount, ...rest } = await effect();
    expect(rest).toEqual({ experiment: { databaseId: id }, cases: 9_500, amount: "950000", reason: null });
    expect(recovered!.value).toBe(1_900);
    expect([recovered!.lower, recovered!.upper]).toEqual([
      expect.closeTo(9_500 * lower, 1),
      expect.closeTo(9_500 * upper, 1),
    ]);
    expect(recoveredAmount!.value).toBe("190000");
    expect(Number(recoveredAmount!.lower)).toBeCloseTo(100 * recovered!.lower, -1);
    // Twice as many payers were held out as their share allows.
    await queryRows(
      gateway,
      `update recovery_experiment_counts set payers = 1000 where experiment_id = ${id} and arm = 0`,
    );
    expect((await read(id)).sampleRatio).toEqual({ isPlausible: false, pValue: expect.any(Number) });
  });
});

/** Reports a failed retry. */
const failOrder = (orderId: number) =>
  runMutation(
    gateway,
    "startRecovery",
    { orderId, subscriptionId: shop.subscriptionId, errorCode: "51" },
    undefined,
    own,
  );
