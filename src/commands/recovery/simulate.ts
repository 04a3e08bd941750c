import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { projectFile } from "../../kernel/project-files.ts";
import { firstOf, itemAt } from "../../kernel/required-values.ts";
import { renderChart } from "../../recovery/simulation/chart-svg.ts";
import {
  defaultPolicyNames,
  expandPolicyName,
  isLearnedPolicy,
  policyNameHelp,
} from "../../recovery/simulation/engine-strategies.ts";
import { computeWorldMetrics, type WorldMetrics } from "../../recovery/simulation/world-metrics.ts";
import { toJsonReport } from "../../recovery/simulation/json-report.ts";
import { toTextReport } from "../../recovery/simulation/text-report.ts";
import { baselineNames, type SimulationSize } from "../../recovery/simulation/simulate-world.ts";
import { findWorldFiles } from "../../recovery/simulation/load-world.ts";
import { InvalidWorldError } from "../../recovery/simulation/world.ts";
import { defineCommand, type Command } from "../command.ts";
import { InvalidArgumentsError, type ArgumentErrors } from "../argument-errors.ts";
import type { SimulationJob } from "./simulation-job.ts";
import { runJobs, threadCount } from "./simulation-threads.ts";

const MAX_CASES = 1_000_000;
const MAX_HISTORY = 1_000_000;
const MAX_HISTORIES = 20;

const simulation = defineCommand(
  {
    name: "simulate",
    description:
      "Simulates policies and baselines in worlds of failed payments, and reports the recovered payments, the time to recovery and the number of attempts. A world is an ES module; docs/simulation.md describes its format.",
  },
  {
    world: {
      type: "string",
      valueHint: "files",
      description: "Worlds to report on: files or folders, separated by commas (required)",
    },
    train: {
      type: "string",
      valueHint: "files",
      description: "Worlds to train on, instead of other payments of each world",
    },
    policy: {
      type: "string",
      default: defaultPolicyNames.join(","),
      valueHint: "names",
      description: `Policies in addition to the baselines: ${policyNameHelp}`,
    },
    cases: {
      type: "string",
      default: "10000",
      valueHint: "number",
      description: "Number of failed payments in each world",
    },
    history: {
      type: "string",
      default: "10000",
      valueHint: "number",
      description: "Number of attempts that SMART learned from before the report; 0 for the prior alone",
    },
    "history-seeds": {
      type: "string",
      default: "1",
      valueHint: "number",
      description: "Number of histories that SMART learns from, each for a report of its own beside the first",
    },
    "try-price": {
      type: "string",
      default: "0",
      valueHint: "number",
      description:
        "Cost of one try in the currency of its payment: the report has the net value, and SMART makes no try that does not pay it",
    },
    prior: {
      type: "string",
      default: "others",
      valueHint: "others|published",
      description:
        "Prior of SMART in a world that the published prior was learned from: a prior of the other worlds, or the published prior itself",
    },
    seed: {
      type: "string",
      default: "1",
      valueHint: "number",
      description: "Seed of the random numbers; the same seed gives the same report",
    },
    json: { type: "boolean", description: "Print one JSON object" },
    chart: {
      type: "string",
      default: "recovery-simulation.svg",
      valueHint: "file",
      description: "File of the chart",
    },
  },
  async (
    {
      world,
      train,
      policy,
      cases,
      history,
      "history-seeds": historySeeds,
      "try-price": price,
      prior,
      seed,
      json,
      chart: chartOption,
    },
    errors,
  ) => {
    const histories = readInteger(errors, "history-seeds", historySeeds, 1, MAX_HISTORIES);
    const size = {
      cases: readInteger(errors, "cases", cases, 1, MAX_CASES),
      history: readInteger(errors, "history", history, 0, MAX_HISTORY),
      seed: readInteger(errors, "seed", seed, 0, Number.MAX_SAFE_INTEGER),
      tryPrice: readPrice(errors, "try-price", price),
    };
    errors.check(prior === "others" || prior === "published", "--prior must be others or published.");
    const chart = errors.readText("chart", chartOption);
    const policies = readPolicyNames(errors, policy);
    const worlds = await readWorldFiles(errors, "world", errors.readText("world", world));
    const training = train === undefined ? [] : await readWorldFiles(errors, "train", errors.readText("train", train));
    errors.throwIfAny();
    const started = performance.now();
    const worldMetrics = await runSimulations(worlds, [...baselineNames, ...policies], size, histories, {
      training,
      priorWorlds: prior === "published" ? [] : await findPriorWorlds(),
    });
    await writeFile(resolve(chart), renderChart(worldMetrics));
    const duration = `${Math.round((performance.now() - started) / 1000)} seconds on ${threadCount} threads; chart: ${chart}`;
    if (json) {
      process.stdout.write(`${JSON.stringify(toJsonReport(worldMetrics))}\n`);
      process.stderr.write(`${duration}\n`);
      return;
    }
    const trainingSource = training.length > 0 ? "the worlds of --train" : "other payments of each world";
    const priorSource =
      prior === "published"
        ? "the published one"
        : "the published one, or one of the other worlds where the published one was learned from the world itself";
    const lines = [
      ...toTextReport(worldMetrics),
      `Seed ${size.seed}. The calendar counter learned from ${size.cases.toLocaleString("en-US")} payments with eight random attempts each, SMART from ${size.history.toLocaleString("en-US")} attempts of its own. Both used ${trainingSource}. SMART's prior was ${priorSource}.`,
      duration,
    ];
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  },
);

