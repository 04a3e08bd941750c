import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { cellOfOrderCode, HOME_CELL } from "../kernel/cell-numbers.ts";
import { cellOfRequest, orderCodeInPayLink } from "./cell-of-request.ts";

interface CellDispatchOptions {
  /** Finds the server of a cell. Undefined if there is no such cell. @throws if the cell is down. */
  findServer: (cell: number) => Promise<Pick<FastifyInstance, "routing"> | undefined>;
  /** Whether an order of the home database has a code: it may look like that of a cell. */
  isHomeOrder: (code: string, request: IncomingMessage) => Promise<boolean>;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The errors of cells that requests were for, by the request. */
const faults = new WeakMap<IncomingMessage, unknown>();

/** Refuses requests for cells that are down, in the form of their path. */
export function refuseForClosedCells(server: FastifyInstance): void {
  server.addHook("onRequest", async ({ raw }) => {
    if (faults.has(raw)) throw faults.get(raw);
  });
}

/**
 * Gives each request to the server of its vendor's cell, before anything of it is read. A request for a cell that does not exist
 * is one with unknown identifiers, and the home database's server answers it so.
 */
export function dispatchToCells(home: FastifyInstance, { findServer, isHomeOrder }: CellDispatchOptions): void {
  const [handleAtHome, ...observers] = home.server.listeners("request") as Listener[];
  if (!handleAtHome) return;
  const dispatch = async (request: IncomingMessage, response: ServerResponse, cell: number, code?: string) => {
    try {
      const server = await findServer(cell);
      if (server && !(code !== undefined && (await isHomeOrder(code, request))))
        return server.routing(request, response);
    } catch (error) {
      faults.set(request, error);
    }
    handleAtHome(request, response);
  };
  home.server.removeAllListeners("request");
  home.server.on("request", (request, response) => {
    const code = orderCodeInPayLink(request);
    const cell = code === undefined ? cellOfRequest(request) : cellOfOrderCode(code);
    if (cell === HOME_CELL) handleAtHome(request, response);
    else void dispatch(request, response, cell, code);
  });
  for (const observe of observers) home.server.on("request", observe);
}
