import "reflect-metadata";
import { writeFigures } from "./figures/figures-section.ts";
import { measureIdleWork } from "./figures/idle-work.ts";
import { readOptions, USAGE, type BenchOptions } from "./figures/bench-options.ts";
import { measureReads } from "./figures/order-reads.ts";
import { measureRenewals } from "./figures/renewals.ts";

/*
 * `npm run bench`: the rates of reads over GraphQL and REST, of renewals, and the time of a search for work that finds none. With
 * `--json` the figures are printed, otherwise a section of docs/figures.md is written again with more of them.
 */

const options = readOrExit();
if (options.json) console.log(JSON.stringify(await measure(options)));
else await writeFigures(options);

/** The figures of `--json`; null for what was not measured. */
async function measure({ only, gatewayMs, ...volume }: BenchOptions): Promise<object> {
  const reads = { reads: only.has("reads"), rest: only.has("rest") };
  const readFigures = reads.reads || reads.rest ? await measureReads({ ...volume, ...reads }) : null;
  return {
    reads: readFigures?.reads ?? null,
    rest: readFigures?.rest ?? null,
    renewals: only.has("renewals") ? await measureRenewals({ gatewayMs }) : null,
    work: only.has("work") ? await measureIdleWork() : null,
  };
}

function readOrExit(): BenchOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}
