/** An item that waits for its batch. */
interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Does work in batches, one after the other: what arrives while a batch is worked on forms the next one. A batch that fails is
 * done item by item, so that one item cannot fail the others.
 */
export class MicroBatches<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;

  constructor(
    private readonly options: {
      runBatch: (items: readonly Item[]) => Promise<readonly Result[]>;
      runOne: (item: Item) => Promise<Result>;
      maxSize: number;
      /** How long the first item of a batch waits for others, in milliseconds. */
      gatherMs: number;
      /** Gets the error of a batch that is done item by item. */
      onFault: (error: unknown) => void;
    },
  ) {}

  /** Adds an item. @returns its result, when its batch is done. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    await new Promise((resolve) => setTimeout(resolve, this.options.gatherMs));
    while (this.waiting.length > 0) await this.run(this.waiting.splice(0, this.options.maxSize));
    this.isRunning = false;
  }

  private async run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.runBatch(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      this.options.onFault(error);
      await Promise.all(batch.map(({ item, resolve, reject }) => this.options.runOne(item).then(resolve, reject)));
    }
  }
}
