import { FairSemaphore, NoSlotError, type SemaphoreUse } from "../../kernel/scheduling/fair-semaphore.ts";
import { currentParty } from "../../kernel/scheduling/current-party.ts";

/** The error code after the acquire timeout; `violations` treats it as an outage. */
export const NO_CONNECTION_FREE = "NO_CONNECTION_FREE";

/** The error after the acquire timeout. */
export const noConnectionFree = (): Error =>
  Object.assign(new Error("No connection to the database became free in time."), { code: NO_CONNECTION_FREE });

/**
 * Limits concurrent work; the others wait in queues with a timeout, one queue per party, so that no party waits behind
 * another's. The driver's own queue is unbounded: behind a few hanging statements every request would hang too, long
 * after its caller has gone.
 */
export class ConnectionSemaphore {
  private readonly semaphore: FairSemaphore;

  constructor(places: number, patienceMs: number) {
    this.semaphore = new FairSemaphore({ slots: places, acquireTimeoutMs: patienceMs });
  }

  /** The connections in use, the work that waits for one, and the limit. */
  get use(): SemaphoreUse {
    return this.semaphore.use;
  }

  /** Does the work when there is room for it. @throws an error with the code NONE_FREE when that takes too long. */
  async run<T>(work: () => PromiseLike<T>): Promise<T> {
    const release = await this.semaphore.acquire(currentParty()).catch((error: unknown) => {
      throw error instanceof NoSlotError ? noConnectionFree() : error;
    });
    try {
      return await work();
    } finally {
      release();
    }
  }
}
