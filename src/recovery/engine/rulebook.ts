import type { Network } from "../../../schema/vocabulary.ts";
import { normalCode } from "./decline.ts";

/** A limit that no policy may break, with where it comes from. */
export interface RulebookRow {
  id: string;
  network: Network;
  adviceCode: string;
  /** The next try may not come earlier than this after the decline. */
  floorInHours: number;
  source: string;
  checkedOn: string;
}

/** Rows with a version, so that a decision can say what it was held to. */
export interface Rulebook {
  version: string;
  rows: readonly RulebookRow[];
}

/** What the rulebook wants to know of an attempt. */
export interface PastAttempt {
  at: Date;
  network: Network | null;
  adviceCode: string | null;
}

const HOUR_MS = 3_600_000;
const DAY = 24;

const adviceFloor = (adviceCode: string, floorInHours: number): RulebookRow => ({
  id: `mastercard-advice-${adviceCode}`,
  network: "MASTERCARD",
  adviceCode,
  floorInHours,
  source: "Mastercard Transaction Processing Rules, merchant advice codes (data element 48, subelement 84)",
  checkedOn: "2026-11-21",
});

/** The delays that Mastercard's advice codes ask for. */
export const currentRulebook: Rulebook = {
  version: "2026-11-21",
  rows: [
    adviceFloor("02", 72),
    adviceFloor("24", 1),
    adviceFloor("25", 1 * DAY),
    adviceFloor("26", 2 * DAY),
    adviceFloor("27", 4 * DAY),
    adviceFloor("28", 6 * DAY),
    adviceFloor("29", 8 * DAY),
    adviceFloor("30", 10 * DAY),
  ],
};

/** The earliest legal time for a try, and the row that moved it, if one did. */
export interface LegalTime {
  at: Date;
  row: RulebookRow | null;
}

/** The earliest time at or after the candidate that every row allows. An unknown network is held to all rows. */
export function legalFrom(attempts: readonly PastAttempt[], candidate: Date, rulebook: Rulebook): LegalTime {
  let legal: LegalTime = { at: candidate, row: null };
  for (const attempt of attempts) {
    for (const row of rulebook.rows) {
      if (row.adviceCode !== normalCode(attempt.adviceCode)) continue;
      if (attempt.network !== null && attempt.network !== row.network) continue;
      const floor = new Date(attempt.at.getTime() + row.floorInHours * HOUR_MS);
      if (floor > legal.at) legal = { at: floor, row };
    }
  }
  return legal;
}
