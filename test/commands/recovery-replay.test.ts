import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { modelVersionOf, type StoredModel } from "../../src/recovery/engine/model/stored-model.ts";
import { publishedPrior } from "../../src/recovery/models/published-prior.ts";
import { activateModel } from "../support/active-models.ts";
import { buildOnce } from "../support/build-once.ts";
import { inForm, isLong } from "../support/test-form.ts";
import { generateDecisions } from "../support/random-recoveries.ts";
import { startGateway, type TestVendor } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";
import { adminSession } from "../faults/harness/fault-databases.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { commandsOn, faultsOf, recordOf, recoveryReplayBy } from "./command-line.ts";
import { NOBODY } from "./command-gateway.ts";

/* The long form takes an hour at most. */
const DECISIONS = Number(process.env["DECISIONS"] ?? inForm(150, 2_000));
/** Decisions by models of the vendors' own. */
const LEARNED = Number(process.env["LEARNED_DECISIONS"] ?? inForm(100, 10_000));
/** Another version of Node, which replays what this one decided. */
const OTHER_NODE = process.env["OTHER_NODE"];

const gateway = await startGateway({ now: "2026-02-20T09:30:00.000Z" });
const sql = adminSession(gateway.databaseUrl);
const settings = { DATABASE_URL: gateway.databaseUrl };
const limitMs = 45_000 + (DECISIONS + LEARNED) * 50;
const { recoveryReplay } = commandsOn(settings, limitMs);
beforeAll(buildOnce, 240_000);

const change = (statement: string) => queryRows(gateway, statement);
const uuidOf = async (vendorId: number) =>
  (await queryRows<{ uuid: string }>(gateway, `select uuid from vendors where id = ${vendorId}`))[0]!.uuid;

/** Runs a replay. @returns also the states in which its connection was found while pages of decisions were computed. */
async function watchConnection<Result>(replay: Promise<Result>): Promise<{ result: Result; states: Set<string> }> {
  const states = new Set<string>();
  const run = { hasEnded: false };
  const ended = replay.finally(() => {
    run.hasEnded = true;
  });
  while (!run.hasEnded) {
    const found = await sql<{ state: string }[]>`select state from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and state like 'idle%' and query like 'select %from "cover_decisions"%'`;
    for (const { state } of found) states.add(state);
    await setTimeout(2);
  }
  return { result: await ended, states };
}

/** Trains a vendor's model as a worker does; without the results for that, makes one active that prefers other hours. */
const worker = createWorker(gateway);
let trainings = 0;
async function train(vendor: TestVendor): Promise<void> {
  trainings++;
  if (!isLong) return activateAnother(vendor);
  await gateway.queryRawData("mutation { trainRecoveryModel { training { id } } }", {}, vendor);
  await worker.runTask("recovery.train-model");
  const { recoveryTrainings } = await gateway.queryRawData(
    "{ recoveryTrainings(first: 1) { nodes { state result tries } } }",
    {},
    vendor,
  );
  expect(recoveryTrainings.nodes).toMatchObject([{ state: "DONE", result: "ACTIVATED" }]);
}
async function activateAnother({ id }: TestVendor): Promise<void> {
  const prior = publishedPrior();
  const weights = prior.weights.map((weight, cell) => weight + 0.4 * Math.sin(cell * trainings));
  const { classTries = {} } = prior;
  const model: StoredModel = { ...prior, tries: 3_000, weights, variances: weights.map(() => 0.01), classTries };
  await activateModel(gateway, id, model);
  expect((await createRepositories(gateway.database.handle).recoveryModels.standing(id)).own).toBe(
    modelVersionOf(model),
  );
}

