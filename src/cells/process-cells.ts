import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Database } from "../database/client.ts";
import type { Gateway } from "../gateway.ts";
import { dispatchToCells } from "../http/cell-dispatch.ts";
import type { CellStates } from "../http/health-routes.ts";
import type { PeopleDirectory, PeoplePlace } from "../http/authentication/session-routes.ts";
import type { LedgerCheckOfCell } from "../operations/metrics.ts";
import type { RunningWorker } from "../worker-process.ts";
import { CellPeople } from "./cell-people.ts";
import type { Cell } from "./cell.ts";
import { OpenCells } from "./open-cells.ts";
import { CellServer, type CellParts, type CellServerOptions, type ServedCell } from "./served-cell.ts";

interface ProcessCellsOptions extends Pick<CellServerOptions, "connection" | "readsLists"> {
  /** Reads the cells in the home database. */
  readAll: () => Promise<Cell[]>;
  /** Opens on a cell what the process does for the home database: a gateway, a worker, or both. */
  openParts: (database: Database, people: PeopleDirectory) => Promise<CellParts>;
  /** The people of the home database. */
  homePeople: () => PeoplePlace;
  logger: Pick<FastifyBaseLogger, "info" | "warn">;
}

/** The cells of a process: requests are given to them, people are found in them, and work is done in them. */
export class ProcessCells {
  readonly people: PeopleDirectory;
  private readonly cells: OpenCells<ServedCell>;

  constructor({ connection, readsLists, readAll, openParts, homePeople, logger }: ProcessCellsOptions) {
    const server = new CellServer({
      connection,
      readsLists,
      takesWrites: (cell) => this.cells.takesWrites(cell),
      openParts: (database) => openParts(database, this.people),
      logger,
    });
    this.cells = new OpenCells<ServedCell>({
      ...{ readAll, logger },
      open: (cell) => server.open(cell),
      isMigrating: (number) => server.isMigrating(number),
    });
    this.people = new CellPeople(homePeople, this.cells);
  }

  /** Reads the list of cells and opens them. A cell that is down is opened when it is back. */
  start(): Promise<void> {
    return this.cells.start();
  }

  /** Gives requests that reach the gateway of the home database to the cells of their vendors. */
  receiveFrom({ server, hasOrder }: Pick<Gateway, "server" | "hasOrder">): void {
    const findServer = async (cell: number): Promise<Pick<FastifyInstance, "routing"> | undefined> =>
      (await this.cells.find(cell))?.gateway?.server;
    dispatchToCells(server, {
      findServer,
      isHomeOrder: (code, request) => hasOrder(code, request.socket.remoteAddress ?? ""),
    });
  }

  /** The workers of the cells that are open now. */
  workers(): RunningWorker[] {
    return this.cells.allOpened().flatMap(({ worker }) => worker ?? []);
  }

  /** What the checks of the ledger found in each cell that answers. */
  async readLedgerChecks(): Promise<LedgerCheckOfCell[]> {
    const all = this.cells.allOpened().map(async ({ name, readLedgerCheck }) => {
      const state = await readLedgerCheck().catch(() => undefined);
      return state ? [{ cell: name, ...state }] : [];
    });
    return (await Promise.all(all)).flat();
  }

  /** Whether each cell answers, by its name. */
  async states(): Promise<CellStates> {
    const all = this.cells.states().map(async ({ name, opened }) => {
      const isUp = (await opened?.isUp()) === true;
      return [name, isUp ? "ready" : "down"] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }

  /** Makes each answer close its connection until the signal aborts. */
  async drain(drained: AbortSignal): Promise<void> {
    await Promise.all(this.cells.allOpened().flatMap(({ gateway }) => (gateway ? [gateway.drain(drained)] : [])));
  }

  endStreams(): void {
    for (const { gateway } of this.cells.allOpened()) gateway?.endStreams();
  }

  close(): Promise<void> {
    return this.cells.close();
  }
}
