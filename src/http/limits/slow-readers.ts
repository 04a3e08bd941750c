import { Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** The time limits for callers to read an answer. */
export interface SlowReaderOptions {
  /** The time that every answer has, in milliseconds. */
  baseTimeoutMs: number;
  /** The bytes for which it has one more second. */
  bytesPerSecond: number;
  /** Maximum of unread bytes at the same time; beyond it, the connections that have been reading longest are closed. */
  maxUnreadBytes: number;
  /** A reader is not cut off for others before it has had this time, in milliseconds. */
  minReadingMs: number;
}

const DEFAULT_SLOW_READER_OPTIONS: SlowReaderOptions = {
  baseTimeoutMs: 10_000,
  bytesPerSecond: 512 * 1024,
  maxUnreadBytes: 64 * 1024 * 1024,
  minReadingMs: 1_000,
};

/** Larger answers are written to the connection in chunks, so that the part that was read is known and freed. */
const CHUNK_BYTES = 64 * 1024;

const SWEEP_INTERVAL_MS = 250;

/** An answer that is not read yet. */
interface UnreadResponse {
  socket: Socket;
  bytes: number;
  since: number;
  deadline: number;
}

/**
 * Closes connections whose callers read their answers too slowly, because unread bytes stay in memory. Bytes in the
 * operating system's buffers count as read.
 */
export function disconnectSlowReaders(server: FastifyInstance, options = DEFAULT_SLOW_READER_OPTIONS): void {
  const unread = new Map<ServerResponse, UnreadResponse>();
  let unreadBytes = 0;

  const sweep = () => {
    const now = performance.now();
    // A map preserves the order of its entries: the connections that have been reading longest come first.
    for (const [response, { socket, deadline, since }] of unread) {
      const isOverLimit = unreadBytes > options.maxUnreadBytes && now - since > options.minReadingMs;
      if (now <= deadline && !isOverLimit) continue;
      removeUnread(response);
      socket.destroy();
      server.log.info("closed the connection of a client that read its answer too slowly");
    }
    if (unread.size === 0) stopSweeping();
  };
  let timer: NodeJS.Timeout | undefined;
  const stopSweeping = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const removeUnread = (response: ServerResponse) => {
    const entry = unread.get(response);
    if (!entry) return;
    unreadBytes -= entry.bytes;
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
    const deadline = since + options.baseTimeoutMs + (bytes / options.bytesPerSecond) * 1000;
    unread.set(raw, { socket, bytes, since, deadline });
    unreadBytes += bytes;
    raw.once("finish", () => removeUnread(raw)).once("close", () => removeUnread(raw));
    timer ??= setInterval(sweep, SWEEP_INTERVAL_MS).unref();
    if (bytes <= CHUNK_BYTES) return payload;
    void reply.header("content-length", bytes);
    return Readable.from(chunksOf(Buffer.from(payload)), { objectMode: false, highWaterMark: CHUNK_BYTES });
  });
  server.addHook("onClose", async () => stopSweeping());
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
}
