import type { ReasonClass } from "../../../../schema/vocabulary.ts";
import { classifyDecline, normalizeCode } from "../decline.ts";
import { toLocalTime } from "../local-time.ts";
import type { RecoveryCase } from "../recovery-case.ts";
import { findArrivedSources, sourceHourCells, type ArrivedSource, type SourceFacts } from "./arrived-sources.ts";
import { dateOf, daysInMonth, isBankDay, weekdayOf } from "./bank-days.ts";
import { bankCalendarOf, type BankCalendar } from "./bank-holidays.ts";
import {
  bucketOf,
  classIndexOf,
  codeBucketOf,
  countryIndexOf,
  daysSinceFirstCoarse,
  firstCellOf,
  firstTimeCellOf,
  gatewayIndexOf,
  hoursSinceLast,
  hoursSinceLastCoarse,
  networkIndexOf,
  cellClasses,
  type TimeBlock,
} from "./cells.ts";
import { adviceOf, adviceStateOf } from "./network-advice.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Amounts that are usual in each currency, as natural logarithms: amounts are cells relative to them. */
export type UsualAmounts = Readonly<Record<string, number>>;

/** Number of cells of each source of money. */
export const CELLS_OF_SOURCE = 11;

/** The cells of an attempt: those of the attempt itself, then those of each source of money that may pay it. */
export interface AttemptCells {
  own: number[];
  /** Sources' cells one source after the other, `CELLS_OF_SOURCE` each. */
  sources: number[];
}

/** An instant, with the payer's local day and hour. */
export interface LocalTime {
  ms: number;
  day: number;
  hour: number;
}

/** The cells of a local day. */
export interface DayCells {
  own: number[];
  sources: ArrivedSource[];
}

const times = Object.fromEntries(
  (
    [
      "attempt number",
      "days since first failure",
      "days since first failure, coarse",
      "hours since last attempt",
      "hours since last attempt, coarse",
      "hour",
      "3 hours",
      "6 hours",
      "weekday",
      "weekday and 3 hours",
      "bank day",
      "day of month",
      "days to end of month",
      "attempts in 7 days",
      "repeated hour",
      "repeated weekday",
    ] as const
  ).map((block) => [block, firstTimeCellOf(block)]),
) as Record<TimeBlock, ReturnType<typeof firstTimeCellOf>>;

const first = {
  all: firstCellOf("all"),
  class: firstCellOf("class"),
  firstClass: firstCellOf("first class"),
  classNetwork: firstCellOf("class and network"),
  network: firstCellOf("network"),
  gateway: firstCellOf("gateway"),
  country: firstCellOf("country"),
  code: firstCellOf("unmapped code"),
  amount: firstCellOf("amount"),
  advice: firstCellOf("advice"),
};

/**
 * The facts of a case as cells: built once for a decision, then asked for each candidate time. It knows only what was
 * known before the attempt.
 */
export class CaseFeatures {
  readonly caseCells: readonly number[];
  /** The class of the last decline; null after a change of the payment method. */
  readonly reason: ReasonClass | null;
  private readonly attemptTimes: number[];
  private readonly failedHours: number[];
  private readonly classIndex: number;
  private readonly calendar: BankCalendar;
  private readonly attemptCell: number;
  private readonly firstAt: number;
  private readonly lastAt: number;
  private readonly sourceFacts: SourceFacts;
  private readonly failedLocal: number[];
  private readonly advice: { code: number; dueAt: number } | null;

  constructor(
    private readonly facts: RecoveryCase,
    private readonly usualAmounts: UsualAmounts,
  ) {
    const { attempts, windowStart, zone, country } = facts;
    const changedAt = facts.events.findLast(({ kind }) => kind === "METHOD_CHANGED")?.at;
    const present = changedAt ? attempts.filter(({ at }) => at >= changedAt) : attempts;
    const classes = present.map((attempt) => classifyDecline(attempt, facts));
    const last = present.at(-1);
    this.reason = classes.at(-1) ?? null;
    this.classIndex = classIndexOf(this.reason);
    const countryIndex = countryIndexOf(country);
    this.calendar = bankCalendarOf(country);
    const amountCell = amountCellOf(Number(facts.amount), usualAmounts[facts.currency]);
    this.firstAt = windowStart.getTime();
    this.lastAt = attempts.at(-1)?.at.getTime() ?? this.firstAt;
    this.attemptCell = Math.min(attempts.filter(({ at }) => at > windowStart).length, 7);
    const informative = present.findLast((_, index) => classes[index] !== "TECHNICAL");
    const informativeLocal = toLocalTime(informative?.at ?? present[0]?.at ?? windowStart, zone);
    this.failedLocal = attempts.map(({ at }) => toLocalTime(at, zone));
    this.failedHours = this.failedLocal.map((local) =>
      Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / HOUR_MS),
    );
    this.attemptTimes = attempts.map(({ at }) => at.getTime());
    this.advice = last ? adviceOf(last.adviceCode, last.at) : null;
    this.sourceFacts = {
      ...{ calendar: this.calendar, informativeLocal, failedLocal: this.failedLocal },
      ...{ countryIndex, classIndex: this.classIndex, amountCell, attemptCell: this.attemptCell },
    };

