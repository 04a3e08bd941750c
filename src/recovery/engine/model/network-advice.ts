import { itemAt } from "../../../kernel/required-values.ts";
import { normalizeCode } from "../decline.ts";

const HOUR_MS = 3_600_000;

const adviceCodes = ["02", "24", "25", "26", "27", "28", "29", "30"];
/** Hours that a network's advice asks to wait. */
const adviceHours = [72, 1, 24, 48, 96, 144, 192, 240];

/** The advice of a decline: its cell, and when the time comes that it asks for; null without one. */
export function adviceOf(adviceCode: string | null, at: Date): { code: number; dueAt: number } | null {
  const code = normalizeCode(adviceCode);
  if (code === "") return null;
  const index = adviceCodes.indexOf(code);
  if (index < 0) return { code: 8, dueAt: at.getTime() };
  return { code: index, dueAt: at.getTime() + itemAt(adviceHours, index) * HOUR_MS };
}

/** How long an advised time has passed: not yet, within six hours, within two days, longer. */
export const adviceStateOf = (sinceMs: number): number =>
  sinceMs < 0 ? 0 : sinceMs < 6 * HOUR_MS ? 1 : sinceMs < 48 * HOUR_MS ? 2 : 3;
