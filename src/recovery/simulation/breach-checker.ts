import type { Network } from "../../../schema/vocabulary.ts";

/*
 * A second implementation of the networks' limits. It is written from their descriptions and not from the engine's rulebook, so that
 * each of the two reveals errors in the other. It reads each limit strictly: the first charge counts as an attempt.
 */

/** A charge of one amount on one card or mandate. */
export interface CheckedCharge {
  at: number;
  /** The decline code. */
  code?: string;
  adviceCode?: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Since 25 May 2025, one network allows 20 attempts instead of 15. */
const TWENTY_ATTEMPTS_FROM = Date.UTC(2025, 4, 25);

const CLOSED_CARD_CODES = new Set(["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"]);
const NEVER_RETRY_ADVICE = new Set(["03", "21"]);
const DELAY_OF_ADVICE: Readonly<Record<string, number>> = {
  "02": 72 * HOUR,
  "24": HOUR,
  "25": DAY,
  "26": 2 * DAY,
  "27": 4 * DAY,
  "28": 6 * DAY,
  "29": 8 * DAY,
  "30": 10 * DAY,
};

const twoDigitCode = (code = ""): string => code.trim().toUpperCase().padStart(2, "0");

/**
 * Returns the limits that a merchant's attempt at an instant breaks, given the earlier charges on the same card in order
 * of time. Empty if the attempt is legal. If the network is unknown, the limits of all networks apply.
 */
export function findBreaches(network: Network | null, earlierCharges: readonly CheckedCharge[], at: number): string[] {
  const breaches: string[] = [];
  const countWithin = (span: number) => earlierCharges.filter((charge) => charge.at > at - span).length + 1;
  if (network === "VISA" || network === null) {
    if (earlierCharges.some(({ code }) => CLOSED_CARD_CODES.has(twoDigitCode(code))))
      breaches.push("Visa: a card with a permanent decline was tried again");
    const limit = at < TWENTY_ATTEMPTS_FROM ? 15 : 20;
    if (countWithin(30 * DAY) > limit) breaches.push(`Visa: more than ${limit} in 30 days`);
  }
  if (network === "MASTERCARD" || network === null) {
    if (countWithin(DAY) > 10) breaches.push("Mastercard: more than 10 in 24 hours");
    if (countWithin(30 * DAY) > 35) breaches.push("Mastercard: more than 35 in 30 days");
    if (earlierCharges.some(({ adviceCode }) => NEVER_RETRY_ADVICE.has(twoDigitCode(adviceCode))))
      breaches.push("Mastercard: tried again against the advice never to retry");
    if (earlierCharges.some((charge) => at < charge.at + (DELAY_OF_ADVICE[twoDigitCode(charge.adviceCode)] ?? 0)))
      breaches.push("Mastercard: tried again earlier than advised");
  }
  if ((network === "SEPA" || network === "ACH") && earlierCharges.length > 2)
    breaches.push(`${network}: more than 2 retries`);
  return breaches;
}
