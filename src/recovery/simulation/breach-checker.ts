import type { Network } from "../../../schema/vocabulary.ts";

/*
 * The limits of the networks a second time, written from their description and not from the engine's rows, so that one of the two
 * finds the other's mistakes. It reads each limit as strictly as it can be read: the first charge counts as a try.
 */

/** A charge on one card or mandate for one amount. */
export interface Charge {
  at: number;
  /** What its decline said. */
  code?: string;
  adviceCode?: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 25 May 2025: from then on one network allows twenty instead of fifteen. */
const TWENTY_FROM = Date.UTC(2025, 4, 25);

const GONE = new Set(["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"]);
const ADVISED_NEVER = new Set(["03", "21"]);
const ADVISED_WAIT: Readonly<Record<string, number>> = {
  "02": 72 * HOUR,
  "24": HOUR,
  "25": DAY,
  "26": 2 * DAY,
  "27": 4 * DAY,
  "28": 6 * DAY,
  "29": 8 * DAY,
  "30": 10 * DAY,
};

const two = (code = ""): string => code.trim().toUpperCase().padStart(2, "0");

/**
 * The limits that a merchant's try at an instant breaks, given the charges before it (`before`, in order of time) on the same card;
 * empty for a legal one. A network that nobody told is held to those of all cards.
 */
export function breachesOf(network: Network | null, before: readonly Charge[], at: number): string[] {
  const found: string[] = [];
  const within = (span: number) => before.filter((charge) => charge.at > at - span).length + 1;
  if (network === "VISA" || network === null) {
    if (before.some(({ code }) => GONE.has(two(code)))) found.push("Visa: a card that is gone was tried again");
    const most = at < TWENTY_FROM ? 15 : 20;
    if (within(30 * DAY) > most) found.push(`Visa: more than ${most} in 30 days`);
  }
  if (network === "MASTERCARD" || network === null) {
    if (within(DAY) > 10) found.push("Mastercard: more than 10 in 24 hours");
    if (within(30 * DAY) > 35) found.push("Mastercard: more than 35 in 30 days");
    if (before.some(({ adviceCode }) => ADVISED_NEVER.has(two(adviceCode))))
      found.push("Mastercard: tried again against the advice never to");
    if (before.some((charge) => at < charge.at + (ADVISED_WAIT[two(charge.adviceCode)] ?? 0)))
      found.push("Mastercard: earlier than advised");
  }
  if ((network === "SEPA" || network === "ACH") && before.length > 2) found.push(`${network}: more than 2 tries again`);
  return found;
}
