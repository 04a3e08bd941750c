import type { IntervalEstimate } from "../estimates/clustered-mean.ts";
import type { FailuresReport } from "./failures-report.ts";
import type { ShareEstimate } from "./share-interval.ts";
import { assumptions } from "./text-report.ts";

/** Six digits exceed the precision of any file. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const toShare = ({ value, low, high }: ShareEstimate | IntervalEstimate) => ({
  value: round(value),
  interval: [round(low), round(high)],
});

/** The report for programs. Shares and gains are fractions; amounts are texts. */
export const toJsonReport = (report: FailuresReport) => ({
  rows: report.rows,
  errors: { count: report.errorCount, first: report.errors },
  neverFailed: report.neverFailed,
  payments: report.payments,
  payers: report.payers,
  tries: report.tries,
  from: report.from.toISOString(),
  until: report.until.toISOString(),
  recovered: toShare(report.recovered),
  byClass: report.byClass.map(({ recovered, triesPerPayment, ...one }) => ({
    ...one,
    recovered: toShare(recovered),
    triesPerPayment: round(triesPerPayment),
  })),
  byHour: report.byHour.map(({ approved, ...one }) => ({ ...one, approved: one.tries > 0 ? toShare(approved) : null })),
  unmapped: report.unmapped.map(({ lost, ...one }) => ({
    ...one,
    lost: lost.map(({ currency, amount }) => ({ currency, amount: amount.toFixed() })),
  })),
  ownSchedule: { ...report.ownSchedule, triesPerCase: round(report.ownSchedule.triesPerCase) },
  settings: report.settings.map(({ name, figures, reason, covered, effectiveCases }) => ({
    name,
    gain: figures && toShare(figures.byCount),
    gainByValue: figures && toShare(figures.byValue),
    recovered: figures && round(figures.recovered.value),
    triesPerCase: figures && round(figures.triesPerCase),
    reason,
    covered: round(covered),
    effectiveCases,
  })),
  best: report.best && { name: report.best.name, interval: [round(report.best.low), round(report.best.high)] },
  assumptions,
});
