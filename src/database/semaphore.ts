import { FairSemaphore, NoSlotError } from "../kernel/fair-semaphore.ts";
import { currentParty } from "../kernel/current-party.ts";

/** The code of the error that whoever waited in vain gets; `violations` takes it for an outage. */
export const NO_CONNECTION_FREE = "NO_CONNECTION_FREE";

/** What whoever waited in vain is told. */
export const noConnectionFree = (): Error =>
  Object.assign(new Error("No connection to the database became free in time."), { code: NO_CONNECTION_FREE });

/**
 * Lets only so many work at once; the others wait in line, and not for ever: each party in a line of its own, so that none
 * stands behind another's. The driver's own line has no end: behind a few statements that hang, every request would hang
 * too, long after its caller has gone.
 */
export class ConnectionSemaphore {
  private readonly semaphore: FairSemaphore;

  constructor(places: number, patienceMs: number) {
    this.semaphore = new FairSemaphore({ slots: places, acquireTimeoutMs: patienceMs });
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
