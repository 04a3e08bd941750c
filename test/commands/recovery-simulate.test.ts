import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import type { toJsonReport } from "../../src/recovery/simulation/json-report.ts";
import { baselineNames } from "../../src/recovery/simulation/simulate-world.ts";
import { buildOnce } from "../support/build-once.ts";
import { faultsOf, npmRun, recoverySimulate } from "./command-line.ts";

/* `npm run recovery:simulate` as its users run it. */

type Report = ReturnType<typeof toJsonReport>;

const SEOUL = "test/worlds/salary-korea.mjs";
const SILENT = "test/worlds/silent-callers.mjs";

let folder: string;
const at = (name: string) => join(folder, name);
const chart = () => ["--chart", at(`${Math.random()}.svg`)];
const wrong = async (...words: string[]) => {
  const ended = await recoverySimulate("--history=50", "--prior=published", ...words, ...chart());
  expect(ended).toMatchObject({ code: 2, out: "" });
  expect(ended.err).not.toMatch(/^\s+at /m);
  return faultsOf(ended);
};
const report = async (...words: string[]) => {
  const few = ["--cases", "40", "--history", "100", "--prior", "published"];
  const { code, out, err } = await recoverySimulate("--json", ...few, ...words, ...chart());
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/fault|wrong/i) });
  return JSON.parse(out) as Report;
};

/** A world that is written for one test: changes to the Korean one. */
async function world(name: string, change: string, before = ""): Promise<string> {
  const from = JSON.stringify(projectFile(SEOUL));
  await writeFile(
    at(name),
    `import seoul from ${from};\n${before}\nexport default { ...seoul, name: "told", ${change} };\n`,
  );
  return at(name);
}

