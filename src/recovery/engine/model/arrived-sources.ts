import { itemAt } from "../../../kernel/required-values.ts";
import type { BankCalendar } from "./bank-holidays.ts";
import { cellClasses, cellCountries, firstCellOf, SOURCE_DAYS } from "./cells.ts";
import { sourceArrivalsAround, sourceKindOf } from "./source-arrivals.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const first = {
  sources: firstCellOf("sources"),
  source: firstCellOf("source"),
  sourceCountry: firstCellOf("source in country"),
  sourceDays: firstCellOf("source, days since arrival"),
  sourceDayHours: firstCellOf("source, days and 3 hours"),
  sourceFirstHour: firstCellOf("source, first day's hour"),
  sourceClass: firstCellOf("source, class"),
  sourceAmount: firstCellOf("source, amount"),
  sourceFailedOnDay: firstCellOf("source, failed on the day"),
  sourceFailedBefore: firstCellOf("source, failed after earlier arrival"),
  sourceAttempt: firstCellOf("source, attempt number"),
};

/** The facts of a case that its sources of money depend on; local times as the payer's clock shows them. */
export interface SourceFacts {
  calendar: BankCalendar;
  /** Time of the last failure that said something of the account's money. */
  informativeLocal: number;
  /** Times of the failed attempts. */
  failedLocal: readonly number[];
  countryIndex: number;
  classIndex: number;
  amountCell: number;
  attemptCell: number;
}

/** A source of money that has arrived: its cells but those of the hour. */
export interface ArrivedSource {
  source: number;
  /** Monthly 0, weekly 1. */
  kind: number;
  /** Days since it arrived. */
  lag: number;
  cells: number[];
}

/** Sources whose cells of the hour are the same, by kind and by days since arrival (0, 1, more). */
export const SOURCE_HOUR_GROUPS = 6;
export const sourceHourGroupOf = ({ kind, lag }: Pick<ArrivedSource, "kind" | "lag">): number =>
  kind * 3 + Math.min(lag, 2);

/** The cells of a source that depend on the hour. */
export const sourceHourCells = (source: Pick<ArrivedSource, "kind" | "lag">, hour: number): [number, number] => [
  first.sourceDayHours + sourceHourGroupOf(source) * 8 + Math.floor(hour / 3),
  first.sourceFirstHour + (source.lag === 0 ? 0 : 24) + hour,
];

/** Each source that has arrived on or after the day of the last informative failure. */
export function findArrivedSources(
  day: number,
  { calendar, informativeLocal, failedLocal, countryIndex, classIndex, amountCell, attemptCell }: SourceFacts,
): ArrivedSource[] {
  const found: ArrivedSource[] = [];
  const failedDay = Math.floor(informativeLocal / DAY_MS);
  const failedQuarter = Math.floor((informativeLocal - failedDay * DAY_MS) / (6 * HOUR_MS));
  const earliest = Math.max(failedDay, day - SOURCE_DAYS + 1);
  for (const [source, arrivals] of sourceArrivalsAround(day, calendar).entries()) {
    let index = arrivals.length - 1;
    while (index >= 0 && itemAt(arrivals, index) > day) index--;
    if (index < 0) continue;
    const arrived = itemAt(arrivals, index);
    if (arrived < earliest) continue;
    const kind = sourceKindOf(source);
    const lag = day - arrived;
    const cells = [
      first.sources,
      first.source + source,
      first.sourceCountry + source * cellCountries.length + countryIndex,
      first.sourceDays + kind * SOURCE_DAYS + lag,
      first.sourceClass + kind * cellClasses.length + classIndex,
      first.sourceAmount + amountCell,
      first.sourceFailedOnDay + kind * 8 + (arrived === failedDay ? 1 + failedQuarter : 0),
      first.sourceFailedBefore + kind * 2 + (hasFailedAfter(failedLocal, arrivals, index) ? 1 : 0),
      first.sourceAttempt + attemptCell,
    ];
    found.push({ source, kind, lag, cells });
  }
  return found;
}

/** Whether an attempt failed on the day of an earlier arrival, or the day after. */
function hasFailedAfter(failedLocal: readonly number[], arrivals: Int32Array, before: number): boolean {
  return failedLocal.some((local) => {
    const failed = Math.floor(local / DAY_MS);
    for (let index = 0; index < before; index++) {
      const since = failed - itemAt(arrivals, index);
      if (since === 0 || since === 1) return true;
    }
    return false;
  });
}
