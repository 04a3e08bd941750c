import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { publishedModel, publishedPrior } from "../../src/recovery/models/published-prior.ts";
import { modelVersionOf } from "../../src/recovery/engine/model/stored-model.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { runMutation } from "../support/cover-mutations.ts";
import { NOBODY, startCommands } from "./command-gateway.ts";
import { faultsOf, recordOf } from "./command-line.ts";

const { gateway, recoveryModel, newVendor } = await startCommands();
const folder = await mkdtemp(join(tmpdir(), "recoup-model-"));
afterAll(() => rm(folder, { recursive: true }));
let vendor: string;
let token: string;
beforeAll(async () => {
  ({ vendor, token } = await newVendor());
});

async function fileOf(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}.json`);
  await writeFile(path, text);
  return path;
}
const listed = async () => JSON.parse((await recoveryModel("list", "--vendor", vendor, "--json")).out).models;

test("a model is exported, imported into another vendor as the same version, listed, and named by a policy", async () => {
  const exported = await recoveryModel("export", "--vendor", vendor);
  expect(modelVersionOf(JSON.parse(exported.out))).toBe(publishedModel().version);
  const other = { ...publishedPrior(), tries: 77 };
  const file = await fileOf(JSON.stringify(other));
  const version = modelVersionOf(other);
  expect(recordOf(await recoveryModel("import", "--vendor", vendor, "--file", file))).toEqual({
    ...{ vendor, version, tries: "77" },
  });
  expect((await recoveryModel("import", "--vendor", vendor, "--file", file)).code).toBe(0);
  expect(await listed()).toMatchObject([
    { version, source: "VENDOR", tries: 77, isActive: false },
    { version: publishedModel().version, source: "PUBLISHED", isActive: true },
  ]);
  const again = await recoveryModel("export", "--vendor", vendor, "--version", version);
  expect(JSON.parse(again.out)).toEqual(other);
  const terms = { plan: { kind: "SMART", maxRetries: 4, windowInDays: 28 }, model: version };
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, { token });
  expect(policy.state).toBe("PROPOSED");
});

test("the pooled model of the vendor's country is listed, and exported where it is the active one", async () => {
  const { vendor: ofKenya } = await newVendor("--country", "KE");
  const pooled = { ...publishedPrior(), tries: 900 };
  const version = modelVersionOf(pooled);
  const { database, clock } = gateway;
  await createRepositories(database.handle).recoveryModels.addShared({
    ...{
      version,
      scope: "COUNTRY",
      country: "KE",
      features: pooled.features,
      tries: 900,
      madeAt: clock.now(),
      model: pooled,
    },
  });
  await queryRows(
    gateway,
    `insert into recovery_poolings (country, state, requested_at, finished_at, result, version, families, tries)
      values ('KE', 'DONE', now(), now(), 'ACTIVATED', '${version}', 5, 912)`,
  );
  const { models } = JSON.parse((await recoveryModel("list", "--vendor", ofKenya, "--json")).out);
  expect(models).toMatchObject([
    { version, source: "COUNTRY", tries: 900, isActive: true },
    { version: publishedModel().version, source: "PUBLISHED", isActive: false },
  ]);
  expect(JSON.parse((await recoveryModel("export", "--vendor", ofKenya)).out)).toEqual(pooled);
  const { poolings } = JSON.parse((await recoveryModel("poolings", "--json")).out);
  expect(poolings).toMatchObject([
    { country: "KE", state: "DONE", result: "ACTIVATED", families: 5, tries: 912, version },
  ]);
});

test.each([
  ["is cut", (text: string) => text.slice(0, 5000), "--file: this is not JSON; the file may be cut."],
  [
    "has fewer weights",
    (text: string) => text.replace(/"weights":\[[^,]*,/, '"weights":['),
    "weights must be a list of",
  ],
  ["is of other features", (text: string) => text.replace(publishedPrior().features, "2001-01-01"), "Train it again."],
  ["has a number that is none", (text: string) => text.replace(/"weights":\[[^,]*,/, '"weights":[null,'), "weights[0]"],
  ["has an infinite number", (text: string) => text.replace(/"weights":\[[^,]*,/, '"weights":[1e999,'), "weights[0]"],
  ["has no attempts", (text: string) => text.replace(/"tries":\d+/, '"tries":-1'), "tries must be"],
])("a file that %s is refused", async (_name, spoil, sentence) => {
  const file = await fileOf(spoil(JSON.stringify(publishedPrior())));
  const refused = await recoveryModel("import", "--vendor", vendor, "--file", file);
  expect([refused.code, faultsOf(refused)]).toEqual([2, [expect.stringContaining(sentence)]]);
});

test("wrong arguments are refused", async () => {
  expect(faultsOf(await recoveryModel("import"))).toEqual(["--file is missing.", "--vendor is missing."]);
  expect(faultsOf(await recoveryModel("export", "--vendor", NOBODY))).toEqual([
    "--vendor: there is no vendor with this uuid.",
  ]);
  expect(faultsOf(await recoveryModel("export", "--vendor", vendor, "--version", "none"))).toEqual([
    "--version: the vendor's family has no model of this version.",
  ]);
  const missing = await recoveryModel("import", "--vendor", vendor, "--file", join(folder, "none.json"));
  expect(faultsOf(missing)[0]).toContain("ENOENT");
});
