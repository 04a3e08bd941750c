import type { FactorKind } from "../../../../schema/vocabulary.ts";
import type { ModelFactor } from "../decision.ts";
import { dateOf, weekdayOf } from "./bank-days.ts";
import type { LocalTime } from "./case-features.ts";
import { cellBlocks, type TimeBlock } from "./cells.ts";
import { MONTHLY_SOURCES } from "./source-arrivals.ts";

/** The factor that each block of times is a part of; blocks of the case are the same at all times. */
const kindOfBlock: Readonly<Record<TimeBlock, FactorKind | null>> = {
  "attempt number": null,
  "days since first failure": "SINCE_FIRST_FAILURE",
  "days since first failure, coarse": "SINCE_FIRST_FAILURE",
  "hours since last attempt": "SINCE_LAST_ATTEMPT",
  "hours since last attempt, coarse": "SINCE_LAST_ATTEMPT",
  hour: "HOUR",
  "3 hours": "HOUR",
  "6 hours": "HOUR",
  weekday: "WEEKDAY",
  "weekday and 3 hours": "WEEKDAY",
  "bank day": "BANK_DAY",
  "day of month": "DAY_OF_MONTH",
  "days to end of month": "DAY_OF_MONTH",
  "attempts in 7 days": "FREQUENCY",
  "repeated hour": "REPEATED_TIME",
  "repeated weekday": "REPEATED_TIME",
};

const isTimeBlock = (name: string): name is TimeBlock => Object.hasOwn(kindOfBlock, name);

const kinds: (FactorKind | null)[] = cellBlocks.flatMap(({ name, size }) => {
  const common = name.replace(/ by class$/, "");
  const kind = name === "advice" ? "ADVICE" : isTimeBlock(common) ? kindOfBlock[common] : null;
  return Array<FactorKind | null>(size).fill(kind);
});

/** The factor that a cell is a part of; null for cells of the case and of sources. */
export const factorKindOf = (cell: number): FactorKind | null => kinds[cell] ?? null;

/** The value of a factor at a time: the hour, the weekday, the day of the month, or 1 for a bank day and 0 for another. */
export function valueOfTime(kind: FactorKind, { day, hour }: LocalTime, isBankDay: boolean): number | null {
  if (kind === "HOUR") return hour;
  if (kind === "BANK_DAY") return isBankDay ? 1 : 0;
  if (kind === "WEEKDAY") return weekdayOf(day);
  return kind === "DAY_OF_MONTH" ? dateOf(day).dayOfMonth : null;
}

/** A source of money as a factor: the day of the month, or the weekday from Monday as 1. */
export const toIncome = (source: number): Pick<ModelFactor, "kind" | "value"> =>
  source < MONTHLY_SOURCES
    ? { kind: "MONTHLY_INCOME", value: source + 1 }
    : { kind: "WEEKLY_INCOME", value: source - MONTHLY_SOURCES + 1 };
