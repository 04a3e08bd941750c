import type { FastifyBaseLogger } from "fastify";
import { DatabaseDown } from "../database/database-errors.ts";
import { isSamePlace, type Cell } from "./cell.ts";
import { CellDirectory } from "./cell-directory.ts";

/** What a process opens for a cell. */
interface Closeable {
  close(): Promise<void>;
  /** Ends what is not needed any more, because the cell is elsewhere, and closes after the requests under way have ended. */
  retire(): Promise<void>;
}

/** A cell that was opened, or is being opened. */
interface Opening<Opened> {
  cell: Cell;
  /** Rejects if the cell cannot be opened. */
  opened: Promise<Opened>;
  /** Undefined while it is being opened, and if that failed. */
  result?: Opened;
  failedAt?: number;
}

interface OpenCellsOptions<Opened> {
  readAll: () => Promise<Cell[]>;
  /** Opens a cell. It fails if the cell's database is down. */
  open: (cell: Cell) => Promise<Opened>;
  /** Whether a cell is opened as soon as it has this version's tables. */
  isMigrating: (number: number) => boolean;
  logger: Pick<FastifyBaseLogger, "info" | "warn">;
}

/** A cell that cannot be opened is tried again after this time. */
const RETRY_MS = 2_000;
/** A process waits for so long for its cells when it starts: a hundred are opened at once, and take each other's time. */
const MAX_START_MS = 60_000;
/** A request waits for so long for a cell that is being opened: one that is down must not hold its callers. */
const MAX_WAIT_MS = 5_000;

/** The cells that a process has open. Each is opened and closed by itself, so that one that is down touches no other. */
export class OpenCells<Opened extends Closeable> {
  private readonly directory: CellDirectory;
  private readonly openings = new Map<number, Opening<Opened>>();
  private isStopping = false;

  constructor(private readonly options: OpenCellsOptions<Opened>) {
    this.directory = new CellDirectory({
      readAll: options.readAll,
      onFault: (error) => options.logger.warn({ error: (error as Error).message }, "the list of cells cannot be read"),
      onRead: () => this.openAll(),
    });
  }

  /**
   * Reads the list of cells and opens all of them, also those that are migrated for long, or wait for the others: a process that served
   * requests before would refuse those of their vendors, whom other processes serve. A cell that is down is not waited for.
   */
  async start(): Promise<void> {
    await this.directory.refresh();
    const end = performance.now() + MAX_START_MS;
    await Promise.all(
      this.directory.all().map(async ({ number }) => {
        do {
          const isOpen = await this.find(number).then(
            () => true,
            () => false,
          );
          if (isOpen || this.isStopping) return;
        } while (this.options.isMigrating(number) || (this.isOpening(number) && performance.now() < end));
      }),
    );
  }

  /** Opens the cell of a number, or waits for it. Undefined if there is no such cell. @throws DatabaseDown if it is down. */
  async find(number: number): Promise<Opened | undefined> {
    const cell = await this.directory.find(number);
    if (!cell || this.isStopping) return undefined;
    const opening = this.openOnce(cell);
    if (opening.result) return opening.result;
    const down = () => new DatabaseDown(`The cell ${cell.name} is down.`);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(down()), MAX_WAIT_MS);
    });
    try {
      return await Promise.race([opening.opened, tooLate]);
    } catch {
      throw down();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the cell is being opened, which may last longer than a request waits for it. */
  private isOpening(number: number): boolean {
    const opening = this.openings.get(number);
    return opening !== undefined && opening.result === undefined && opening.failedAt === undefined;
  }

  /** What is open now. */
  allOpened(): Opened[] {
    return [...this.openings.values()].flatMap(({ result }) => (result ? [result] : []));
  }

  /** The names of all cells, and whether each one is open. */
  states(): { name: string; isOpen: boolean; opened: Opened | undefined }[] {
    return this.directory.all().map(({ name, number }) => {
      const opened = this.openings.get(number)?.result;
      return { name, isOpen: opened !== undefined, opened };
    });
  }

  /** Whether a cell takes writes now: while its rows are being moved it does not. */
  takesWrites(number: number): boolean {
    return this.directory.byNumber(number)?.state !== "MOVING";
  }

  async close(): Promise<void> {
    this.isStopping = true;
    this.directory.stop();
    await Promise.all([...this.openings.values()].map((opening) => this.end(opening, (result) => result.close())));
  }

  private openAll(): void {
    if (this.isStopping) return;
    for (const cell of this.directory.all()) this.openOnce(cell);
  }

  /** A cell that was moved is opened at its new place, and closed at the old one. */
  private openOnce(cell: Cell): Opening<Opened> {
    const present = this.openings.get(cell.number);
    const isUsable =
      present &&
      isSamePlace(present.cell, cell) &&
      (present.failedAt === undefined || performance.now() - present.failedAt < RETRY_MS);
    if (isUsable) return present;
    const opening: Opening<Opened> = { cell, opened: this.options.open(cell) };
    this.openings.set(cell.number, opening);
    if (present) void this.end(present, (result) => result.retire());
    const { logger } = this.options;
    opening.opened.then(
      (result) => {
        opening.result = result;
        logger.info({ cell: cell.name }, "a cell is open");
      },
      (error: unknown) => {
        opening.failedAt = performance.now();
        if (present?.failedAt === undefined)
          logger.warn({ cell: cell.name, error: (error as Error).message }, "a cell cannot be opened");
      },
    );
    return opening;
  }

  private async end({ cell, opened }: Opening<Opened>, work: (result: Opened) => Promise<void>): Promise<void> {
    const result = await opened.catch(() => undefined);
    await (result && work(result))?.catch((error: unknown) =>
      this.options.logger.warn({ cell: cell.name, error: (error as Error).message }, "a cell could not be closed"),
    );
  }
}
