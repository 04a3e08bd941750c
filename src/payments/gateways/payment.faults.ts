/** Codes of attempts that no bank declined: the gateway was not reached, or never made the charge. */
export const faultCodes: readonly string[] = ["GATEWAY_UNAVAILABLE", "NOT_CHARGED"];

/**
 * Whether an attempt failed by a fault of the service or of the connection to the gateway: it is not counted against
 * the payer or the card.
 */
export const isFaultCode = (code: string | null | undefined): boolean => faultCodes.includes(code ?? "");

const MIN_DELAY_MS = 60_000;
const MAX_DELAY_MS = 3_600_000;

/**
 * The delay of a charge after a fault, in milliseconds: as long as the faults have lasted so far, so that each delay is
 * twice the last one, from a minute to an hour.
 */
export const delayAfterFault = (first: Date, now: Date): number =>
  Math.min(Math.max(now.getTime() - first.getTime(), MIN_DELAY_MS), MAX_DELAY_MS);
