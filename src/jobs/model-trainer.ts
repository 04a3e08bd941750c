import { Worker } from "node:worker_threads";
import type { DatabaseSource } from "../database/client.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { projectFile } from "../kernel/project-files.ts";
import type { ClaimedTraining, TrainingReport } from "../recovery/models/recovery-training.service.ts";
import type { TrainingTask } from "../recovery/models/train-family.ts";

/** How often a running training says that it still runs; a lease lasts several times as long. */
const HEARTBEAT_MS = 30_000;
/** The objects of a training, of which it needs a fifth; its attempts are outside of this, 170 MB for a million. Together they stay under 1 GB. */
const MAX_HEAP_MB = 512;

/** The compiled file, also where the rest runs from its sources: a thread of this version of Node runs no TypeScript. */
const threadFile = projectFile("dist/src/jobs/model-training-thread.js");

/** Runs trainings of models, each in a thread of its own and one at a time in a process. */
export class ModelTrainer {
  private isBusy = false;
  private readonly stopping = new AbortController();

  constructor(private readonly source: DatabaseSource) {}

  /** Ends what is under way; another worker begins it anew. */
  stop(): void {
    this.stopping.abort();
  }

  /** Runs the vendor's training if one is due. @returns how many it ran. */
  async runDueTraining({ vendor, write, clock }: GatewayContext): Promise<number> {
    if (this.isBusy || this.stopping.signal.aborted) return 0;
    this.isBusy = true;
    try {
      const claimed = await write(({ recoveryTrainings }) => recoveryTrainings.claim(vendor.id));
      if (!claimed) return 0;
      await this.runTraining({ vendor, write }, claimed, clock.now());
      return 1;
    } finally {
      this.isBusy = false;
    }
  }

  private async runTraining(
    { vendor, write }: Pick<GatewayContext, "vendor" | "write">,
    { training, prior, active }: ClaimedTraining,
    now: Date,
  ): Promise<void> {
    const ending = new AbortController();
    const heartbeat = setInterval(() => {
      // A worker that was taken for dead must not go on; a database that is away for a moment does not end it.
      write(({ recoveryTrainings }) => recoveryTrainings.extendLease(vendor.id, training)).then(
        (isOurs) => !isOurs && ending.abort(),
        () => undefined,
      );
    }, HEARTBEAT_MS);
    try {
      const report = await this.runThread({ vendorId: vendor.id, prior, active, now }, ending.signal);
      await write(({ recoveryTrainings }) => recoveryTrainings.finish(vendor.id, training, report));
    } catch (error) {
      if (ending.signal.aborted) return;
      if (this.stopping.signal.aborted)
        await write(({ recoveryTrainings }) => recoveryTrainings.release(vendor.id, training));
      else {
        const failure = (error as Error).message.slice(0, 500);
        await write(({ recoveryTrainings }) => recoveryTrainings.fail(vendor.id, training, failure));
        throw error;
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async runThread(task: TrainingTask, ending: AbortSignal): Promise<TrainingReport> {
    const thread = new Worker(threadFile, {
      workerData: { source: this.source, task },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const terminate = () => void thread.terminate();
    const signals = [ending, this.stopping.signal];
    try {
      return await new Promise<TrainingReport>((resolve, reject) => {
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
