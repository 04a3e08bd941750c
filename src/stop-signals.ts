import type { FastifyBaseLogger } from "fastify";
import { describe } from "./http/request-log.ts";

/** Work that is still running this long after the drain is cut off. */
const SHUTDOWN_LIMIT_MS = 20_000;

/** npm passes on a signal that the terminal has sent to everybody already: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;

const PARENT_EVERY_MS = 500;

interface StopParts {
  logger: FastifyBaseLogger;
  /** How long requests are still accepted after SIGTERM. */
  drainSeconds: number;
  /** Stops the process's work; `drained` aborts when no more requests are to be accepted. */
  stop: (drained: AbortSignal) => Promise<void>;
}

/**
 * Stops the process in good order on SIGTERM, after a drain, and on SIGINT (Ctrl+C, on Windows too) without one, from the
 * start on: an embedded database that is just starting is stopped as well. A second signal ends the drain.
 */
export function stopOnSignals({ logger, drainSeconds, stop }: StopParts): void {
  const drained = new AbortController();
  let firstAt: number | undefined;
  const obey = (reason: string, drains: boolean) => {
    const at = performance.now();
    if (firstAt !== undefined) {
      if (at - firstAt > SAME_SIGNAL_MS) drained.abort();
      return;
    }
    firstAt = at;
    logger.info({ signal: reason }, "stopping");
    const drainMs = drains ? drainSeconds * 1000 : 0;
    if (drains) setTimeout(() => drained.abort(), drainMs);
    else drained.abort();
    const fail = (error: unknown) => {
      logger.error({ error: describe(error) }, "not stopped in good order");
      process.exit(1);
    };
    const limitMs = drainMs + SHUTDOWN_LIMIT_MS;
    setTimeout(() => fail(new Error(`Work was still running ${limitMs / 1000} s after the signal.`)), limitMs);
    void stop(drained.signal).then(() => process.exit(0), fail);
  };
  process.on("SIGTERM", () => obey("SIGTERM", true));
  process.on("SIGINT", () => obey("SIGINT", false));
  if (process.env["npm_lifecycle_event"] !== undefined) watchParent(() => obey("npm ended", false));
}

/** A shell between npm and this process keeps signals to itself; that it has ended shows in the parent's number. */
function watchParent(onEnd: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, PARENT_EVERY_MS).unref();
}
