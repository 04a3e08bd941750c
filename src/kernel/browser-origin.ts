import { parseUrl } from "./parsed-url.ts";

/** The names of the own machine, which browsers trust without TLS. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a text is exactly what browsers send as `Origin` for pages by TLS, or for pages of the own machine. */
export function isBrowserOrigin(text: string): boolean {
  const url = parseUrl(text);
  // A URL accepts `*` in a name; browsers know no wildcards, so it would be an origin that never sends a request.
  if (!url || url.origin !== text || text.includes("*")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK_NAMES.has(url.hostname));
}