test(
  `${DECISIONS} stored decisions, and ${LEARNED} of learned models, are reproduced, and falsified ones are found`,
  async () => {
    const { vendors, learning } = await generateDecisions(gateway, {
      ...{ decisions: DECISIONS, learned: LEARNED, history: inForm(0, 1_500), train },
    });
    const [first, second] = vendors;
    const [seen] = await queryRows<Record<"decisions" | "classes" | "ends" | "rules" | "policies", number>>(
      gateway,
      `select count(*)::int as decisions, count(distinct reason_class)::int as classes, count(distinct end_reason)::int as ends,
        count(distinct floor_row)::int as rules, count(distinct policy_version)::int as policies from cover_decisions`,
    );
    // Decisions that are all alike would prove little.
    expect(seen).toMatchObject({ policies: 6 });
    expect(seen!.classes).toBeGreaterThanOrEqual(9);
    expect(seen!.ends).toBeGreaterThanOrEqual(6);
    // Few of 250 decisions are bound by a rule; which ones is chance.
    expect(seen!.rules).toBeGreaterThanOrEqual(inForm(2, 5));
    const [own] = await queryRows<Record<"decisions" | "models" | "chosen" | "explored", number>>(
      gateway,
      `select count(*)::int as decisions, count(distinct m.version)::int as models,
        (count(*) filter (where d.outcome #>> '{choice,even}' <> d.outcome ->> 'retryAt'))::int as chosen,
        (count(*) filter (where d.outcome #>> '{choice,explored}' = 'true'))::int as explored
        from cover_decisions d join recovery_models m on m.vendor_id = d.vendor_id and m.version = d.outcome ->> 'modelVersion'`,
    );
    expect(own!.decisions).toBeGreaterThanOrEqual(0.9 * LEARNED);
    expect(own!.models).toBe(2 * learning.length);
    expect(Math.min(own!.chosen, own!.explored)).toBeGreaterThan(LEARNED / 20);

    const { result: all, states } = await watchConnection(recoveryReplay());
    // PostgreSQL closes a connection whose transaction is idle while a busy machine computes.
    expect([...states]).toEqual(["idle"]);
    expect(all).toMatchObject({ code: 0, err: "" });
    const count = String(seen!.decisions);
    const reproduced = { decisions: count, equal: count, different: "0", notReplayable: "0" };
    expect(recordOf(all)).toEqual(reproduced);
    if (OTHER_NODE) expect(recordOf(await recoveryReplayBy(OTHER_NODE, settings, limitMs)())).toEqual(reproduced);

    const ofOne = JSON.parse((await recoveryReplay("--vendor", await uuidOf(first!.id), "--json")).out);
    expect(ofOne).toMatchObject({ different: 0, notReplayable: 0, deviations: [] });
    expect(ofOne.decisions).toBeGreaterThan(DECISIONS / 10);
    expect(ofOne.decisions).toBeLessThan(DECISIONS);

    const some = await queryRows<{ id: number }>(
      gateway,
      `select id from cover_decisions where vendor_id = ${second!.id} and retry_at is not null and budget_limit = 8 order by id limit 5`,
    );
    const [outcome, column, inputs, policy, older] = some.map(({ id }) => id);
    const spoil = (id: number | undefined, set: string) =>
      change(`update cover_decisions set ${set} where id = ${String(id)}`);
    await spoil(outcome, `outcome = jsonb_set(outcome, '{retryAt}', '"2026-03-09T00:00:00.000Z"')`);
    await spoil(column, `retry_at = retry_at + interval '1 hour', budget_used = budget_used + 1`);
    await spoil(inputs, `inputs = inputs #- '{case,zone}'`);
    await spoil(policy, `inputs = jsonb_set(inputs, '{policy,plan,tries}', '7')`);
    await spoil(older, `inputs = jsonb_set(inputs, '{rulebookVersion}', '"2001-01-01"')`);

    const spoilt = await recoveryReplay();
    expect(spoilt.code).toBe(1);
    const lines = spoilt.out.trimEnd().split("\n");
    expect(lines.slice(0, 4)).toEqual([
      `decisions: ${seen!.decisions}`,
      `equal: ${seen!.decisions - 5}`,
      "different: 4",
      "notReplayable: 1",
    ]);
    const rows = lines.slice(4).map((line) => line.split("\t"));
    expect(rows.map(([, decision, , , differs]) => [decision, differs])).toEqual([
      ["decision", "differs"],
      [String(outcome), "retryAt"],
      [String(column), "retryAt budgetUsed"],
      [String(inputs), "inputs"],
      [String(policy), expect.stringContaining("budget")],
    ]);
    expect((await recoveryReplay("--vendor", await uuidOf(first!.id))).code).toBe(0);
  },
  60_000 + (DECISIONS + LEARNED) * 400,
);

test("no decision is no difference, and an unknown vendor is reported", async () => {
  const { id } = await gateway.openVendor();
  expect(recordOf(await recoveryReplay("--vendor", await uuidOf(id)))).toMatchObject({ decisions: "0", equal: "0" });
  const nobody = await recoveryReplay("--vendor", NOBODY);
  expect(nobody.code).toBe(2);
  expect(faultsOf(nobody)).toEqual(["--vendor: there is no vendor with this uuid."]);
  expect(faultsOf(await recoveryReplay("--vendor", "me"))).toEqual(["--vendor must be the uuid of a vendor."]);
});
