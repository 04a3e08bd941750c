import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { systemClock } from "../../kernel/clock.ts";
import { publishedPrior } from "../../recovery/models/published-prior.ts";
import { renderChart } from "../../recovery/report/chart-svg.ts";
import { InvalidFileError, readFailures } from "../../recovery/report/failures-csv.ts";
import { reportFailures } from "../../recovery/report/failures-report.ts";
import { toJsonReport } from "../../recovery/report/json-report.ts";
import { toTextReport } from "../../recovery/report/text-report.ts";
import { InvalidArgumentsError } from "../argument-errors.ts";
import { defineCommand, type Command } from "../command.ts";

const report = defineCommand(
  {
    name: "report",
    description:
      "Reads past failed payments with their tries from a CSV file and reports what they say: recovery by reason and hour, codes without a known meaning, and the expected gain of other schedules. Needs no vendor and stores nothing. docs/recovery-report.md describes the file.",
  },
  {
    file: {
      type: "string",
      valueHint: "failures.csv",
      description: "The file (required); the option's name may be left out",
    },
    json: { type: "boolean", description: "Print one JSON object" },
    svg: { type: "string", valueHint: "file", description: "File of a chart" },
  },
  async ({ file: fileOption, json, svg }, errors) => {
    const file = errors.readText("file", fileOption);
    const chart = svg === undefined ? undefined : errors.readText("svg", svg);
    errors.throwIfAny();
    const started = performance.now();
    const failures = await readFailures(
      resolve(process.env["INIT_CWD"] ?? process.cwd(), file),
      systemClock.now(),
    ).catch((error: unknown) => {
      throw error instanceof InvalidFileError ? new InvalidArgumentsError([error.message]) : error;
    });
    const result = reportFailures(failures, publishedPrior(), (step) => {
      if (process.stderr.isTTY) process.stderr.write(`${step} …\n`);
    });
    if (chart !== undefined)
      await writeFile(resolve(process.env["INIT_CWD"] ?? process.cwd(), chart), renderChart(result));
    const duration = `${Math.round((performance.now() - started) / 1000)} seconds`;
    const lines = json ? [JSON.stringify(toJsonReport(result))] : [...toTextReport(result), "", duration];
    process.stdout.write(lines.map((line) => `${line.replace(/\p{Cc}/gu, " ")}\n`).join(""));
  },
);

/** The file is the word that is neither an option nor an option's value. */
function nameFile(words: readonly string[]): string[] {
  const index = words.findIndex(
    (word, at) => !word.startsWith("-") && !["--svg", "--file"].includes(words[at - 1] ?? ""),
  );
  return index < 0 ? [...words] : words.flatMap((word, at) => (at === index ? [`--file=${word}`] : [word]));
}

/** `recoup recovery report`: what a merchant's past says, before it uses the gateway. */
export const reportCommand: Command = { ...report, execute: (words) => report.execute(nameFile(words)) };
