import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { projectFile } from "../../src/kernel/project-files.ts";
import { measureIdleWork } from "./idle-work.ts";
import type { BenchOptions } from "./bench-options.ts";
import { measureDatabaseMemory } from "./database-memory.ts";
import { measureOrderWrites } from "./order-writes.ts";
import { measureReads, type ReadDetails } from "./order-reads.ts";
import { measureRenewals, type RenewalFigures } from "./renewals.ts";
import { measureStartUp } from "./start-up.ts";

const BEGIN = "<!-- npm run bench: begin -->";
const END = "<!-- npm run bench: end -->";
const run = promisify(execFile);

/** Measures all that the options name, and writes it between the markers of docs/figures.md. */
export async function writeFigures(options: BenchOptions): Promise<void> {
  const file = projectFile("docs/figures.md");
  const parts = [await describeRun(options)];
  for (const [name, write] of Object.entries(sectionsByName))
    if (options.only.has(name as keyof typeof sectionsByName)) {
      console.error(`Measuring ${name} …`);
      parts.push(await write(options));
    }
  const text = await readFile(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/figures.md has no section between ${BEGIN} and ${END}.`);
  await writeFile(file, `${text.slice(0, begin)}${BEGIN}\n\n${parts.join("\n\n")}\n\n${text.slice(end)}`);
  await run("npx", ["prettier", "--write", file]);
}

async function describeRun({ vendors, each, rounds }: BenchOptions): Promise<string> {
  const { stdout: commit } = await run("git", ["rev-parse", "--short", "HEAD"]);
  const day = new Date().toISOString().slice(0, 10);
  return (
    `Written by \`npm run bench\` on ${day}, commit ${commit.trim()}, Node ${process.version}, ${cpus().length} cores, embedded PostgreSQL 18. ` +
    `Orders: ${vendors} vendors with ${each} each, three lines an order; ${rounds} rounds in turns, medians.`
  );
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const sectionsByName = {
  reads: writeReads,
  rest: writeWritesAndGrowth,
  renewals: writeRenewals,
  work: writeWork,
} satisfies Record<string, (options: BenchOptions) => Promise<string>>;

const namesOfReads: Record<string, string> = {
  bare: "one `json_agg` statement by hand, bare Fastify: fifty orders",
  gateway: "GraphQL `orders(first: 50)`",
  postgraphile: "PostGraphile 5, the same page",
  orders: "`GET /orders?size=20`",
  twin: "GraphQL twin of it",
};

async function writeReads({ only, ...volume }: BenchOptions): Promise<string> {
  const { details } = await measureReads({ ...volume, reads: true, rest: only.has("rest") });
  const bare = details.find(({ name }) => name === "bare")?.perSecond ?? 0;
  return table(
    ["Reads", "req/s", "times the first", "p50 ms", "p99 ms", "memory before and after, MB", "failed"],
    details.map(({ name, perSecond, p50, p99, memoryAtRest, memoryAfter, failed }: ReadDetails) => [
      ...[namesOfReads[name] ?? name, perSecond.toFixed(0), (perSecond / bare).toFixed(2), p50, p99],
      ...[`${memoryAtRest}, ${memoryAfter}`, failed],
    ]),
  );
}

async function writeWritesAndGrowth({ rounds }: BenchOptions): Promise<string> {
  const rates = await measureOrderWrites(rounds);
  const floor = rates[0]?.perSecond ?? 0;
  const writes = table(
    ["New orders of one line, 8 connections", "req/s", "times the first", "p50 ms", "failed"],
    rates.map(({ name, perSecond, p50, failed }) => [
      ...[name, perSecond.toFixed(0), (perSecond / floor).toFixed(2), p50, failed],
    ]),
  );
  const { stdout } = await run(process.execPath, [projectFile("dist/bench/list-growth.js")]);
  return `${writes}\n\nLists, by the number of orders of the vendor:\n\n\`\`\`text\n${stdout.trimEnd()}\n\`\`\``;
}

async function writeRenewals({ gatewayMs }: BenchOptions): Promise<string> {
  const loads = [{ gatewayMs }, { gatewayMs, declinedEvery: 10 }, { gatewayMs: 0 }];
  const rows: (readonly (string | number)[])[] = [];
  for (const load of loads) {
    const { perMinute, chargedTwice }: RenewalFigures = await measureRenewals(load);
    rows.push([`${load.gatewayMs} ms`, load.declinedEvery ? "10 %" : "none", perMinute, chargedTwice]);
  }
  return table(["The gateway answers in", "declined", "renewals a minute and worker", "charged twice"], rows);
}

async function writeWork(): Promise<string> {
  const { idleMs, idleMsAt100k } = await measureIdleWork();
  const { readyMs, memory } = await measureStartUp();
  const { documents, before, afterOnce, afterRepeats } = await measureDatabaseMemory();
  return table(
    ["What", "Measured"],
    [
      ["search for work that finds none, one recovery in progress", `${idleMs} ms`],
      ["the same, 100,000 recoveries in progress", `${idleMsAt100k} ms`],
      ["start of the gateway on a database with its tables", `${readyMs} ms`],
      ["its memory then", `${memory} MB`],
      ["memory of PostgreSQL, ten connections", `${before} MB`],
      [`after ${documents} different GraphQL documents`, `${afterOnce} MB`],
      ["after each of them came three more times", `${afterRepeats} MB`],
    ],
  );
}
