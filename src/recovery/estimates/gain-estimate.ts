import { itemAt } from "../../kernel/required-values.ts";
import type { StoredModel } from "../engine/model/stored-model.ts";
import type { Policy } from "../engine/policy.ts";
import { drawShare } from "../engine/model/draws.ts";
import { crossFit, type CrossFittedModels } from "./cross-fit.ts";
import { isRecovered, toCaseAfter, type PastPayment } from "./past-payment.ts";
import { DeclinePool, rollOut } from "./policy-rollout.ts";
import { fitFrailty, outlookOf, type FrailtyFit, type ObservedTries, type Outlook } from "./frailty-model.ts";
import { quadraticForm } from "./matrix.ts";
import { errorOf, meanInfluences, slopeOf, withInterval, type IntervalEstimate } from "./clustered-mean.ts";
import { evidenceOf } from "./try-evidence.ts";
import { TrySupport, type ExpectedTry } from "./try-support.ts";

/** Why no figure can be told. */
export type NoGainReason =
  /** Fewer payments, tries or approvals than an estimate needs. */
  | "TOO_FEW_TRIES"
  /** The policy tries at times at which the past hardly has tries. */
  | "NO_OVERLAP";

/** What a policy would have recovered of past payments, in comparison with the schedule that they had. */
export interface GainFigures {
  /** Share of the payments that the policy recovers more, by count; its interval. */
  byCount: IntervalEstimate;
  /** The same, by value: each payment weighs as its amount compared with the mean of its currency. */
  byValue: IntervalEstimate;
  /** Share that the policy recovers, by count. */
  recovered: number;
  /** Tries of the policy for each payment. */
  triesPerCase: number;
}

export interface GainEstimate {
  /** Null where the payments cannot say it. */
  figures: GainFigures | null;
  reason: NoGainReason | null;
  /** Share of what the policy recovers that comes from tries at times like those of the past. */
  covered: number;
  effectiveCases: number;
}

/** What the past schedule itself recovered, of the payments that the estimates are about. */
export interface PastSchedule {
  cases: number;
  recovered: number;
  triesPerCase: number;
}

const MIN_CASES = 100;
const MIN_RESULTS = 50;
/** Shares of a policy's recoveries at times without past tries above which no figure is given. */
const MIN_COVERED = 0.9;
const MIN_EFFECTIVE_CASES = 50;
/** Payments that are planned first, and by how much their share may differ from that of all. */
const PILOT = 40;
const PILOT_MARGIN = 0.05;
/**
 * Standard error that the estimate has beside chance, as a share of the payments: no model is the law. Measured on the worlds of
 * `test/worlds`, where the truth is known (docs/figures.md).
 */
const MODEL_ERROR = 0.025;
/** Payments whose tries are planned: more narrow the interval little, and each takes milliseconds. */
const MAX_PLANNED = 1_000;
/** Quantile of the times from failure to last try after which a payment's own schedule is over. */
const SCHEDULE_QUANTILE = 0.98;

/** Estimates of what policies would have recovered of the same payments. */
export class GainEstimator {
  private readonly models: CrossFittedModels;
  private readonly observed: ObservedTries[] = [];
  private readonly fit: FrailtyFit;
  private readonly payers = new Map<string, number>();
  /** Payments whose own schedule had its time, and those of them whose tries are planned. */
  private readonly finished: readonly PastPayment[];
  private readonly sample: readonly PastPayment[];
  private readonly declines: DeclinePool;
  private readonly support: TrySupport;
  readonly past: PastSchedule;

  constructor(payments: readonly PastPayment[], prior: StoredModel, maxPlanned = MAX_PLANNED) {
    this.models = crossFit(payments, prior);
    this.observePastTries(payments);
    this.fit = fitFrailty(this.observed);
    this.declines = new DeclinePool(payments);
    this.support = new TrySupport(payments);
    const finished = withFinishedSchedule(payments);
    this.finished = finished;
    const share = maxPlanned / Math.max(1, finished.length);
    this.sample = share >= 1 ? finished : finished.filter(({ id }) => drawShare(`planned ${id}`) < share);
    this.past = {
      cases: finished.length,
      recovered: finished.filter(isRecovered).length,
      triesPerCase: finished.reduce((sum, { tries }) => sum + tries.length - 1, 0) / Math.max(1, finished.length),
    };
  }

  /** What a policy would have recovered more than the payments' own schedule. */
  estimate(policyOf: (payment: PastPayment) => Policy): GainEstimate {
    const approvals = this.observed.filter(({ approved }) => approved).length;
    if (this.sample.length < MIN_CASES || Math.min(approvals, this.observed.length - approvals) < MIN_RESULTS)
      return { figures: null, reason: "TOO_FEW_TRIES", covered: 0, effectiveCases: 0 };
    // A few payments show whether the policy tries where the past has no tries; planning takes long.
    const pilot = this.rollOutAll(this.sample.slice(0, PILOT), policyOf);
    if (pilot.support.covered < MIN_COVERED - PILOT_MARGIN)
      return { figures: null, reason: "NO_OVERLAP", ...pilot.support };
    const { outlooks, support } = this.rollOutAll(this.sample, policyOf);
    if (support.covered < MIN_COVERED) return { figures: null, reason: "NO_OVERLAP", ...support };
    if (support.effectiveCases < MIN_EFFECTIVE_CASES) return { figures: null, reason: "TOO_FEW_TRIES", ...support };
    const figures = {
      byCount: this.meanGain(outlooks, () => 1),
      byValue: this.meanGain(outlooks, weightByValue(this.finished)),
      recovered: meanOf(outlooks.map(({ recovered }) => recovered)),
      triesPerCase: meanOf(outlooks.map(({ tries }) => tries)),
    };
    return { figures, reason: null, ...support };
  }

