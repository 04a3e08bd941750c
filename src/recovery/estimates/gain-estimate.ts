import { itemAt } from "../../kernel/required-values.ts";
import type { StoredModel } from "../engine/model/stored-model.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import type { Policy } from "../engine/policy.ts";
import { drawShare } from "../engine/model/draws.ts";
import { crossFit, type CrossFittedModels } from "./cross-fit.ts";
import {
  isRecovered,
  toCaseAfter,
  withFinishedSchedule,
  type PastPayment,
  type ScheduleOptions,
} from "./past-payment.ts";
import { DeclinePool, rollOut } from "./policy-rollout.ts";
import { fitFrailty, outlookOf, type FrailtyFit, type ObservedTries, type Outlook } from "./frailty-model.ts";
import { quadraticForm } from "./matrix.ts";
import { errorOf, meanInfluences, slopeOf, withInterval, type IntervalEstimate } from "./clustered-mean.ts";
import { weightByValue, weightWithin } from "./payment-weights.ts";
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
  /** Share that the policy recovers, by count; its interval. */
  recovered: IntervalEstimate;
  /** Shares of the amount of each currency, of those with enough payments. */
  byCurrency: ReadonlyMap<string, { recovered: IntervalEstimate; gain: IntervalEstimate }>;
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

/** The model by which a policy chooses the times of a payment, given the one that was fitted for it; null without one. */
export type ChooseModel<Payment> = (payment: Payment, fitted: RetryModel) => RetryModel | null;

export interface GainOptions<Payment> extends ScheduleOptions<Payment> {
  /** Payments whose tries are planned: more narrow the interval little, and each takes milliseconds. */
  maxPlanned?: number;
}

const MIN_CASES = 100;
const MIN_RESULTS = 50;
/** Intervals are of payers, because the payments of one depend on each other: of fewer payers they would be too narrow. */
const MIN_PAYERS = 30;
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
const MAX_PLANNED = 1_000;

/** Estimates of what policies would have recovered of the same payments. */
export class GainEstimator<Payment extends PastPayment> {
  private readonly models: CrossFittedModels;
  private readonly observed: ObservedTries[] = [];
  private readonly fit: FrailtyFit;
  private readonly payers = new Map<string, number>();
  /** Payments whose own schedule had its time: the estimates are about them. */
  readonly finished: readonly Payment[];
  /** Those of them whose tries are planned. */
  private readonly sample: readonly Payment[];
  private readonly declines: DeclinePool;
  private readonly support: TrySupport;
  readonly past: PastSchedule;

  constructor(
    payments: readonly Payment[],
    prior: StoredModel,
    { maxPlanned = MAX_PLANNED, ...schedule }: GainOptions<Payment> = {},
  ) {
    this.models = crossFit(payments, prior);
    this.observePastTries(payments);
    this.fit = fitFrailty(this.observed);
    this.declines = new DeclinePool(payments);
    this.support = new TrySupport(payments);
    const finished = withFinishedSchedule(payments, schedule);
    this.finished = finished;
    const share = maxPlanned / Math.max(1, finished.length);
    this.sample = share >= 1 ? finished : finished.filter(({ id }) => drawShare(`planned ${id}`) < share);
    this.past = {
      cases: finished.length,
      recovered: finished.filter(isRecovered).length,
      triesPerCase: finished.reduce((sum, { tries }) => sum + tries.length - 1, 0) / Math.max(1, finished.length),
    };
  }

