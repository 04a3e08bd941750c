import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { getOrThrow } from "../kernel/required-values.ts";

/** How long a connection that is open when the server closes may stay without a request: one may just be on its way. */
const IDLE_CONNECTION_MS = 1_000;

/** How long requests that began before the server closed may still take; the process is ended a few seconds later. */
const LAST_REQUESTS_MS = 15_000;

/**
 * Lets the server close although connections are open on which no request arrives: a browser opens some ahead of need. Node
 * waits for those without an end, because it looks for late requests no more once a server closes.
 */
export function closeIdleConnectionsOnShutdown(server: FastifyInstance): void {
  const open = new Set<Socket>();
  const busy = new Map<Socket, number>();
  server.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const others = getOrThrow(busy, socket) - 1;
      if (others > 0) busy.set(socket, others);
      else busy.delete(socket);
    });
  });
  server.addHook("preClose", async () => {
    setTimeout(() => {
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    }, IDLE_CONNECTION_MS).unref();
    setTimeout(() => server.server.closeAllConnections(), LAST_REQUESTS_MS).unref();
  });
}
