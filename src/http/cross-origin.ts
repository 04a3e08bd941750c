import cors, { type FastifyCorsOptions } from "@fastify/cors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isBrowserOrigin } from "../kernel/browser-origin.ts";
import { pathOf } from "./route-index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The origin whose pages may read the answer, because the request's Session-Token is bound to it. */
    boundOrigin: string | undefined;
  }
}

/** Web origins that may use a sandbox vendor's token: Apollo's hosted Sandbox, and any page on this machine. */
const SANDBOX_WEB_ORIGINS = [
  /^https:\/\/studio\.apollographql\.com$/,
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/,
];

const EXPOSED_HEADERS = [
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Ignored-Fields",
  "X-Ignored-Parameters",
  "X-Total-Count",
];

/** Seconds for which a browser need not ask again. Each request is checked by itself, so nothing depends on it. */
const PREFLIGHT_MAX_AGE = 600;

const SANDBOX_OPTIONS: FastifyCorsOptions = {
  origin: SANDBOX_WEB_ORIGINS,
  methods: ["GET", "POST", "PUT", "PATCH"],
  exposedHeaders: EXPOSED_HEADERS,
  strictPreflight: false,
  maxAge: PREFLIGHT_MAX_AGE,
};

/**
 * Lets pages of other origins read answers, always without cookies. A live vendor's Secret-Token belongs to a back end: no
 * page may read what it is answered. A preflight shows no token, only the names of headers: pages of each origin may send
 * a Session-Token, and the answer is shared with the origin of a valid one only.
 */
export async function allowCrossOriginRequests(server: FastifyInstance): Promise<void> {
  server.decorateRequest("boundOrigin", undefined);
  await server.register(cors, {
    delegator: (request, done) => done(null, corsOptionsOf(request)),
  });
  server.addHook("onSend", async ({ vendor, boundOrigin }, reply) => {
    if (vendor && !vendor.sandbox && boundOrigin === undefined) reply.removeHeader("access-control-allow-origin");
  });
}

/** Lets pages of an origin read the answer, whose Session-Token is bound to that origin. */
export function shareWithBoundOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  request.boundOrigin = origin;
  void reply.header("access-control-allow-origin", origin);
}

function corsOptionsOf(request: FastifyRequest): FastifyCorsOptions {
  const { method, headers } = request;
  if (method === "OPTIONS") return announcesSessionToken(request) ? sessionOptionsFor(headers.origin) : SANDBOX_OPTIONS;
  const hasSessionToken = headers["session-token"] !== undefined && headers["secret-token"] === undefined;
  // Whether the origin may read the answer is known when the token has been read.
  return hasSessionToken ? { ...SANDBOX_OPTIONS, origin: [] } : SANDBOX_OPTIONS;
}

const sessionOptionsFor = (origin = ""): FastifyCorsOptions => ({
  ...SANDBOX_OPTIONS,
  origin: isBrowserOrigin(origin) ? [origin] : [],
  methods: ["POST"],
});

/** Whether a browser asks before a page sends a Session-Token, and no Secret-Token, to the path that accepts it. */
function announcesSessionToken({ url, headers }: FastifyRequest): boolean {
  if (pathOf(url) !== "/graphql") return false;
  const names = (headers["access-control-request-headers"] ?? "").toLowerCase().split(/\s*,\s*/);
  return names.includes("session-token") && !names.includes("secret-token");
}