  /**
   * What a policy would have recovered more than the payments' own schedule. Its times are chosen by the models that were fitted to other
   * payers, unless `chooseModel` has one that has not seen the payments.
   */
  estimate(
    policyOf: (payment: Payment) => Policy,
    chooseModel: ChooseModel<Payment> = (_, fitted) => fitted,
  ): GainEstimate {
    if (this.hasTooFewTries()) return { figures: null, reason: "TOO_FEW_TRIES", covered: 0, effectiveCases: 0 };
    // A few payments show whether the policy tries where the past has no tries; planning takes long.
    const pilot = this.rollOutAll(this.sample.slice(0, PILOT), policyOf, chooseModel);
    if (pilot.support.covered < MIN_COVERED - PILOT_MARGIN)
      return { figures: null, reason: "NO_OVERLAP", ...pilot.support };
    const { outlooks, support } = this.rollOutAll(this.sample, policyOf, chooseModel);
    if (support.covered < MIN_COVERED) return { figures: null, reason: "NO_OVERLAP", ...support };
    if (support.effectiveCases < MIN_EFFECTIVE_CASES) return { figures: null, reason: "TOO_FEW_TRIES", ...support };
    const figures = {
      byCount: this.shareOf(outlooks, () => 1, "GAIN"),
      byValue: this.shareOf(outlooks, weightByValue(this.finished), "GAIN"),
      recovered: this.shareOf(outlooks, () => 1, "RECOVERED"),
      byCurrency: this.sharesByCurrency(outlooks),
      triesPerCase: meanOf(outlooks.map(({ tries }) => tries)),
    };
    return { figures, reason: null, ...support };
  }

  private hasTooFewTries(): boolean {
    const approvals = this.observed.filter(({ approved }) => approved).length;
    return (
      this.sample.length < MIN_CASES ||
      Math.min(approvals, this.observed.length - approvals) < MIN_RESULTS ||
      new Set(this.sample.map(({ payerId }) => payerId)).size < MIN_PAYERS
    );
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
  private rollOutAll(
    payments: readonly Payment[],
    policyOf: (payment: Payment) => Policy,
    chooseModel: ChooseModel<Payment>,
  ) {
    const expected: ExpectedTry[] = [];
    const outlooks = payments.map((payment) => {
      const model = chooseModel(payment, this.models.chooserFor(payment));
      const plan = rollOut(payment, policyOf(payment), { model, judge: this.models.judgeOf(payment) }, this.declines);
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

  /** The same by the amounts of each currency that is not too rare. */
  private sharesByCurrency(outlooks: readonly Outlook[]): GainFigures["byCurrency"] {
    const counts = new Map<string, number>();
    for (const { currency, amount } of this.sample)
      if (amount.gt(0)) counts.set(currency, (counts.get(currency) ?? 0) + 1);
    const frequent = [...counts].flatMap(([currency, count]) => (count >= MIN_CASES ? [currency] : []));
    return new Map(
      frequent.map((wanted) => {
        const share = (of: "RECOVERED" | "GAIN") => this.shareOf(outlooks, weightWithin(wanted), of);
        return [wanted, { recovered: share("RECOVERED"), gain: share("GAIN") }];
      }),
    );
  }

  /**
   * The weighted mean of what the policy recovers, or of that minus what the past did: the one over the planned payments, the other over all,
   * with what their difference in the past says about the sample (regression estimator of two-phase sampling; Cochran, Sampling
   * Techniques, 1977).
   */
  private shareOf(
    outlooks: readonly Outlook[],
    weightOf: (payment: PastPayment) => number,
    of: "RECOVERED" | "GAIN",
  ): IntervalEstimate {
    const less = of === "GAIN" ? 1 : 0;
    const weights = this.sample.map(weightOf);
    const past = this.sample.map((payment) => (isRecovered(payment) ? 1 : 0));
    const recovered = outlooks.map((outlook) => outlook.recovered);
    const slope = slopeOf(recovered, past);
    const residuals = recovered.map((value, index) => value - slope * itemAt(past, index));
    const clusters = this.sample.map((payment) => this.payerOf(payment));
    const ofSample = meanInfluences(residuals, weights, clusters);
    const ofAll = meanInfluences(
      this.finished.map((payment) => (slope - less) * (isRecovered(payment) ? 1 : 0)),
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

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