beforeAll(async () => {
  await buildOnce();
  folder = await mkdtemp(join(tmpdir(), "recoup-simulate-"));
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the report", () => {
  test("as JSON has the agreed fields, and is the only text on standard output", async () => {
    const ended = await npmRun(
      "recovery:simulate",
      [
        "--world",
        `${SEOUL},${SILENT}`,
        "--cases",
        "60",
        "--history",
        "300",
        "--prior",
        "published",
        "--json",
        ...chart(),
      ],
      {},
    );
    expect(ended.code).toBe(0);
    const { worlds, ...rest } = JSON.parse(ended.out) as Report;
    expect(rest).toEqual({});
    expect(worlds.map(({ name, cases }) => [name, cases])).toEqual([
      ["salary days, Korea", 60],
      ["silent callers", 60],
    ]);
    const rate = expect.toSatisfy((value) => value >= 0 && value <= 1);
    const number = expect.any(Number);
    const numberOrNull = expect.toSatisfy((value) => value === null || typeof value === "number");
    for (const { policies, differences, ...others } of worlds) {
      expect(Object.keys(others)).toEqual(["name", "cases"]);
      expect(policies.map(({ name }) => name)).toEqual([
        ...baselineNames,
        "LADDER",
        "EVEN-4",
        "EVEN-8",
        "SMART-4",
        "SMART-8",
      ]);
      for (const { name, ...figures } of policies)
        expect(figures, name).toEqual({
          recoveredByCount: rate,
          recoveredByValue: rate,
          triesPerCase: number,
          daysMedian: numberOrNull,
          daysP90: numberOrNull,
          within10Days: rate,
          breaches: 0,
          calibrationError: /^(calendar|SMART)/.test(name) ? rate : null,
          interval: [rate, rate],
          netValue: null,
          recoveredFirst30Days: rate,
          recoveredLater: rate,
          histories: /^SMART/.test(name)
            ? [{ model: expect.any(String), recoveredByCount: rate, triesPerCase: number, calibrationError: rate }]
            : [],
        });
      expect(differences).toHaveLength(10 + 11 + 12 + 13 + 14);
      for (const difference of differences)
        expect(difference).toEqual({
          of: expect.any(String),
          minus: expect.any(String),
          points: number,
          interval: [number, number],
          triesRatio: number,
        });
      const [smart, even] = ["SMART-4", "even-4"].map((name) => policies.find((policy) => policy.name === name));
      const difference = differences.find(({ of, minus }) => of === "SMART-4" && minus === "even-4");
      expect(difference!.points).toBeCloseTo((smart!.recoveredByCount! - even!.recoveredByCount!) * 100, 3);
    }
  });

  test("as text has a table, the differences and the chart's place", async () => {
    const picture = at("chart.svg");
    const { code, out, err } = await recoverySimulate(
      "--world",
      SEOUL,
      "--cases",
      "60",
      "--policy",
      "even",
      "--chart",
      picture,
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^salary days, Korea: 60 failed payments, 0 of them hard declines/);
    expect(out).toMatch(/^EVEN-8 +\d/m);
    expect(out).not.toMatch(/^SMART/m);
    expect(out).toMatch(/EVEN-8 minus ladder-\S+ \(best ladder\)/);
    expect(out).toMatch(/[\d,]+ tries in all, 0 breaches\./);
    expect(out).toContain(`chart: ${picture}`);
    expect(await readFile(picture, "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  test("is the same for the same seed, and different for another", async () => {
    const [one, again, other] = await Promise.all([
      report("--world", SEOUL, "--seed", "7"),
      report("--world", SEOUL, "--seed=7"),
      report("--world", SEOUL, "--seed", "8"),
    ]);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test("differs with what SMART has learned from, and only for SMART", async () => {
    const of = async (...words: string[]) =>
      (await report("--world", SEOUL, "--policy", "EVEN-8,SMART-8", "--cases", "200", ...words)).worlds[0]!.policies;
    const [cold, warm] = [await of("--history", "0"), await of("--history", "1500")];
    expect(warm.slice(0, -1)).toEqual(cold.slice(0, -1));
    expect(warm.at(-1)).not.toEqual(cold.at(-1));
  });

  test("repeats a learned policy after other histories, and counts the price of tries", async () => {
    const { worlds } = await report(
      "--world",
      SEOUL,
      "--policy",
      "EVEN-8,SMART-8",
      "--history-seeds",
      "3",
      "--try-price",
      "150",
    );
    const [even, smart] = worlds[0]!.policies.slice(-2);
    expect(smart!.histories).toHaveLength(3);
    expect(new Set(smart!.histories.map(({ model }) => model)).size).toBe(3);
    expect(smart!.histories[0]).toMatchObject({ recoveredByCount: smart!.recoveredByCount });
    expect(even!.histories).toEqual([]);
    expect(even!.netValue).toBeLessThan(even!.recoveredByValue!);
  });

  test("has the requested policies beside the baselines", async () => {
    const names = async (...words: string[]) =>
      (await report("--world", SEOUL, ...words)).worlds[0]!.policies.map(({ name }) => name);
    expect(await names("--policy", "smart-6/21", "--policy", "ladder-2-4,even-8")).toEqual([
      ...baselineNames,
      "SMART-6/21",
      "LADDER-2-4",
    ]);
  });
});

describe("worlds by path", () => {
  test("are modules with either file ending, several of them, or a folder", async () => {
    await writeFile(at("package.json"), '{ "type": "module" }');
    const built = await world("built.js", "");
    const { worlds } = await report("--world", SEOUL, "--world", built, "--policy", "LADDER");
    expect(worlds.map(({ name }) => name)).toEqual(["salary days, Korea", "told"]);
    expect(worlds[1]!.policies).toEqual(worlds[0]!.policies);
  });

  test("may train learning policies, and be reported on or not", async () => {
    const of = async (...words: string[]) => {
      const { worlds } = await report("--world", SEOUL, "--policy", "LADDER", "--cases", "300", ...words);
      return worlds[0]!.policies.find(({ name }) => name === "calendar-counter")!.calibrationError;
    };
    expect(await of("--train", `test/worlds/issuer-outages.mjs,${SILENT}`)).not.toBe(await of());
  });

  test("may print anything: standard output is the report's", async () => {
    const noisy = await world("noisy.mjs", "", 'console.log("good morning");');
    const { out, err } = await recoverySimulate(
      "--world",
      noisy,
      "--cases",
      "5",
      "--policy",
      "LADDER",
      "--json",
      ...chart(),
    );
    expect(JSON.parse(out).worlds).toHaveLength(1);
    expect(err).toContain("good morning");
  });
});

describe("the command refuses", () => {
  test("wrong arguments: all of them at once", async () => {
    expect(await wrong()).toEqual(["--world is missing."]);
    expect(
      await wrong(
        "--world",
        "no/such.mjs",
        "--train",
        "package.json",
        "--cases",
        "0",
        "--seed",
        "-1",
        "--history-seeds",
        "0",
        "--try-price",
        "-2",
        "--policy",
        "best",
        "--fast",
      ),
    ).toEqual([
      "There is no option --fast.",
      "--history-seeds must be a whole number from 1 to 20.",
      "--cases must be a whole number from 1 to 1000000.",
      "--seed must be a whole number from 0 to 9007199254740991.",
      expect.stringMatching(/^--try-price must be a price such as 0\.25/),
      expect.stringMatching(/^--policy must be a list of policies: LADDER/),
      "--world: There is no file no/such.mjs.",
      "--train: package.json is not a world: a world is a module that ends in .mjs or .js.",
    ]);
    expect(await wrong("--world", "src/recovery")).toEqual([
      "--world: The folder src/recovery has no worlds: no file ends in .mjs or .js.",
    ]);
  });

  test("a chart path that cannot be written", async () => {
    const { code, err } = await recoverySimulate(
      "--world",
      SEOUL,
      "--cases",
      "5",
      "--policy",
      "LADDER",
      "--chart",
      at("no/folder/chart.svg"),
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^The command failed: ENOENT/);
  });

  test("a module that is no world, throws, ends the process, or uses its own randomness", async () => {
    const none = at("none.mjs");
    await writeFile(none, "export default 5;");
    expect(await wrong("--world", none)).toEqual([
      `${none} is not a world: its default export must be an object with a name and generate.`,
    ]);
    const throwing = await world("throwing.mjs", "generate() { throw new Error('boom'); }");
    expect(await wrong("--world", throwing)).toEqual(['The world "told": generate failed: boom']);
    const ending = await world("ending.mjs", "", "process.exit(0);");
    expect(await wrong("--world", ending)).toEqual([`${ending} ended its thread: a world must not call process.exit.`]);
    const own = await world("own.mjs", "generate: (rng, n) => seoul.generate(Math.random, n)");
    expect(await wrong("--world", own, "--cases", "20")).toEqual([
      `${own} generated different payments the second time: all its random numbers must come from rng.`,
    ]);
  });
});
