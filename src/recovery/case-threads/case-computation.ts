import { Worker } from "node:worker_threads";
import { FairSemaphore, NoSlotError } from "../../kernel/scheduling/fair-semaphore.ts";
import { projectFile } from "../../kernel/project-files.ts";
import { overLimit, type Refusal } from "../../kernel/refusals.ts";
import type { RefusalCode } from "../../kernel/refusal-codes.ts";
import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";
import type { CaseMessage, CaseReply } from "./case-message.ts";
import { REQUEST_LIMITS } from "./family-cases.ts";

/** Longer than any computation of a request lasts: the vendor whose turn is next is always served, so that none can starve another. */
const ACQUIRE_TIMEOUT_MS = REQUEST_LIMITS.timeoutMs + 30_000;

/** One computation of a process at a time, and vendors in turn: others wait, each with at most two. */
const places = new FairSemaphore({ slots: 1, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS, maxWaiting: 2 });

const MAX_HEAP_MB = 1024;

const RETRY_AFTER_SECONDS = 60;

/** The computation took longer than it may. */
class TimeoutError extends Error {}

/** A computation on recorded cases. */
export interface CaseComputation<Job> {
  /** The compiled file of the thread, below `src/recovery`. */
  program: `${string}-thread`;
  pages: AsyncIterable<RecordedCaseRow[]>;
  job: Job;
  timeoutMs: number;
  /** The code of the refusal while others are computed. */
  busyCode: RefusalCode;
  /** The refusal of a computation that took longer than it may. */
  refuseSlow: () => Refusal;
}

/**
 * Computes in a thread of its own, so that the process goes on answering requests. Pages are handed on as they are read.
 * @throws a Refusal if others are computed for too long, or if this takes too long
 */
export async function computeInThread<Job, Report>(
  vendorId: number,
  computation: CaseComputation<Job>,
): Promise<Report> {
  const release = await acquirePlace(vendorId, computation.busyCode);
  try {
    return await runThread<Job, Report>(computation);
  } catch (error) {
    throw error instanceof TimeoutError ? computation.refuseSlow() : error;
  } finally {
    release();
  }
}

async function acquirePlace(vendorId: number, busyCode: RefusalCode): Promise<() => void> {
  try {
    return await places.acquire({ kind: "API", id: vendorId });
  } catch (error) {
    if (!(error instanceof NoSlotError)) throw error;
    const message = `Other estimates are being computed; wait ${RETRY_AFTER_SECONDS} seconds.`;
    throw overLimit(busyCode, message, RETRY_AFTER_SECONDS);
  }
}

async function runThread<Job, Report>({ program, pages, job, timeoutMs }: CaseComputation<Job>): Promise<Report> {
  // Compiled also where the gateway itself runs from its sources, as in tests: a thread cannot load those.
  const worker = new Worker(projectFile(`dist/src/recovery/${program}.js`), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const reply = nextReply<Report>(worker, timeoutMs);
    // A failure of the thread is thrown below; reading stops at it too.
    const failure = new AbortController();
    reply.catch(() => {
      failure.abort();
    });
    const send = (message: CaseMessage<Job>) => {
      worker.postMessage(message);
    };
    for await (const rows of pages) {
      if (failure.signal.aborted) break;
      send({ kind: "CASES", rows });
    }
    send({ kind: "RUN", job });
    const answer = await reply;
    if ("failure" in answer) throw new Error(`The thread ${program} failed: ${answer.failure}`);
    return answer.report;
  } finally {
    await worker.terminate();
  }
}

const nextReply = <Report>(worker: Worker, timeoutMs: number): Promise<CaseReply<Report>> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TimeoutError());
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
        reject(new Error(`The thread ended with the code ${code}.`));
      }),
    );
  });
