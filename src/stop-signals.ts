import type { FastifyBaseLogger } from "fastify";
import { toLoggableError } from "./http/request-log.ts";

/** Work that is still running this long after the drain is cut off. */
const SHUTDOWN_LIMIT_MS = 20_000;

/** npm passes on a signal that the terminal has sent to everybody already: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;

const PARENT_CHECK_INTERVAL_MS = 500;

interface StopOptions {
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
export function stopOnSignals({ logger, drainSeconds, stop }: StopOptions): void {
  const drained = new AbortController();
  let firstAt: number | undefined;
  const handleSignal = (reason: string, withDrain: boolean) => {
    const at = performance.now();
    if (firstAt !== undefined) {
      if (at - firstAt > SAME_SIGNAL_MS) drained.abort();
      return;
    }
    firstAt = at;
    logger.info({ signal: reason }, "stopping");
    const drainMs = withDrain ? drainSeconds * 1000 : 0;
    if (withDrain) setTimeout(() => drained.abort(), drainMs);
    else drained.abort();
    const fail = (error: unknown) => {
      logger.error({ error: toLoggableError(error) }, "the process did not stop cleanly");
      process.exit(1);
    };
    const limitMs = drainMs + SHUTDOWN_LIMIT_MS;
    setTimeout(() => fail(new Error(`Work was still running ${limitMs / 1000} s after the signal.`)), limitMs);
    void stop(drained.signal).then(() => process.exit(0), fail);
  };
  process.on("SIGTERM", () => handleSignal("SIGTERM", true));
  process.on("SIGINT", () => handleSignal("SIGINT", false));
  if (process.env["npm_lifecycle_event"] !== undefined) watchParent(() => handleSignal("npm ended", false));
}

/** A shell between npm and this process does not forward signals; its end is visible in the parent's process number. */
function watchParent(onEnd: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, PARENT_CHECK_INTERVAL_MS).unref();
}
