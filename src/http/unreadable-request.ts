import type { Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { newTraceId } from "../kernel/tracing.ts";

/** Time for a caller to hang up after the refusal of an unreadable request. */
const HANG_UP_TIMEOUT_MS = 1_000;

const responseByStatus = {
  400: ["Bad Request", "The HTTP request cannot be parsed."],
  408: ["Request Timeout", "The request did not arrive in time; send it faster."],
} as const;

/** Answers what is no request, or has not become one in time, and closes the connection. No hook of the server runs for it. */
export function sendUnreadable(errorCode: string | undefined, socket: Socket, logger: FastifyBaseLogger): void {
  const status = errorCode === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const [reason, errorMessage] = responseByStatus[status];
  const traceId = newTraceId();
  logger.info({ traceId, status, errorCode: "BAD_REQUEST" }, "answered");
  if (!socket.writable) return;
  const body = JSON.stringify({ errorCode: "BAD_REQUEST", traceId, errorMessage });
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
  // A caller that continues to send would never let it close.
  setTimeout(() => socket.destroy(), HANG_UP_TIMEOUT_MS).unref();
}
