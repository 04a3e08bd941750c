import type { OtherAttempt, CaseAttempt } from "../../src/recovery/engine/recovery-case.ts";

/* The rules of the networks, written a second time from their text: the rulebook is compared with them. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const VISA_CATEGORY_1 = ["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"];
const WAIT_BY_ADVICE_CODE: Record<string, number> = {
  "02": 72 * HOUR,
  "24": HOUR,
  "25": DAY,
  "26": 2 * DAY,
  "27": 4 * DAY,
  "28": 6 * DAY,
  "29": 8 * DAY,
  "30": 10 * DAY,
};

type TriedAttempt = Pick<CaseAttempt, "at" | "code" | "adviceCode" | "network" | "initiator">;

type CountedAttempt = Pick<TriedAttempt, "at" | "network" | "initiator">;

/**
 * The rules that a merchant's attempt at an instant would break after these attempts; an empty list is a permitted
 * attempt. `onCard` are other attempts with the card, and `alike` those of them that were of the same amount.
 */
export function brokenNetworkRules(
  attempts: readonly TriedAttempt[],
  at: Date,
  otherAttemptsOnCard: readonly OtherAttempt[] = [],
  sameAmountAttempts: readonly OtherAttempt[] = [],
): string[] {
  const mayBelongTo = (network: TriedAttempt["network"]) => (one: CountedAttempt) =>
    one.network === network || one.network === null;
  const countWithin = (of: readonly CountedAttempt[], ms: number) =>
    of.filter((one) => at.getTime() - one.at.getTime() < ms).length;
  const visa = attempts.filter(mayBelongTo("VISA"));
  const mastercard = attempts.filter(mayBelongTo("MASTERCARD"));
  const countOnNetwork = (network: TriedAttempt["network"]) => attempts.filter((one) => one.network === network).length;
  const visaLimit = at < new Date("2025-05-25T00:00:00Z") ? 15 : 20;
  const rules: [string, boolean][] = [
    ["Visa, category 1", visa.some(({ code }) => VISA_CATEGORY_1.includes(code ?? ""))],
    [
      "Visa, 30 days",
      countWithin(
        [...visa, ...otherAttemptsOnCard.filter(mayBelongTo("VISA"))].filter(
          ({ initiator }) => initiator === "MERCHANT",
        ),
        30 * DAY,
      ) >= visaLimit,
    ],
    [
      "Mastercard, 24 hours",
      countWithin([...mastercard, ...sameAmountAttempts.filter(mayBelongTo("MASTERCARD"))], DAY) >= 10,
    ],
    [
      "Mastercard, 30 days",
      countWithin([...mastercard, ...sameAmountAttempts.filter(mayBelongTo("MASTERCARD"))], 30 * DAY) >= 35,
    ],
    ["Mastercard, never", mastercard.some(({ adviceCode }) => adviceCode === "03" || adviceCode === "21")],
    [
      "Mastercard, wait",
      mastercard.some((one) => at.getTime() - one.at.getTime() < (WAIT_BY_ADVICE_CODE[one.adviceCode ?? ""] ?? 0)),
    ],
    ["SEPA", countOnNetwork("SEPA") > 2],
    ["ACH", countOnNetwork("ACH") > 2],
  ];
  return rules.filter(([, is]) => is).map(([rule]) => rule);
}
