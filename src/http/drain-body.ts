import { finished } from "node:stream/promises";
import type { FastifyInstance } from "fastify";

/** How long a caller may go on sending what is not read. */
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Lets a caller finish before it is answered. An answer that comes early is often followed by the end of the connection; a
 * connection that ends while bytes still arrive is reset, and a reset takes the answer away from a caller who has not read
 * it yet. Most callers read only when they have written all. Nothing of what is left is kept.
 */
export function drainRequestBodies(server: FastifyInstance): void {
  server.addHook("onSend", async ({ raw }, reply) => {
    // An injected request has no connection, and nothing to complete.
    if (raw.complete || !("complete" in raw)) return;
    raw.resume();
    const ended = finished(raw, { signal: AbortSignal.timeout(DRAIN_TIMEOUT_MS), writable: false, cleanup: true });
    // Whoever goes on for ever is cut off.
    await ended.catch(() => void reply.header("connection", "close"));
  });
}