async function runSimulations(
  files: readonly string[],
  policies: readonly string[],
  size: SimulationSize & { tryPrice: number },
  histories: number,
  from: Pick<SimulationJob, "training" | "priorWorlds">,
): Promise<WorldMetrics[]> {
  const repeated = policies
    .filter(isLearnedPolicy)
    .flatMap((policy) => Array.from({ length: histories - 1 }, (_, before) => ({ policy, historyNumber: before + 1 })));
  const runs = [...policies.map((policy) => ({ policy, historyNumber: 0 })), ...repeated];
  const jobs = files.flatMap((file) =>
    runs.map(({ policy, historyNumber }) => ({ file, policy, size: { ...size, historyNumber }, ...from })),
  );
  const results = await runJobs(jobs).catch((error: unknown) => {
    throw error instanceof InvalidWorldError ? new InvalidArgumentsError([error.message]) : error;
  });
  return files.map((file, which) => {
    const ofWorld = results.slice(which * runs.length, (which + 1) * runs.length);
    const cases = firstOf(ofWorld).cases;
    if (ofWorld.some((other) => other.cases.fingerprint !== cases.fingerprint))
      throw new InvalidArgumentsError([
        `${file} generated different payments the second time: all its random numbers must come from rng.`,
      ]);
    const outcomes = ofWorld.map(({ outcome }) => outcome);
    return computeWorldMetrics(cases, outcomes.slice(0, policies.length), {
      otherHistories: outcomes.slice(policies.length),
      tryPrice: size.tryPrice,
    });
  });
}

/** The files of the worlds that the published prior was learned from; empty if they are not installed. */
const findPriorWorlds = (): Promise<string[]> => findWorldFiles(projectFile("test/worlds"), ["/"]).catch(() => []);

/** Reads an integer from an option. */
function readInteger(errors: ArgumentErrors, option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  errors.check(value >= min && value <= max, `--${option} must be a whole number from ${min} to ${max}.`);
  return value;
}

/** A price in an option. */
function readPrice(errors: ArgumentErrors, option: string, text: string): number {
  const isPrice = /^\d{1,9}(\.\d{1,4})?$/.test(text);
  errors.check(
    isPrice,
    `--${option} must be a price such as 0.25, of at most nine digits before and four after the point.`,
  );
  return isPrice ? Number(text) : 0;
}

/** Reads a list of policies. The names of baselines are ignored, because every report contains them. */
function readPolicyNames(errors: ArgumentErrors, list: string): string[] {
  const names = splitList(list).flatMap((word) => {
    if (baselineNames.includes(word)) return [];
    const found = expandPolicyName(word);
    if (!found) errors.add(`--policy must be a list of policies: ${policyNameHelp}.`);
    return found ?? [];
  });
  return [...new Set(names)];
}

/** Reads a list of worlds. @returns their files without duplicates. */
async function readWorldFiles(errors: ArgumentErrors, option: string, list: string): Promise<string[]> {
  // npm runs scripts in the project's folder and passes the user's working directory in INIT_CWD.
  const folders = [process.cwd(), process.env["INIT_CWD"] ?? process.cwd()];
  const files: string[] = [];
  for (const path of splitList(list))
    await findWorldFiles(path, folders).then(
      (found) => files.push(...found),
      (error: unknown) => {
        if (!(error instanceof InvalidWorldError)) throw error;
        errors.add(`--${option}: ${error.message}`);
      },
    );
  return [...new Set(files)];
}

const splitList = (list: string): string[] =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

const listOptions = ["--world", "--train", "--policy"];

/** Merges repeated list options, because citty uses only the last one. */
function mergeListOptions(words: readonly string[]): string[] {
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const [option = "", ...value] = itemAt(words, index).split("=");
    if (!listOptions.includes(option) || (value.length === 0 && index + 1 === words.length))
      rest.push(itemAt(words, index));
    else
      values.set(option, [...(values.get(option) ?? []), value.length > 0 ? value.join("=") : itemAt(words, ++index)]);
  }
  return [...rest, ...[...values].map(([option, all]) => `${option}=${all.join(",")}`)];
}

/** `recoup recovery simulate`: compares policies before a vendor uses them. */
export const simulateCommand: Command = {
  ...simulation,
  execute: (words) => simulation.execute(mergeListOptions(words)),
};
