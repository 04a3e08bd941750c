import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { publishedPrior, publishedPriorFile } from "../../../src/recovery/models/published-prior.ts";
import { learnFromHistory, learnPrior, PRIOR_SEED } from "../../../src/recovery/simulation/learned-model.ts";
import { findWorldFiles, loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { simulateWorld } from "../../../src/recovery/simulation/simulate-world.ts";
import type { World } from "../../../src/recovery/simulation/world.ts";
import { isLong } from "../../support/test-form.ts";

const worlds = await Promise.all((await findWorldFiles("test/worlds", [projectFile(".")])).map(loadWorld));
const named = (name: string): World => worlds.find((world) => world.name === name)!;
const korea = named("salary days, Korea");
const prior = publishedPrior();

const recovered = (world: World, policy: string, history: number, by = prior): number => {
  const training = { worlds: [], prior: by, priorWorlds: [] };
  const { outcome } = simulateWorld(world, policy, { cases: 400, seed: 4, history }, training);
  expect(outcome.firstBreach).toBeNull();
  return [...outcome.days].filter((days) => !Number.isNaN(days)).length;
};

test("the published prior is of all worlds here", () => {
  expect(prior.worlds.toSorted()).toEqual(worlds.map(({ name }) => name).toSorted());
});

test("a prior is the same from the same worlds and seed, and another from other ones", () => {
  const few = [korea, named("velocity limits")];
  const one = learnPrior(few, 3, 200);
  expect(learnPrior(few, 3, 200)).toEqual(one);
  expect(learnPrior(few, 4, 200)).not.toEqual(one);
  expect(one).toMatchObject({ tries: 400, worlds: few.map(({ name }) => name) });
}, 60_000);

test.runIf(isLong)("the shipped prior is what its command makes", () => {
  expect(`${JSON.stringify(learnPrior(worlds, PRIOR_SEED))}\n`).toBe(readFileSync(publishedPriorFile, "utf8"));
});

test("with the prior alone, SMART recovers more of the payments that wait for a payday than EVEN", () => {
  expect(recovered(korea, "SMART-4", 0)).toBeGreaterThan(recovered(korea, "EVEN-4", 0));
});

test("SMART recovers more with what it has learned in a world that its prior does not know", () => {
  const [limits, other] = [named("velocity limits"), learnPrior([korea], 3, 1000)];
  expect(recovered(limits, "SMART-4", 2000, other)).toBeGreaterThan(recovered(limits, "SMART-4", 0, other) + 12);
}, 120_000);

test("the same history teaches the same, and an unknown policy none", () => {
  const learn = (policy: string) => learnFromHistory([korea], policy, prior, 200, 5);
  expect(learn("SMART-8").version).toBe(learn("SMART-8").version);
  expect(() => learn("NEVER-8")).toThrow("There is no policy NEVER-8.");
}, 60_000);
