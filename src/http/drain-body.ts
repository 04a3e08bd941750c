import { finished } from "node:stream/promises";
import type { FastifyInstance } from "fastify";

/** Time that a caller may continue to send an unread body. */
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Drains request bodies before the answer. An early answer is often followed by the end of the connection; a connection
 * that is closed while bytes still arrive is reset, and a reset discards an answer that the caller has not read yet.
 * Most callers read only after they have written all. The drained bytes are discarded.
 */
export function drainRequestBodies(server: FastifyInstance): void {
  server.addHook("onSend", async ({ raw }, reply) => {
    // An injected request has no connection, and nothing to complete.
    if (raw.complete || !("complete" in raw)) return;
    raw.resume();
    const ended = finished(raw, { signal: AbortSignal.timeout(DRAIN_TIMEOUT_MS), writable: false, cleanup: true });
    // A caller that never stops sending is cut off.
    await ended.catch(() => void reply.header("connection", "close"));
  });
}
