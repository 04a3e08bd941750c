import type { IncomingMessage } from "node:http";
import { DrizzleQueryError } from "drizzle-orm";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { maskCardNumbers } from "../kernel/secrets/card-mask.ts";
import { newTraceId } from "../kernel/tracing.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The code of the error that was answered, for the log. */
    errorCode: string | undefined;
  }
}

const TRACEPARENT_PATTERN = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id of a request: the caller's trace, where it sends one in W3C form, else a new one. */
export const traceIdOf = ({ headers }: IncomingMessage): string =>
  TRACEPARENT_PATTERN.exec(String(headers["traceparent"]))?.[1] ?? newTraceId();

/** A response that was sent, as metrics count it. */
export interface ObservedResponse {
  method: string;
  /** The pattern of the route; `none` if there was none. */
  route: string;
  status: number;
  seconds: number;
}

export const toObservedResponse = (
  { method, routeOptions }: FastifyRequest,
  { statusCode: status, elapsedTime }: FastifyReply,
): ObservedResponse => ({ method, route: routeOptions.url ?? "none", status, seconds: elapsedTime / 1000 });

/** Has each request reported, after its response. */
export function reportRequests(
  server: FastifyInstance,
  report: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  server.decorateRequest("errorCode", undefined);
  server.addHook("onResponse", async (request, reply) => report(request, reply));
}

/** Writes the line of one request: the operation and its result. Never the query string, a body or a header. */
export function logResponse(
  { method, routeOptions, vendor, errorCode, log }: FastifyRequest,
  reply: FastifyReply,
): void {
  const line = { method, route: routeOptions.url ?? "none", status: reply.statusCode, vendorId: vendor?.id, errorCode };
  log.info({ ...line, milliseconds: Math.round(reply.elapsedTime * 10) / 10 }, "answered");
}

/**
 * The loggable part of an error. A database's messages can repeat values, so only its codes and our statement are
 * logged.
 */
export function toLoggableError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  if (error instanceof DrizzleQueryError)
    return {
      name: error.name,
      statement: error.query,
      stack: stackFramesOf(error),
      cause: toLoggableError(error.cause),
    };
  const { code, constraint_name, routine } = error as Error & Record<string, unknown>;
  if (error.name === "PostgresError") return { name: error.name, code, constraint_name, routine };
  return {
    name: error.name,
    message: maskCardNumbers(error.message),
    code,
    stack: stackFramesOf(error),
    ...(error.cause ? { cause: toLoggableError(error.cause) } : {}),
  };
}

const stackFramesOf = ({ stack }: Error): string[] =>
  (stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
