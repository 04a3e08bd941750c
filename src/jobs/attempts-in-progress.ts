import { setMaxListeners } from "node:events";

/** The time that attempts get when the process stops. The others are repeated after their lease. */
const STOP_MS = 5_000;

/** The attempts of a process that wait for an answer from outside. */
export class AttemptsInProgress {
  private readonly attempts = new Set<Promise<void>>();
  private readonly aborting = new AbortController();

  constructor() {
    // Each attempt listens.
    setMaxListeners(0, this.aborting.signal);
  }

  /** Aborts the attempts that take too long when the process stops. */
  get signal(): AbortSignal {
    return this.aborting.signal;
  }

  get size(): number {
    return this.attempts.size;
  }

  list(): Iterable<Promise<void>> {
    return this.attempts;
  }

  /** Adds an attempt, which never rejects, until it ends. */
  add(attempt: Promise<unknown>, onEnd: () => void): void {
    const running: Promise<void> = attempt.then(() => {
      onEnd();
      this.attempts.delete(running);
    });
    this.attempts.add(running);
  }

  /** Waits until no attempt is in progress. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.attempts);
  }

  /** Waits for the turn that may begin the last attempts, and some seconds for all of them. */
  async stopAfter(lastTurn: Promise<void>): Promise<void> {
    const abort = setTimeout(() => this.aborting.abort(), STOP_MS);
    await lastTurn;
    await this.waitForAll();
    clearTimeout(abort);
  }
}
