import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { chartOf } from "../recovery/simulation/chart-svg.ts";
import { policyForms, policyNames, usualPolicies } from "../recovery/simulation/engine-strategies.ts";
import { figuresOf, type WorldFigures } from "../recovery/simulation/world-metrics.ts";
import { jsonOf } from "../recovery/simulation/json-report.ts";
import { textOf } from "../recovery/simulation/text-report.ts";
import { baselineNames, type Size } from "../recovery/simulation/simulate-world.ts";
import { worldFiles } from "../recovery/simulation/load-world.ts";
import { WorldFault } from "../recovery/simulation/world.ts";
import { defineCommand, main, type Command } from "./command.ts";
import { WrongArguments, type Faults } from "./argument-errors.ts";
import { playAll, threads } from "./simulation-threads.ts";

const MOST_CASES = 1_000_000;

const simulation = defineCommand(
  {
    name: "npm run recovery:simulate --",
    description:
      "Plays policies and baselines against worlds of failed payments, and reports what each wins back, how soon, and with how many tries. A world is an ES module; docs/simulation.md tells its shape.",
  },
  {
    world: {
      type: "string",
      valueHint: "files",
      description: "Worlds to report on: files or folders, with commas between them (required)",
    },
    train: {
      type: "string",
      valueHint: "files",
      description: "Worlds to learn from instead of other payments of each world",
    },
    policy: {
      type: "string",
      default: usualPolicies.join(","),
      valueHint: "names",
      description: `Policies beside the baselines: ${policyForms}`,
    },
    cases: { type: "string", default: "10000", valueHint: "number", description: "Failed payments of each world" },
    seed: { type: "string", default: "1", valueHint: "number", description: "The same seed gives the same report" },
    json: { type: "boolean", description: "Print one JSON object" },
    chart: {
      type: "string",
      default: "recovery-simulation.svg",
      valueHint: "file",
      description: "Where the chart is written",
    },
  },
  async ({ world, train, policy, cases, seed, json, chart: given }, faults) => {
    const size = {
      cases: whole(faults, "cases", cases, 1, MOST_CASES),
      seed: whole(faults, "seed", seed, 0, Number.MAX_SAFE_INTEGER),
    };
    const chart = faults.name("chart", given);
    const policies = namesOf(faults, policy);
    const worlds = await filesOf(faults, "world", faults.name("world", world));
    const training = train === undefined ? [] : await filesOf(faults, "train", faults.name("train", train));
    faults.settle();
    const started = performance.now();
    const seen = await report(worlds, [...baselineNames, ...policies], size, training);
    await writeFile(resolve(chart), chartOf(seen));
    const took = `${Math.round((performance.now() - started) / 1000)} seconds on ${threads} threads; chart: ${chart}`;
    if (json) {
      process.stdout.write(`${JSON.stringify(jsonOf(seen))}\n`);
      process.stderr.write(`${took}\n`);
      return;
    }
    const learned = training.length > 0 ? "the worlds of --train" : "other payments of each world";
    const lines = [
      ...textOf(seen),
      `Seed ${size.seed}. The calendar counter learned from ${learned}. SMART has no model to choose by and falls back to EVEN.`,
      took,
    ];
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  },
);

async function report(
  files: readonly string[],
  policies: readonly string[],
  size: Size,
  training: readonly string[],
): Promise<WorldFigures[]> {
  const jobs = files.flatMap((file) => policies.map((policy) => ({ file, policy, size, training })));
  const seen = await playAll(jobs).catch((error: unknown) => {
    throw error instanceof WorldFault ? new WrongArguments([error.message]) : error;
  });
  return files.map((file, which) => {
    const ofWorld = seen.slice(which * policies.length, (which + 1) * policies.length);
    const cases = ofWorld[0]!.cases;
    if (ofWorld.some((other) => other.cases.fingerprint !== cases.fingerprint))
      throw new WrongArguments([
        `${file} gave other payments when it was asked again: all its chance must come from rng.`,
      ]);
    return figuresOf(
      cases,
      ofWorld.map(({ outcome }) => outcome),
    );
  });
}

/** A whole number that an option holds. */
function whole(faults: Faults, option: string, given: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(given) ? Number(given) : NaN;
  faults.unless(value >= least && value <= most, `--${option} must be a whole number from ${least} to ${most}.`);
  return value;
}

/** The policies of a list. A baseline may be named and adds nothing, since it is in every report. */
function namesOf(faults: Faults, list: string): string[] {
  const names = listed(list).flatMap((word) => {
    if (baselineNames.includes(word)) return [];
    const found = policyNames(word);
    if (!found) faults.add(`--policy must name policies: ${policyForms}.`);
    return found ?? [];
  });
  return [...new Set(names)];
}

/** The files of a list of worlds, each once. */
async function filesOf(faults: Faults, option: string, list: string): Promise<string[]> {
  // npm runs scripts in the project's folder and tells where its user stood.
  const folders = [process.cwd(), process.env["INIT_CWD"] ?? process.cwd()];
  const files: string[] = [];
  for (const path of listed(list))
    await worldFiles(path, folders).then(
      (found) => files.push(...found),
      (error: unknown) => {
        if (!(error instanceof WorldFault)) throw error;
        faults.add(`--${option}: ${error.message}`);
      },
    );
  return [...new Set(files)];
}

const listed = (list: string): string[] =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

const lists = ["--world", "--train", "--policy"];

/** An option of a list may be said more than once; citty would keep the last. */
function joined(words: readonly string[]): string[] {
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const [option = "", ...value] = words[index]!.split("=");
    if (!lists.includes(option) || (value.length === 0 && index + 1 === words.length)) rest.push(words[index]!);
    else values.set(option, [...(values.get(option) ?? []), value.length > 0 ? value.join("=") : words[++index]!]);
  }
  return [...rest, ...[...values].map(([option, all]) => `${option}=${all.join(",")}`)];
}

const command: Command = { ...simulation, perform: (words) => simulation.perform(joined(words)) };

/* `npm run recovery:simulate`: what policies are worth, before anybody lives by them. */
await main(command);
