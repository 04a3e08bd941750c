import { openDatabase } from "../src/database/client.ts";
import { fitWeights } from "../src/recovery/engine/model/training/fit-model.ts";
import { readStoredModel, toPrior } from "../src/recovery/engine/model/stored-model.ts";
import { trainModel } from "../src/recovery/engine/model/training/train-model.ts";
import { TrainingSetCollector } from "../src/recovery/engine/model/training/training-set.ts";
import { publishedPrior } from "../src/recovery/models/published-prior.ts";
import { noneLeftOut } from "../src/recovery/models/recorded-case.reading.ts";
import { RecordedCaseRepository } from "../src/recovery/models/recorded-case.repository.ts";
import { streamFamilyCases } from "../src/recovery/models/recorded-cases.ts";

/*
 * A part of `npm run bench:train`: the phases of a training in a process of its own, so that its memory is the training's alone. Prints
 * them as JSON. Arguments: the database's address and the vendor.
 */

/** What it prints: seconds, seconds of processor time, and the most memory of the process by then in megabytes. */
export type TrainingPhases = Record<
  | "cases"
  | "tries"
  | "patterns"
  | "readSeconds"
  | "readProcessor"
  | "fitSeconds"
  | "fitProcessor"
  | "trainSeconds"
  | "trainProcessor"
  | "memoryAtStart"
  | "memoryAfterReading"
  | "memoryAfterFit"
  | "memoryAtEnd",
  number
>;

const DAYS = 720;
const [url, vendor] = process.argv.slice(2);
const megabytes = () => Math.round(process.resourceUsage().maxRSS / 1024);
/** The result of some work, its seconds and those of processor time. */
async function timed<Result>(work: () => Promise<Result> | Result): Promise<[Result, number, number]> {
  const [startedAt, used] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(used);
  return [result, Math.round(performance.now() - startedAt) / 1000, Math.round((user + system) / 1000) / 1000];
}

const database = openDatabase({ url: url!, poolSize: 1 });
const repository = new RecordedCaseRepository(database.handle);
const prior = publishedPrior();
const now = new Date();
const period = { from: new Date(now.getTime() - DAYS * 86_400_000), until: now };
const memoryAtStart = megabytes();
const collector = new TrainingSetCollector(prior.usualAmounts, readStoredModel(prior), now);
const [cases, readSeconds, readProcessor] = await timed(async () => {
  let count = 0;
  for await (const recorded of streamFamilyCases(repository, Number(vendor), period, now, noneLeftOut())) {
    collector.addCase(recorded);
    count++;
  }
  return count;
});
await database.close();
const memoryAfterReading = megabytes();
const set = collector.toSet();
const [, fitSeconds, fitProcessor] = await timed(() => fitWeights(set.tries, toPrior(prior)));
const memoryAfterFit = megabytes();
const active = { model: prior, triesUntil: null };
const [, trainSeconds, trainProcessor] = await timed(() => trainModel(set, prior, active, prior.usualAmounts));
const phases: TrainingPhases = {
  ...{ cases, tries: set.tries.count, patterns: set.tries.patterns.count },
  ...{ readSeconds, readProcessor, fitSeconds, fitProcessor, trainSeconds, trainProcessor },
  ...{ memoryAtStart, memoryAfterReading, memoryAfterFit, memoryAtEnd: megabytes() },
};
console.log(JSON.stringify(phases));
