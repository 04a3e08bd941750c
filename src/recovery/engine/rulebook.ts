import type { Initiator, Network } from "../../../schema/vocabulary.ts";
import { normalCode } from "./decline.ts";
import { rulebookRows, type RulebookRow } from "./rulebook-rows.ts";

/** Rows with a version, so that a decision can say what it was held to. */
export interface Rulebook {
  version: string;
  rows: readonly RulebookRow[];
}

/** What the rulebook wants to know of an attempt. */
export interface PastAttempt {
  at: Date;
  code: string | null;
  network: Network | null;
  adviceCode: string | null;
  initiator: Initiator;
}

/** The limits that hold today. A test holds the version to the content. */
export const currentRulebook: Rulebook = { version: "2026-11-21.2", rows: rulebookRows };

/** The row with this name, or null where the present rulebook has none. */
export const ruleOf = (id: string): RulebookRow | null => currentRulebook.rows.find((row) => row.id === id) ?? null;

/** The earliest legal time for a try, and the row that moved it, if one did. */
export interface LegalTime {
  /** Null where no time is legal any more. */
  at: Date | null;
  row: RulebookRow | null;
}

const HOUR_MS = 3_600_000;
const CARD_NETWORKS: readonly Network[] = ["VISA", "MASTERCARD"];

/**
 * The earliest time at or after the candidate at which every row allows the merchant a try. Where nobody told the network,
 * the rows of all card networks hold, so that the strictest decides.
 */
export function legalFrom(attempts: readonly PastAttempt[], candidate: Date, rulebook: Rulebook): LegalTime {
  let legal: LegalTime & { at: Date } = { at: candidate, row: null };
  for (;;) {
    const from = legal.at;
    const day = from.toISOString().slice(0, 10);
    for (const row of rulebook.rows) {
      if (!isInForce(row, day)) continue;
      const at = allows(row, attempts, legal.at);
      if (!at) return { at: null, row };
      if (at > legal.at) legal = { at, row };
    }
    // On a later day other rows may be in force.
    if (legal.at.getTime() === from.getTime()) return legal;
  }
}

const isInForce = ({ effectiveFrom, effectiveTo }: RulebookRow, day: string): boolean =>
  (effectiveFrom === null || effectiveFrom <= day) && (effectiveTo === null || day <= effectiveTo);

/** The earliest time at or after the candidate that one row allows, or null where it allows none. */
function allows(row: RulebookRow, attempts: readonly PastAttempt[], candidate: Date): Date | null {
  const { limit } = row;
  const meant = attempts.filter((attempt) => isMeant(row, attempt)).map(({ at }) => at.getTime());
  if (limit.kind === "NEVER") return meant.length > 0 ? null : candidate;
  if (limit.kind === "REPRESENTMENTS") return meant.length > limit.tries ? null : candidate;
  const last = meant.sort((a, b) => b - a)[limit.kind === "FLOOR" ? 0 : limit.tries - 1];
  if (last === undefined) return candidate;
  const free = last + limit.hours * HOUR_MS;
  return free > candidate.getTime() ? new Date(free) : candidate;
}

/** Whether a row is about an attempt. */
export function isMeant(row: RulebookRow, { network, code, adviceCode, initiator }: PastAttempt): boolean {
  if (network === null ? !CARD_NETWORKS.includes(row.network) : row.network !== network) return false;
  if (row.initiatorsApart && initiator !== "MERCHANT") return false;
  if (row.codes) return row.codes.includes(normalCode(code));
  return row.adviceCode === undefined || row.adviceCode === normalCode(adviceCode);
}
