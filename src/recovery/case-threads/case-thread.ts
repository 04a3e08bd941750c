import { Worker } from "node:worker_threads";
import { FairSemaphore } from "../../kernel/fair-semaphore.ts";
import { projectFile } from "../../kernel/project-files.ts";
import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";
import type { BacktestJob, BacktestMessage, BacktestReply, BacktestReport } from "./backtest-job.ts";

/** One backtest of a process at a time, and vendors in turn: others wait, each with at most two. */
const places = new FairSemaphore({ slots: 1, acquireTimeoutMs: 60_000, maxWaiting: 2 });

const MAX_HEAP_MB = 1024;

/** The backtest took longer than it may. */
export class BacktestTimeoutError extends Error {}

/**
 * Computes a backtest in a thread of its own, so that the process goes on answering requests. Pages are handed on as they are read.
 * @throws NoSlotError if too many wait; BacktestTimeoutError after `timeoutMs`
 */
export async function runInThread(
  vendorId: number,
  pages: AsyncIterable<RecordedCaseRow[]>,
  job: BacktestJob,
  timeoutMs: number,
): Promise<BacktestReport> {
  const release = await places.acquire({ kind: "API", id: vendorId });
  // Compiled also where the gateway itself runs from its sources, as in tests: a thread cannot load those.
  const worker = new Worker(projectFile("dist/src/recovery/backtests/backtest-worker.js"), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const reply = nextReply(worker, timeoutMs);
    // A failure of the thread is thrown below; reading stops at it too.
    reply.catch(() => undefined);
    const send = (message: BacktestMessage) => {
      worker.postMessage(message);
    };
    for await (const rows of pages) send({ kind: "CASES", rows });
    send({ kind: "RUN", job });
    const answer = await reply;
    if ("failure" in answer) throw new Error(`The backtest failed: ${answer.failure}`);
    return answer.report;
  } finally {
    await worker.terminate();
    release();
  }
}

const nextReply = (worker: Worker, timeoutMs: number): Promise<BacktestReply> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new BacktestTimeoutError());
    }, timeoutMs);
    const settle =
      <Value>(action: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer);
        action(value);
      };
    worker.once("message", settle(resolve));
    worker.once("error", settle(reject));
    worker.once(
      "exit",
      settle((code: number) => {
        reject(new Error(`The thread of the backtest ended with the code ${code}.`));
      }),
    );
  });
