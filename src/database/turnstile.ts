/** The code of the error that whoever waited in vain gets; `violations` takes it for an outage. */
export const NONE_FREE = "NO_CONNECTION_FREE";

/** What whoever waited in vain is told. */
export const noneFree = (): Error =>
  Object.assign(new Error("No connection to the database became free in time."), { code: NONE_FREE });

/**
 * Lets only so many work at once; the others wait in line, and not for ever. The driver's own line has no end: behind a few
 * statements that hang, every request would hang too, long after its caller has gone.
 */
export class Turnstile {
  private readonly line = new Set<() => void>();

  constructor(
    private free: number,
    private readonly patienceMs: number,
  ) {}

  /** Does the work when there is room for it. @throws an error with the code NONE_FREE when that takes too long. */
  async pass<T>(work: () => PromiseLike<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Room passes from hand to hand: whoever comes later finds none free. */
  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.line.delete(enter);
        reject(noneFree());
      }, this.patienceMs);
      this.line.add(enter);
    });
  }

  private leave(): void {
    const [next] = this.line;
    if (!next) {
      this.free++;
      return;
    }
    this.line.delete(next);
    next();
  }
}
