import { normalizeOrigin } from "../vendors/vendor-settings.rules.ts";

/** How a payer left the checkout, as reported to the vendor's page. */
export type CheckoutOutcome = "success" | "error" | "cancel";

const MAX_URL_LENGTH = 2048;

const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Reads the address of a page that a payer's browser may be sent back to, as browsers do, and answers it as they write it,
 * so that what was checked is what is followed. Without origins any will do.
 * @throws {RangeError} with a sentence for the caller.
 */
export function readReturnUrl(text: string, origins: readonly string[]): string {
  // A browser would leave some of them out, and go somewhere else than what was read here.
  if (CONTROL_CHARACTER.test(text)) throw new RangeError("must have no control characters.");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new RangeError("must be an http or https address.");
  if (url.username !== "" || url.password !== "") throw new RangeError("must not contain a user or a password.");
  if (url.href.length > MAX_URL_LENGTH) throw new RangeError(`must have at most ${MAX_URL_LENGTH} characters.`);
  if (origins.length > 0 && !origins.some((origin) => normalizeOrigin(origin) === url.origin))
    throw new RangeError("must be on one of the vendor's returnOrigins.");
  return url.href;
}

/** The address with which the vendor's page learns what became of the order. */
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
