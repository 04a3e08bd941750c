import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { npmRun } from "../commands/command-line.ts";
import { buildOnce } from "../support/build-once.ts";

/* docs/simulation.md: its world and its commands, with fewer cases. */

const WORLD = "paid-on-the-first.mjs";

beforeAll(buildOnce, 180_000);

test("the page's commands work, on the project's worlds and on its own", async ({ onTestFinished }) => {
  const page = await readFile(projectFile("docs/simulation.md"), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "recoup-page-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [example, ...more] = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code!);
  expect(more).toEqual([]);
  await writeFile(join(folder, WORLD), example!);

  const commands = [...page.matchAll(/^npm run -s recovery:simulate -- (.*)$/gm)].map(([, words]) => words!.split(" "));
  expect(commands).toHaveLength(4);
  for (const words of commands) {
    const here = words.map((word) => (word === WORLD ? join(folder, WORLD) : word));
    const few = ["--cases", "20", "--history", "50", "--prior", "published", "--chart", join(folder, "chart.svg")];
    const { code, out, err } = await npmRun("recovery:simulate", [...here, ...few], {});
    expect({ code, err }, words.join(" ")).toEqual({ code: 0, err: words.includes("--json") ? expect.anything() : "" });
    if (words.includes("--json")) expect(JSON.parse(out).worlds).toHaveLength(1);
    else expect(out).toMatch(/tries in all, 0 breaches\./);
  }
}, 120_000);
