import type { CardTry, CaseAttempt } from "../../src/recovery/engine/recovery-case.ts";

/* The rules of the networks, written down a second time and from their text: what the rulebook is held to. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CATEGORY_1 = ["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"];
const WAIT: Record<string, number> = {
  "02": 72 * HOUR,
  "24": HOUR,
  "25": DAY,
  "26": 2 * DAY,
  "27": 4 * DAY,
  "28": 6 * DAY,
  "29": 8 * DAY,
  "30": 10 * DAY,
};

type Tried = Pick<CaseAttempt, "at" | "code" | "adviceCode" | "network" | "initiator">;

type Counted = Pick<Tried, "at" | "network" | "initiator">;

/**
 * The rules that a merchant's try at an instant would break after these attempts; none is the good answer. `onCard` are other tries
 * with the card, and `alike` those of them that were of the same amount.
 */
export function breachesOf(
  attempts: readonly Tried[],
  at: Date,
  onCard: readonly CardTry[] = [],
  alike: readonly CardTry[] = [],
): string[] {
  const may = (network: Tried["network"]) => (one: Counted) => one.network === network || one.network === null;
  const within = (of: readonly Counted[], ms: number) =>
    of.filter((one) => at.getTime() - one.at.getTime() < ms).length;
  const visa = attempts.filter(may("VISA"));
  const mastercard = attempts.filter(may("MASTERCARD"));
  const told = (network: Tried["network"]) => attempts.filter((one) => one.network === network).length;
  const most = at < new Date("2025-05-25T00:00:00Z") ? 15 : 20;
  const broken: [string, boolean][] = [
    ["Visa, category 1", visa.some(({ code }) => CATEGORY_1.includes(code ?? ""))],
    [
      "Visa, 30 days",
      within(
        [...visa, ...onCard.filter(may("VISA"))].filter(({ initiator }) => initiator === "MERCHANT"),
        30 * DAY,
      ) >= most,
    ],
    ["Mastercard, 24 hours", within([...mastercard, ...alike.filter(may("MASTERCARD"))], DAY) >= 10],
    ["Mastercard, 30 days", within([...mastercard, ...alike.filter(may("MASTERCARD"))], 30 * DAY) >= 35],
    ["Mastercard, never", mastercard.some(({ adviceCode }) => adviceCode === "03" || adviceCode === "21")],
    ["Mastercard, wait", mastercard.some((one) => at.getTime() - one.at.getTime() < (WAIT[one.adviceCode ?? ""] ?? 0))],
    ["SEPA", told("SEPA") > 2],
    ["ACH", told("ACH") > 2],
  ];
  return broken.filter(([, is]) => is).map(([rule]) => rule);
}
