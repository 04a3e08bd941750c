import type { Initiator, Network } from "../../../schema/vocabulary.ts";
import type { OtherAttempt, RecoveryCase } from "./recovery-case.ts";
import { normalizeCode } from "./decline.ts";
import { rulebookRows, type RulebookRow } from "./rulebook-rows.ts";

/** Rows with a version, so that a decision can record the rulebook that limited it. */
export interface Rulebook {
  version: string;
  rows: readonly RulebookRow[];
}

/** The facts of an attempt that the rulebook needs. */
export interface PastAttempt {
  at: Date;
  code: string | null;
  network: Network | null;
  adviceCode: string | null;
  initiator: Initiator;
}

/** The current limits. A test pins the version to the content. */
export const currentRulebook: Rulebook = { version: "2026-11-21.2", rows: rulebookRows };

/** The row with this name, or null where the present rulebook has none. */
export const findRulebookRow = (id: string): RulebookRow | null =>
  currentRulebook.rows.find((row) => row.id === id) ?? null;

/** The earliest legal time for a try, and the row that moved it, if one did. */
export interface LegalTime {
  /** Null where no time is legal any more. */
  at: Date | null;
  row: RulebookRow | null;
  /** Number of the row's counted attempts that are not of the case. */
  others: number;
}

/** The case's facts about its card: rows that count by card include the other attempts on the same card. */
type CardFacts = Pick<RecoveryCase, "amount" | "currency" | "alongside">;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CARD_NETWORKS: readonly Network[] = ["VISA", "MASTERCARD"];

/**
 * The earliest time at or after the candidate at which every row allows the merchant an attempt. If the network is
 * unknown, the rows of all card networks apply, so that the strictest decides.
 */
export function earliestLegalTime(
  attempts: readonly PastAttempt[],
  candidate: Date,
  rulebook: Rulebook,
  card: CardFacts | null = null,
): LegalTime {
  let legal: LegalTime & { at: Date } = { at: candidate, row: null, others: 0 };
  for (;;) {
    const from = legal.at;
    const day = from.toISOString().slice(0, 10);
    for (const row of rulebook.rows) {
      if (!isInForce(row, day)) continue;
      const { at, others } = beforeItEnds(row, earliestAllowedBy(row, attempts, legal.at, card));
      if (!at) return { at: null, row, others };
      if (at > legal.at) legal = { at, row, others };
    }
    // On a later day other rows may be in force.
    if (legal.at.getTime() === from.getTime()) return legal;
  }
}

/** The longest window of rows that count by card, in milliseconds: older attempts have no effect. */
export const longestRateWindowMs = ({ rows }: Rulebook): number =>
  Math.max(0, ...rows.map(({ limit }) => (limit.kind === "RATE" ? limit.hours * HOUR_MS : 0)));

const isInForce = ({ effectiveFrom, effectiveTo }: RulebookRow, day: string): boolean =>
  (effectiveFrom === null || effectiveFrom <= day) && (effectiveTo === null || day <= effectiveTo);

/** A row forbids nothing after its last day, however long the wait that it asks for. */
function beforeItEnds({ effectiveTo }: RulebookRow, allowed: Omit<LegalTime, "row">): Omit<LegalTime, "row"> {
  if (effectiveTo === null) return allowed;
  const end = new Date(Date.parse(`${effectiveTo}T00:00:00Z`) + DAY_MS);
  return allowed.at !== null && allowed.at <= end ? allowed : { ...allowed, at: end };
}

/** The earliest time at or after the candidate that one row allows, or null where it allows none. */
function earliestAllowedBy(
  row: RulebookRow,
  attempts: readonly PastAttempt[],
  candidate: Date,
  card: CardFacts | null,
): Omit<LegalTime, "row"> {
  const { limit } = row;
  const relevant = attempts.filter((attempt) => appliesTo(row, attempt)).map(({ at }) => ({ at, isOther: false }));
  if (limit.kind === "NEVER") return { at: relevant.length > 0 ? null : candidate, others: 0 };
  if (limit.kind === "REPRESENTMENTS") return { at: relevant.length > limit.tries ? null : candidate, others: 0 };
  const limitCount = limit.kind === "FLOOR" ? 1 : limit.tries;
  const counted = [...relevant, ...(limit.kind === "RATE" && card ? countedOtherAttempts(row, card) : [])]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, limitCount);
  const last = counted[limitCount - 1];
  const allowedFrom = last ? last.at.getTime() + limit.hours * HOUR_MS : 0;
  if (!last || allowedFrom <= candidate.getTime()) return { at: candidate, others: 0 };
  return { at: new Date(allowedFrom), others: counted.filter(({ isOther }) => isOther).length };
}

/** The other attempts on the card that a row counts. */
function countedOtherAttempts(row: RulebookRow, { amount, currency, alongside: otherAttempts }: CardFacts) {
  const hasSameAmount = (one: OtherAttempt): boolean => one.currency === currency && one.amount.eq(amount);
  const isCounted = (one: OtherAttempt): boolean =>
    row.scope !== "MANDATE" &&
    appliesTo(row, { ...one, code: null, adviceCode: null }) &&
    (row.scope === "CARD" || hasSameAmount(one));
  return otherAttempts.filter(isCounted).map(({ at }) => ({ at, isOther: true }));
}

/** Whether a row applies to an attempt. */
export function appliesTo(row: RulebookRow, { network, code, adviceCode, initiator }: PastAttempt): boolean {
  if (network === null ? !CARD_NETWORKS.includes(row.network) : row.network !== network) return false;
  if (row.initiatorsApart && initiator !== "MERCHANT") return false;
  if (row.codes) return row.codes.includes(normalizeCode(code));
  return row.adviceCode === undefined || row.adviceCode === normalizeCode(adviceCode);
}