    const network = networkIndexOf(last?.network ?? null);
    const networkCount = first.network - first.classNetwork;
    const caseCells = [
      first.all,
      first.class + this.classIndex,
      first.firstClass + classIndexOf(classes[0] ?? null),
      first.classNetwork + this.classIndex * (networkCount / cellClasses.length) + network,
      first.network + network,
      first.gateway + gatewayIndexOf(facts.gateway),
      first.country + countryIndex,
      first.amount + amountCell,
    ];
    if (last && classes.at(-1) === "UNKNOWN")
      caseCells.push(
        first.code + codeBucketOf(`${facts.gateway ?? ""} ${normalizeCode(last.code) || (last.message ?? "")}`),
      );
    this.caseCells = caseCells;
  }

  /** The facts after an attempt at a time that fails as the last one did. */
  afterFailureAt(at: Date): CaseFeatures {
    const failed = this.facts.attempts.slice(-1).map((last) => ({ ...last, at }));
    return new CaseFeatures({ ...this.facts, attempts: [...this.facts.attempts, ...failed] }, this.usualAmounts);
  }

  /** The cells of an attempt at a time. */
  cellsAt(at: Date): AttemptCells {
    const time = this.timeOf(at);
    const { own, sources } = this.dayCells(time.day);
    const cellsOfSources: number[] = [];
    for (const source of sources) cellsOfSources.push(...source.cells, ...sourceHourCells(source, time.hour));
    return {
      own: this.caseCells.concat(
        own,
        this.clockCells(time.hour),
        this.weekCells(time.day, time.hour),
        this.instantCells(time.ms),
      ),
      sources: cellsOfSources,
    };
  }

  /** A time by the payer's clock. */
  timeOf(at: Date): LocalTime {
    const local = toLocalTime(at, this.facts.zone);
    const day = Math.floor(local / DAY_MS);
    return { ms: at.getTime(), day, hour: Math.floor((local - day * DAY_MS) / HOUR_MS) };
  }

  /** Whether banks of the payer's country work on a day. */
  isBankDay(day: number): boolean {
    return isBankDay(day, this.calendar);
  }

  /** The cells that are the same for all hours of a local day. */
  dayCells(day: number): DayCells {
    const own: number[] = [];
    const { year, month, dayOfMonth } = dateOf(day);
    const weekday = weekdayOf(day);
    this.addTimeCell(own, "attempt number", this.attemptCell);
    this.addTimeCell(own, "weekday", weekday);
    this.addTimeCell(own, "bank day", isBankDay(day, this.calendar) ? 0 : weekday === 0 || weekday === 6 ? 1 : 2);
    this.addTimeCell(own, "day of month", dayOfMonth - 1);
    this.addTimeCell(own, "days to end of month", daysInMonth(year, month) - dayOfMonth);
    const isRepeated = this.failedLocal.some((local) => weekdayOf(Math.floor(local / DAY_MS)) === weekday);
    this.addTimeCell(own, "repeated weekday", isRepeated ? 1 : 0);
    return { own, sources: findArrivedSources(day, this.sourceFacts) };
  }

  /** The cells that are the same at an hour of all days. */
  clockCells(hour: number): number[] {
    const own: number[] = [];
    const threeHours = Math.floor(hour / 3);
    this.addTimeCell(own, "hour", hour);
    this.addTimeCell(own, "3 hours", threeHours);
    this.addTimeCell(own, "6 hours", Math.floor(hour / 6));
    let sameHour = 0;
    for (const failedHour of this.failedHours)
      if (failedHour === hour) sameHour = 2;
      else if (Math.floor(failedHour / 3) === threeHours) sameHour = Math.max(sameHour, 1);
    this.addTimeCell(own, "repeated hour", sameHour);
    return own;
  }

  /** The cells that are the same in three hours of a weekday. */
  weekCells(day: number, hour: number): number[] {
    const own: number[] = [];
    this.addTimeCell(own, "weekday and 3 hours", weekdayOf(day) * 8 + Math.floor(hour / 3));
    return own;
  }

  /** The cells that depend on how much time has passed. */
  instantCells(ms: number): number[] {
    const own: number[] = [];
    const hours = (ms - this.lastAt) / HOUR_MS;
    const days = (ms - this.firstAt) / DAY_MS;
    this.addTimeCell(own, "days since first failure", Math.min(31, Math.max(0, Math.floor(days))));
    this.addTimeCell(own, "days since first failure, coarse", bucketOf(days, daysSinceFirstCoarse));
    this.addTimeCell(own, "hours since last attempt", bucketOf(hours, hoursSinceLast));
    this.addTimeCell(own, "hours since last attempt, coarse", bucketOf(hours, hoursSinceLastCoarse));
    let lately = 0;
    for (const at of this.attemptTimes) if (at > ms - 7 * DAY_MS) lately++;
    this.addTimeCell(own, "attempts in 7 days", Math.min(5, lately));
    if (this.advice) own.push(first.advice + this.advice.code * 4 + adviceStateOf(ms - this.advice.dueAt));
    return own;
  }

  private addTimeCell(own: number[], block: TimeBlock, index: number): void {
    const { common, byClass, size } = times[block];
    own.push(common + index, byClass + this.classIndex * size + index);
  }
}

/** Amounts in five cells around what is usual in the currency; a currency without usual amounts is in the middle one. */
function amountCellOf(amount: number, usual: number | undefined): number {
  if (usual === undefined || !(amount > 0)) return 2;
  return bucketOf(Math.log(amount) - usual, [-1, -0.35, 0.35, 1]);
}