  private observePastTries(payments: readonly PastPayment[]): void {
    for (const payment of payments) {
      const judge = this.models.judgeOf(payment);
      const firstAt = itemAt(payment.tries, 0).at;
      const evidence = payment.tries.slice(1).map(({ at }, index) => {
        const modelled = judge.forCase(toCaseAfter(payment, payment.tries.slice(0, index + 1)));
        return evidenceOf(modelled, at, firstAt, itemAt(payment.tries, index).at);
      });
      if (evidence.length > 0)
        this.observed.push({ evidence, approved: isRecovered(payment), payer: this.payerOf(payment) });
    }
  }

  private payerOf({ payerId }: PastPayment): number {
    const known = this.payers.get(payerId) ?? this.payers.size;
    this.payers.set(payerId, known);
    return known;
  }

  /** What becomes of payments under a policy, and whether the past has tries like those of it. */
  private rollOutAll(payments: readonly PastPayment[], policyOf: (payment: PastPayment) => Policy) {
    const expected: ExpectedTry[] = [];
    const outlooks = payments.map((payment) => {
      const plan = rollOut(payment, policyOf(payment), this.models, this.declines);
      const outlook = outlookOf(
        plan.map(({ evidence }) => evidence),
        this.fit.factors,
      );
      for (const [index, { at }] of plan.entries())
        expected.push({ payment, number: index + 1, at, expected: itemAt(outlook.expected, index) });
      return outlook;
    });
    return { outlooks, support: this.support.compare(expected) };
  }

  /**
   * The weighted mean of what the policy recovers minus that of the past: the one over the planned payments, the other over all, with what
   * their difference in the past says about the sample (regression estimator of two-phase sampling; Cochran, Sampling Techniques, 1977).
   */
  private meanGain(outlooks: readonly Outlook[], weightOf: (payment: PastPayment) => number): IntervalEstimate {
    const weights = this.sample.map(weightOf);
    const past = this.sample.map((payment) => (isRecovered(payment) ? 1 : 0));
    const recovered = outlooks.map((outlook) => outlook.recovered);
    const slope = slopeOf(recovered, past);
    const residuals = recovered.map((value, index) => value - slope * itemAt(past, index));
    const clusters = this.sample.map((payment) => this.payerOf(payment));
    const ofSample = meanInfluences(residuals, weights, clusters);
    const ofAll = meanInfluences(
      this.finished.map((payment) => (slope - 1) * (isRecovered(payment) ? 1 : 0)),
      this.finished.map(weightOf),
      this.finished.map((payment) => this.payerOf(payment)),
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const slopes = new Float64Array(this.fit.factors.length);
    for (const [index, outlook] of outlooks.entries())
      for (const [part, one] of outlook.slopes.entries())
        slopes[part] = itemAt(slopes, part) + (itemAt(weights, index) / total) * one;
    const ofFactors = new Map(
      [...this.fit.influences].map(([payer, influence]) => [
        payer,
        slopes.reduce((sum, one, part) => sum + one * itemAt(influence, part), 0),
      ]),
    );
    const error = Math.hypot(
      MODEL_ERROR,
      errorOf([ofSample.influences, ofAll.influences, ofFactors]),
      Math.sqrt(quadraticForm(this.fit.priorCovariance, slopes)),
    );
    return withInterval(ofSample.mean + ofAll.mean, error);
  }
}

/** Payments that failed so long before the last known try that their own schedule had its time. */
function withFinishedSchedule(payments: readonly PastPayment[]): PastPayment[] {
  const spans: number[] = [];
  let until = 0;
  for (const { tries } of payments) {
    const last = itemAt(tries, tries.length - 1).at.getTime();
    spans.push(last - itemAt(tries, 0).at.getTime());
    until = Math.max(until, last);
  }
  spans.sort((a, b) => a - b);
  const span = spans[Math.floor(spans.length * SCHEDULE_QUANTILE)] ?? 0;
  return payments.filter(({ tries }) => itemAt(tries, 0).at.getTime() + span <= until);
}

/** The weight of a payment by its value: its amount compared with the mean of its currency. */
function weightByValue(payments: readonly PastPayment[]): (payment: PastPayment) => number {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { currency, amount } of payments) {
    const { sum, count } = sums.get(currency) ?? { sum: 0, count: 0 };
    sums.set(currency, { sum: sum + Number(amount), count: count + 1 });
  }
  return ({ currency, amount }) => {
    const { sum, count } = sums.get(currency) ?? { sum: 0, count: 0 };
    return sum > 0 ? (Number(amount) * count) / sum : 1;
  };
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
