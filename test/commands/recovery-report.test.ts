import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { buildOnce } from "../support/build-once.ts";
import { faultsOf, npmRun } from "./command-line.ts";

beforeAll(buildOnce, 180_000);

/** A report computes for some seconds on a free processor. */
const LIMIT_MS = 200_000;

test("the commands of docs/recovery-report.md report on its example, as text, JSON and a chart", async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "recoup-report-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const page = await readFile(projectFile("docs/recovery-report.md"), "utf8");
  const commands = [...page.matchAll(/^npm run -s recovery:report -- (.*)$/gm)].map(([, words]) => words!.split(" "));
  expect(commands).toHaveLength(2);
  const chart = join(folder, "failures.svg");
  const [text, json] = [
    await npmRun("recovery:report", commands[0]!, {}, LIMIT_MS),
    await npmRun(
      "recovery:report",
      commands[1]!.map((word) => (word === "failures.svg" ? chart : word)),
      {},
      LIMIT_MS,
    ),
  ];
  expect([text.err, json.err]).toEqual(["", ""]);
  expect(text.out).toContain("180 failed payments of ");
  expect(text.out).toMatch(/ {2}SMART-4\/14 +[+-]\d/);
  expect(text.out).toMatch(/PROVIDER_12 +D-204 /);
  expect(text.out).not.toMatch(/NaN|Infinity|undefined/);
  const report = JSON.parse(json.out);
  expect(report).toMatchObject({ payments: 180, errors: { count: 0 }, ownSchedule: { cases: 180 } });
  expect(report.settings).toHaveLength(8);
  expect(report.assumptions).toHaveLength(5);
  const svg = await readFile(chart, "utf8");
  expect(svg).toContain("Expected gain, points over the file&#39;s own schedule");
  expect(svg).not.toMatch(/NaN|Infinity/);
}, 420_000);

test("a file that cannot be used is refused in words", async () => {
  const run = async (...words: string[]) => {
    const ended = await npmRun("recovery:report", words, {});
    expect(ended).toMatchObject({ code: 2, out: "" });
    return faultsOf(ended);
  };
  expect(await run()).toEqual(["--file is missing."]);
  expect(await run("none.csv")).toEqual([expect.stringMatching(/^The file cannot be read: ENOENT/)]);
  expect(await run("package.json")).toEqual([
    expect.stringMatching(/^The first line must name the columns; missing: /),
  ]);
}, 120_000);
