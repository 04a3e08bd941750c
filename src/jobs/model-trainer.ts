import { Worker } from "node:worker_threads";
import type { DatabaseSource } from "../database/client.ts";
import type { GatewayContext, WriteForInstallation } from "../graphql/context.ts";
import { projectFile } from "../kernel/project-files.ts";
import type { PoolingOutcome } from "../recovery/engine/model/training/pool-model.ts";
import type { TrainingReport } from "../recovery/models/recovery-training.service.ts";
import type { TrainingTask } from "../recovery/models/train-family.ts";
import type { PoolingTask } from "../recovery/pooling/pool-country.ts";

/** How often a running training says that it still runs; a lease lasts several times as long. */
const HEARTBEAT_MS = 30_000;
/** The objects of a training, of which it needs a fifth; its attempts are outside of this, 170 MB for a million. Together they stay under 1 GB. */
const MAX_HEAP_MB = 512;

/** The compiled file, also where the rest runs from its sources: a thread of this version of Node runs no TypeScript. */
const threadFile = projectFile("dist/src/jobs/model-training-thread.js");

/** What a thread computes: the model of a family, or of a country. */
export type ThreadTask = TrainingTask | PoolingTask;

/** Work that this worker has to itself: how its lease is extended, and what is done with its end. */
interface LeasedWork<Report> {
  task: ThreadTask;
  extendLease: () => Promise<boolean>;
  finish: (report: Report) => Promise<void>;
  release: () => Promise<void>;
  fail: (failure: string) => Promise<void>;
}

/** Runs trainings and poolings of models, each in a thread of its own and one at a time in a process. */
export class ModelTrainer {
  private isBusy = false;
  private readonly stopping = new AbortController();

  constructor(private readonly source: DatabaseSource) {}

  /** Ends what is under way; another worker begins it anew. */
  stop(): void {
    this.stopping.abort();
  }

  /** Runs the vendor's training if one is due. @returns how many it ran. */
  runDueTraining({ vendor, write, clock }: GatewayContext): Promise<number> {
    return this.runAlone(async () => {
      const claimed = await write(({ recoveryTrainings }) => recoveryTrainings.claim(vendor.id));
      if (!claimed) return undefined;
      const { training, prior, active } = claimed;
      const work: LeasedWork<TrainingReport> = {
        task: { vendorId: vendor.id, prior, active, now: clock.now() },
        extendLease: () => write(({ recoveryTrainings }) => recoveryTrainings.extendLease(vendor.id, training)),
        finish: (report) => write(({ recoveryTrainings }) => recoveryTrainings.finish(vendor.id, training, report)),
        release: () => write(({ recoveryTrainings }) => recoveryTrainings.release(vendor.id, training)),
        fail: (failure) => write(({ recoveryTrainings }) => recoveryTrainings.fail(vendor.id, training, failure)),
      };
      return () => this.run(work);
    });
  }

  /** Runs the pooling of a country if one is due. @returns how many it ran. */
  runDuePooling(write: WriteForInstallation, now: Date): Promise<number> {
    return this.runAlone(async () => {
      const claimed = await write(({ recoveryPoolings }) => recoveryPoolings.claim());
      if (!claimed) return undefined;
      const { pooling, prior } = claimed;
      const work: LeasedWork<PoolingOutcome> = {
        task: { country: pooling.country, prior, now },
        extendLease: () => write(({ recoveryPoolings }) => recoveryPoolings.extendLease(pooling)),
        finish: (report) => write(({ recoveryPoolings }) => recoveryPoolings.finish(pooling, report)),
        release: () => write(({ recoveryPoolings }) => recoveryPoolings.release(pooling)),
        fail: (failure) => write(({ recoveryPoolings }) => recoveryPoolings.fail(pooling, failure)),
      };
      return () => this.run(work);
    });
  }

  /** Claims work and runs it, unless other work is under way. */
  private async runAlone(claim: () => Promise<(() => Promise<void>) | undefined>): Promise<number> {
    if (this.isBusy || this.stopping.signal.aborted) return 0;
    this.isBusy = true;
    try {
      const run = await claim();
      await run?.();
      return run ? 1 : 0;
    } finally {
      this.isBusy = false;
    }
  }

  private async run<Report>({ task, extendLease, finish, release, fail }: LeasedWork<Report>): Promise<void> {
    const ending = new AbortController();
    const heartbeat = setInterval(() => {
      // A worker that was taken for dead must not go on; a database that is away for a moment does not end it.
      extendLease().then(
        (isOurs) => !isOurs && ending.abort(),
        () => undefined,
      );
    }, HEARTBEAT_MS);
    try {
      await finish(await this.runThread<Report>(task, ending.signal));
    } catch (error) {
      if (ending.signal.aborted) return;
      if (this.stopping.signal.aborted) await release();
      else {
        await fail((error as Error).message.slice(0, 500));
        throw error;
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async runThread<Report>(task: ThreadTask, ending: AbortSignal): Promise<Report> {
    const thread = new Worker(threadFile, {
      workerData: { source: this.source, task },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const terminate = () => void thread.terminate();
    const signals = [ending, this.stopping.signal];
    try {
      return await new Promise<Report>((resolve, reject) => {
        thread.once("message", resolve);
        thread.once("error", reject);
        thread.once("exit", () => {
          reject(new Error("The thread of the training ended without a result."));
        });
        for (const signal of signals) signal.addEventListener("abort", terminate, { once: true });
      });
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", terminate);
      await thread.terminate();
    }
  }
}
