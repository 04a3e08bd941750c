import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { denied } from "../../kernel/refusals.ts";
import { parseUrl } from "../../kernel/parsed-url.ts";
import { SESSION_LIFETIME_MS } from "../../vendors/people/session.service.ts";

/** A browser accepts this name over TLS only, from this host only, and for all of its paths. */
const SECURE_NAME = "__Host-recoup-session";

/** The name without TLS, as on a developer's machine. */
const PLAIN_NAME = "recoup-session";

const crossSite = () => denied("CROSS_SITE_REQUEST", "A request with a session must come from a page of this gateway.");

/** Whether the browser reached the gateway, or the proxy before it, by TLS. Its origin says so if it is the gateway's own. */
const isByTls = ({ protocol, headers, server }: FastifyRequest): boolean =>
  protocol === "https" || (headers.origin ?? "").startsWith("https:") || server.address().startsWith("https:");

/** The token in a request's cookies, whichever name it has; only for finding its cell. */
export const sessionTokenIn = ({ [SECURE_NAME]: secure, [PLAIN_NAME]: plain }: Record<string, string | undefined>) =>
  secure || plain;

/**
 * The token in a request's session cookie. By TLS the plain name does not count: another host of the domain can set it.
 * @throws a Refusal CROSS_SITE_REQUEST if there is such a cookie, and another origin's page sent the request.
 */
export function readSessionToken(request: FastifyRequest): string | undefined {
  const { [SECURE_NAME]: secure, [PLAIN_NAME]: plain } = parseCookie(request.headers.cookie ?? "");
  if (!secure && !plain) return undefined;
  requireSameOrigin(request);
  return (isByTls(request) ? secure : plain) || undefined;
}

/** Sends the cookie of a new session, which ends with the session's lifetime. */
export function sendSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, token, SESSION_LIFETIME_MS / 1000);
}

/** Makes the browser delete its session cookie. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, "", 0);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
  const secure = isByTls(request);
  const name = secure ? SECURE_NAME : PLAIN_NAME;
  void reply.header(
    "set-cookie",
    stringifySetCookie({ name, value, path: "/", httpOnly: true, sameSite: "strict", secure, maxAge }),
  );
}

/**
 * Refuses a request that a page of another origin sent, also of another port or subdomain, to which cookies are sent,
 * too. Browsers send `Sec-Fetch-Site` by TLS and to this machine, and `Origin` with every POST.
 * @throws a Refusal CROSS_SITE_REQUEST.
 */
export function requireSameOrigin({ headers, server }: FastifyRequest): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site !== "same-origin") throw crossSite();
    return;
  }
  const origin = parseUrl(headers.origin ?? "");
  const isOwn = origin && (origin.host === headers.host || origin.origin === parseUrl(server.address())?.origin);
  if (!isOwn) throw crossSite();
}
