import { FairShare, NoPlace } from "../kernel/fair-semaphore.ts";
import { currentParty } from "../kernel/current-party.ts";

/** The code of the error that whoever waited in vain gets; `violations` takes it for an outage. */
export const NONE_FREE = "NO_CONNECTION_FREE";

/** What whoever waited in vain is told. */
export const noneFree = (): Error =>
  Object.assign(new Error("No connection to the database became free in time."), { code: NONE_FREE });

/**
 * Lets only so many work at once; the others wait in line, and not for ever: each party in a line of its own, so that none
 * stands behind another's. The driver's own line has no end: behind a few statements that hang, every request would hang
 * too, long after its caller has gone.
 */
export class Turnstile {
  private readonly share: FairShare;

  constructor(places: number, patienceMs: number) {
    this.share = new FairShare({ places, patienceMs });
  }

  /** Does the work when there is room for it. @throws an error with the code NONE_FREE when that takes too long. */
  async pass<T>(work: () => PromiseLike<T>): Promise<T> {
    const leave = await this.share.enter(currentParty()).catch((error: unknown) => {
      throw error instanceof NoPlace ? noneFree() : error;
    });
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
