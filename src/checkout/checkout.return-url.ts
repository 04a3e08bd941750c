import { parseUrl } from "../kernel/parsed-url.ts";
import { normalizeOrigin } from "../vendors/vendor-settings.rules.ts";

/** The outcome of the checkout, as reported to the vendor's page. */
export type CheckoutOutcome = "success" | "error" | "cancel";

const MAX_URL_LENGTH = 2048;

const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Checks a return address and returns it in the form that browsers use, so that the checked address is the one that is
 * followed. Without `origins`, every origin is allowed.
 * @throws {RangeError} with a sentence for the caller.
 */
export function readReturnUrl(text: string, origins: readonly string[]): string {
  // Browsers remove some control characters, so they would follow another address than the checked one.
  if (CONTROL_CHARACTER.test(text)) throw new RangeError("must not contain control characters.");
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new RangeError("must be an http or https address.");
  if (url.username !== "" || url.password !== "") throw new RangeError("must not contain a user or a password.");
  if (url.href.length > MAX_URL_LENGTH) throw new RangeError(`must have at most ${MAX_URL_LENGTH} characters.`);
  if (origins.length > 0 && !origins.some((origin) => normalizeOrigin(origin) === url.origin))
    throw new RangeError("must be on one of the vendor's returnOrigins.");
  return url.href;
}

/** Adds the order and the outcome of the checkout to a return address. */
export function addOrderOutcome(
  address: string,
  { id, code }: { id: number; code: string },
  status: CheckoutOutcome,
): string {
  const url = new URL(address);
  url.searchParams.set("order_id", String(id));
  url.searchParams.set("order_code", code);
  url.searchParams.set("status", status);
  return url.href;
}
