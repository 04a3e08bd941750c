import type { Cell } from "./cell.ts";

/** How long the list of cells is used: the delay with which other processes notice a change of it. */
const LIFETIME_MS = 1_000;
/** Identifiers of cells that do not exist must not make the home database answer for each of them. */
const MIN_REFRESH_MS = 200;

interface CellDirectoryOptions {
  /** Reads the cells in the home database. */
  readAll: () => Promise<Cell[]>;
  /** Gets the error of a read: the cells that are known stay as they are. */
  onFault: (error: unknown) => void;
  /** Is called after each read. */
  onRead: () => void;
}

/** The cells of the installation, kept in memory and read again each second. */
export class CellDirectory {
  private cells: ReadonlyMap<number, Cell> = new Map();
  private reading: Promise<void> | undefined;
  private readAt = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: CellDirectoryOptions) {
    this.timer = setInterval(() => void this.refresh(), LIFETIME_MS).unref();
  }

  all(): readonly Cell[] {
    return [...this.cells.values()];
  }

  byNumber(number: number): Cell | undefined {
    return this.cells.get(number);
  }

  /** Finds a cell, and reads the list for one that is not in it: it may have been added a moment ago. */
  async find(number: number): Promise<Cell | undefined> {
    if (!this.cells.has(number) && performance.now() - this.readAt >= MIN_REFRESH_MS) await this.refresh();
    return this.cells.get(number);
  }

  /** Reads the list; calls that come meanwhile wait for the same read. */
  refresh(): Promise<void> {
    return (this.reading ??= this.read().finally(() => (this.reading = undefined)));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    try {
      const all = await this.options.readAll();
      this.cells = new Map(all.map((cell) => [cell.number, cell]));
      this.readAt = performance.now();
    } catch (error) {
      this.options.onFault(error);
      return;
    }
    this.options.onRead();
  }
}
