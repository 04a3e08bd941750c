import type { ReasonClass } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { firstOf, itemAt, lastOf } from "../../kernel/required-values.ts";
import { classifyDecline, normalizeCode } from "../engine/decline.ts";
import { minuteOfDay } from "../engine/local-time.ts";
import { readStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { createPolicy, type Policy } from "../engine/policy.ts";
import { withInterval } from "../estimates/clustered-mean.ts";
import { suggestClass, type CodeSuggestion, type TryAfterCode } from "../estimates/code-suggestion.ts";
import { GainEstimator, type GainEstimate, type PastSchedule } from "../estimates/gain-estimate.ts";
import { isRecovered, toCaseAfter } from "../estimates/past-payment.ts";
import type { FailuresFile, ReportedPayment } from "./failures-csv.ts";
import { estimateShare, type ShareEstimate } from "./share-interval.ts";

/** Recovery of the payments whose first decline had one meaning. */
export interface ClassRecovery {
  reasonClass: ReasonClass;
  payments: number;
  recovered: ShareEstimate;
  triesPerPayment: number;
}

/** The tries of one hour of the payers' days. */
export interface HourApproval {
  hour: number;
  tries: number;
  approved: ShareEstimate;
}

/** A code without a known meaning, with what was lost to it. */
export interface UnmappedCode {
  gateway: string;
  /** Null if the gateway sent none. */
  code: string | null;
  message: string | null;
  declines: number;
  lostPayments: number;
  lost: { currency: string; amount: Amount }[];
  suggestion: CodeSuggestion | null;
}

/** A policy with what it would have brought. */
export interface SettingEstimate extends GainEstimate {
  /** Such as SMART-8/28: up to eight tries in 28 days. */
  name: string;
}

/** What past failed payments say. */
export interface FailuresReport {
  rows: number;
  errorCount: number;
  errors: readonly string[];
  neverFailed: number;
  payments: number;
  payers: number;
  tries: number;
  from: Date;
  until: Date;
  recovered: ShareEstimate;
  byClass: ClassRecovery[];
  byHour: HourApproval[];
  unmapped: UnmappedCode[];
  /** The file's own schedule, of the payments whose tries are complete. */
  ownSchedule: PastSchedule;
  settings: SettingEstimate[];
  /** The setting with the largest gain, with an interval that holds for all settings together; null if none is sure to gain. */
  best: { name: string; low: number; high: number } | null;
}

const plans = (["SMART", "EVEN"] as const).flatMap((kind) =>
  [14, 28].flatMap((windowInDays) => [4, 8].map((tries) => ({ kind, tries, windowInDays }))),
);
const settings: readonly Policy[] = plans.map((plan) =>
  createPolicy(`${plan.kind}-${plan.tries}/${plan.windowInDays}`, plan),
);
/** Quantile of the normal distribution for eight intervals that hold together nineteen times out of twenty (Bonferroni). */
const QUANTILE_OF_EIGHT = 2.7344;
const MAX_UNMAPPED = 20;

/** Computes the report. `prior` is what models know before they see the file; `onStep` is told what is computed next. */
export function reportFailures(
  file: FailuresFile,
  prior: StoredModel,
  onStep: (step: string) => void = () => undefined,
): FailuresReport {
  const { payments } = file;
  onStep("fitting models to the file");
  const estimator = new GainEstimator(payments, prior);
  const estimates = settings.map((policy): SettingEstimate => {
    onStep(`estimating ${policy.version}`);
    return { name: policy.version, ...estimator.estimate(() => policy) };
  });
  const ends = payments.map(({ tries }) => lastOf(tries).at.getTime());
  return {
    rows: file.rows,
    errorCount: file.errorCount,
    errors: file.errors,
    neverFailed: file.neverFailed,
    payments: payments.length,
    payers: new Set(payments.map(({ payerId }) => payerId)).size,
    tries: payments.reduce((sum, { tries }) => sum + tries.length, 0),
    from: firstOf(firstOf(payments).tries).at,
    until: new Date(ends.reduce((a, b) => Math.max(a, b))),
    recovered: estimateShare(payments.filter(isRecovered).length, payments.length),
    byClass: recoveryByClass(payments),
    byHour: approvalByHour(payments),
    unmapped: unmappedCodes(payments, prior),
    ownSchedule: estimator.past,
    settings: estimates,
    best: bestOf(estimates),
  };
}

function bestOf(estimates: readonly SettingEstimate[]): FailuresReport["best"] {
  const found = estimates
    .flatMap(({ name, figures }) => (figures ? [{ name, gain: figures.byCount }] : []))
    .sort((a, b) => b.gain.value - a.gain.value)[0];
  if (!found) return null;
  const { low, high } = withInterval(found.gain.value, found.gain.error, QUANTILE_OF_EIGHT);
  return low > 0 ? { name: found.name, low, high } : null;
}

function recoveryByClass(payments: readonly ReportedPayment[]): ClassRecovery[] {
  const groups = new Map<ReasonClass, ReportedPayment[]>();
  for (const payment of payments) {
    const reason = classifyDecline(firstOf(payment.tries), payment);
    const group = groups.get(reason);
    if (group) group.push(payment);
    else groups.set(reason, [payment]);
  }
  return [...groups]
    .map(([reasonClass, group]) => ({
      reasonClass,
      payments: group.length,
      recovered: estimateShare(group.filter(isRecovered).length, group.length),
      triesPerPayment: group.reduce((sum, { tries }) => sum + tries.length - 1, 0) / group.length,
    }))
    .sort((a, b) => b.payments - a.payments);
}

function approvalByHour(payments: readonly ReportedPayment[]): HourApproval[] {
  const tries = new Uint32Array(24);
  const approved = new Uint32Array(24);
  for (const { tries: all, zone } of payments)
    for (const one of all.slice(1)) {
      const hour = Math.floor(minuteOfDay(one.at, zone) / 60);
      tries[hour] = itemAt(tries, hour) + 1;
      if (one.approved) approved[hour] = itemAt(approved, hour) + 1;
    }
  return Array.from(tries, (count, hour) => ({
    hour,
    tries: count,
    approved: estimateShare(itemAt(approved, hour), count),
  }));
}

interface OpenCode extends Omit<UnmappedCode, "lost" | "suggestion"> {
  lost: Map<string, Amount>;
  /** What was lost in proportion to the mean amount of each currency, to compare codes. */
  weight: number;
  tries: TryAfterCode[];
}

/** The codes without a known meaning, those that cost most first. */
function unmappedCodes(payments: readonly ReportedPayment[], prior: StoredModel): UnmappedCode[] {
  const codes = new Map<string, OpenCode>();
  const means = meanAmounts(payments);
  for (const payment of payments)
    for (const [index, one] of payment.tries.entries()) {
      if (one.approved || classifyDecline(one, payment) !== "UNKNOWN") continue;
      const code = normalizeCode(one.code) || null;
      const key = JSON.stringify([payment.gatewayName, code]);
      const found = codes.get(key) ?? newCode(payment.gatewayName, code);
      codes.set(key, found);
      found.message ??= one.message;
      found.declines++;
      const next = payment.tries[index + 1];
      if (next) {
        const facts = toCaseAfter(payment, payment.tries.slice(0, index + 1));
        if (code !== null) found.tries.push({ facts, at: next.at, approved: next.approved, payment: payment.id });
        continue;
      }
      found.lostPayments++;
      found.lost.set(payment.currency, (found.lost.get(payment.currency) ?? ZERO).plus(payment.amount));
      found.weight += Number(payment.amount) / (means.get(payment.currency) ?? 1);
    }
  const model = readStoredModel(prior);
  return [...codes.values()]
    .sort((a, b) => b.weight - a.weight || b.declines - a.declines)
    .slice(0, MAX_UNMAPPED)
    .map(({ lost, weight: _weight, tries, ...code }) => ({
      ...code,
      lost: [...lost].map(([currency, amount]) => ({ currency, amount })),
      suggestion: code.code === null ? null : suggestClass(code.code, tries, model),
    }));
}

const newCode = (gateway: string, code: string | null): OpenCode => ({
  ...{ gateway, code, message: null, declines: 0, lostPayments: 0, weight: 0 },
  lost: new Map<string, Amount>(),
  tries: [],
});

function meanAmounts(payments: readonly ReportedPayment[]): Map<string, number> {
  const sums = new Map<string, [sum: number, count: number]>();
  for (const { currency, amount } of payments) {
    const [sum, count] = sums.get(currency) ?? [0, 0];
    sums.set(currency, [sum + Number(amount), count + 1]);
  }
  return new Map([...sums].map(([currency, [sum, count]]) => [currency, sum / count]));
}
