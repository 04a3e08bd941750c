import type { IncomingMessage } from "node:http";
import { parseCookie } from "cookie";
import { cellOfToken, cellOfVendor, cellOfVendorUuid, HOME_CELL } from "../kernel/cell-numbers.ts";
import { sessionTokenIn } from "./authentication/session-cookie.ts";

/** Signed links and session tokens begin with their vendor's id; whoever opens them checks the signature. */
function cellOfSignedValues(text: string): number {
  try {
    const [payload = ""] = text.split(".");
    const [vendorId] = JSON.parse(Buffer.from(payload, "base64url").toString()) as unknown[];
    return typeof vendorId === "number" && Number.isSafeInteger(vendorId) && vendorId > 0
      ? cellOfVendor(vendorId)
      : HOME_CELL;
  } catch {
    return HOME_CELL;
  }
}

/** Paths whose second part says what they belong to. */
const cellByPath: Readonly<Record<string, (part: string) => number>> = {
  checkout: cellOfSignedValues,
  "payment-method": cellOfSignedValues,
  callbacks: cellOfVendorUuid,
};

/** A charge of the simulated gateway, whose reference has its vendor's id. */
const SIMULATED_CHARGE_PATH = /^\/simulated-gateway\/charges\/sim_(\d{1,15})_/;

/** Paths that act for the person of a session. Those that begin a session are not among them: they find its cell by other means. */
const acceptsSession = (path: string): boolean =>
  path === "/graphql" || path === "/console/sign-out" || path.startsWith("/console/second-factor");

/** The code in a payer's link, which needs no token; undefined for any other request. */
export const orderCodeInPayLink = ({ url = "" }: Pick<IncomingMessage, "url">): string | undefined =>
  /^\/api\/public\/orders\/(order_[A-Za-z\d]{9})\/pay(?:\?|$)/.exec(url)?.[1];

/**
 * The cell whose vendor a request names: by its token, its session, or its path. The identifiers say so themselves and are not
 * checked here. A request that names no vendor is for the home database.
 */
export function cellOfRequest({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): number {
  const { "secret-token": token, "session-token": sessionToken, cookie } = headers;
  if (typeof token === "string") return cellOfToken(token);
  const path = url.split("?", 1)[0] ?? "";
  if (path === "/graphql" && typeof sessionToken === "string")
    return cellOfSignedValues(sessionToken.replace(/^recoup_session_/, ""));
  if (cookie !== undefined && acceptsSession(path)) return cellOfToken(sessionTokenIn(parseCookie(cookie)) ?? "");
  const [, vendorId] = SIMULATED_CHARGE_PATH.exec(path) ?? [];
  if (vendorId !== undefined) return cellOfVendor(Number(vendorId));
  const [, first = "", second = ""] = path.split("/");
  return Object.hasOwn(cellByPath, first) ? (cellByPath[first]?.(second) ?? HOME_CELL) : HOME_CELL;
}
