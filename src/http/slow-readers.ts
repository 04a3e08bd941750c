import { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How soon callers must have read an answer. */
export interface SlowReaderRules {
  /** The time that every answer has, in milliseconds. */
  patienceMs: number;
  /** The bytes for which it has one more second. */
  bytesPerSecond: number;
  /** What may wait to be read at the same time, in bytes; beyond it those who have been reading longest are cut off. */
  mostUnread: number;
  /** A reader is not cut off for others before it has had this time, in milliseconds. */
  spareMs: number;
}

const usualRules: SlowReaderRules = {
  patienceMs: 10_000,
  bytesPerSecond: 512 * 1024,
  mostUnread: 64 * 1024 * 1024,
  spareMs: 1_000,
};

/** Larger answers are handed to the connection piece by piece, so that what is read of them is known and let go of. */
const PIECE = 64 * 1024;

const SWEEP_EVERY_MS = 250;

/** An answer that is not read yet. */
interface Unread {
  socket: Socket;
  bytes: number;
  since: number;
  deadline: number;
}

/**
 * Closes connections whose callers read their answers too slowly: what they do not read stays in memory. Bytes that the
 * system's own buffers hold count as read.
 */
export function cutSlowReaders(server: FastifyInstance, rules = usualRules): void {
  const unread = new Map<ServerResponse, Unread>();
  let waiting = 0;

  const sweep = () => {
    const now = performance.now();
    // A map keeps the order of its entries: those that have been reading longest come first.
    for (const [response, { socket, deadline, since }] of unread) {
      const isOver = waiting > rules.mostUnread && now - since > rules.spareMs;
      if (now <= deadline && !isOver) continue;
      forget(response);
      socket.destroy();
      server.log.info("a caller was cut off that read its answer too slowly");
    }
    if (unread.size === 0) stopSweeping();
  };
  let timer: NodeJS.Timeout | undefined;
  const stopSweeping = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const forget = (response: ServerResponse) => {
    const known = unread.get(response);
    if (!known) return;
    waiting -= known.bytes;
    unread.delete(response);
  };
  server.addHook("onSend", async (request, reply, payload) => {
    const { raw } = reply;
    // The answer itself has no socket as long as an earlier one on its connection is not read.
    const { socket } = request.raw;
    // An injected request has no connection.
    if (!(typeof payload === "string" || Buffer.isBuffer(payload)) || !(socket instanceof Socket)) return payload;
    const bytes = Buffer.byteLength(payload);
    const since = performance.now();
    const deadline = since + rules.patienceMs + (bytes / rules.bytesPerSecond) * 1000;
    unread.set(raw, { socket, bytes, since, deadline });
    waiting += bytes;
    raw.once("finish", () => forget(raw)).once("close", () => forget(raw));
    timer ??= setInterval(sweep, SWEEP_EVERY_MS).unref();
    if (bytes <= PIECE) return payload;
    void reply.header("content-length", bytes);
    return Readable.from(pieces(Buffer.from(payload)), { objectMode: false, highWaterMark: PIECE });
  });
  server.addHook("onClose", async () => stopSweeping());
}

function* pieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE);
}
