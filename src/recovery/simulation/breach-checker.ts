import type { Network } from "../../../schema/vocabulary.ts";

/*
 * The limits of the networks a second time, written from their description and not from the engine's rows, so that one of the two
 * finds the other's mistakes. It reads each limit as strictly as it can be read: the first charge counts as a try.
 */

/** A charge on one card or mandate for one amount. */
export interface CheckedCharge {
  at: number;
  /** The code of its decline. */
  code?: string;
  adviceCode?: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 25 May 2025: from then on one network allows twenty instead of fifteen. */
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
 * The limits that a merchant's attempt at an instant breaks, given the earlier charges (`before`, in order of time) on
 * the same card; empty for a legal one. If the network is unknown, the limits of all networks apply.
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
