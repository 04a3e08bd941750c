import type { NoFigureReason } from "../../../schema/vocabulary.ts";
import { sumAmounts } from "../../kernel/amounts.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { readStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { longestDurationMs } from "../engine/policy.ts";
import type { IntervalEstimate } from "../estimates/clustered-mean.ts";
import { GainEstimator, type GainFigures, type GainOptions } from "../estimates/gain-estimate.ts";
import { isRecovered, type PastPayment } from "../estimates/past-payment.ts";
import type { ShadowPayment } from "./shadow-payment.ts";

/** A figure with the bounds within which it lies nineteen times out of twenty. */
export type Estimate = Pick<IntervalEstimate, "value" | "low" | "high">;

/** What was to be recovered in one currency. Amounts are texts where they are exact. */
export interface CurrencyResult {
  currency: string;
  cases: number;
  /** Everything that failed. */
  amount: string;
  /** What the caller's own schedule recovered. */
  ownAmount: string;
  /** What the advice would have recovered, and that less what the own schedule did; null without figures. */
  advised: Estimate | null;
  difference: Estimate | null;
}

/** What the advice of shadow mode would have been worth. */
export interface ShadowResult {
  /** Cases whose own schedule had its time, and those whose schedule goes on. */
  cases: number;
  runningCases: number;
  noFigureReason: NoFigureReason | null;
  effectiveSampleSize: number;
  /** Share of what the advice would recover that comes from tries at times like those of the own schedule. */
  covered: number;
  /** What the own schedule did: counted, not estimated. Null without cases. */
  own: { recovered: number; attemptsPerCase: number } | null;
  /** Null without figures. */
  advised: { recovered: Estimate; attemptsPerCase: number } | null;
  difference: { recovered: Estimate; attemptsPerCase: number } | null;
  amounts: CurrencyResult[];
}

/**
 * What the policies that advised would have recovered of payments that had a schedule of their own. `prior` is the published prior; `now` the
 * time until which tries are known.
 */
export function reportShadow(
  payments: readonly ShadowPayment[],
  prior: StoredModel,
  now: Date,
  { maxPlanned }: Pick<GainOptions<ShadowPayment>, "maxPlanned"> = {},
): ShadowResult {
  const estimator = new GainEstimator(payments, prior, {
    ...(maxPlanned !== undefined && { maxPlanned }),
    observedUntil: now,
    minDurationMsOf: ({ policy }) => longestDurationMs(policy),
  });
  const published = readStoredModel(prior);
  const { figures, reason, covered, effectiveCases } = estimator.estimate(
    ({ policy }) => policy,
    // A model of the vendor's own retries has seen these payments: one that was fitted to other payers stands for it.
    ({ modelVersion }, fitted) =>
      modelVersion === null ? null : modelVersion === published.version ? published : fitted,
  );
  const { cases, recovered, triesPerCase } = estimator.past;
  const own = recovered / cases;
  return {
    cases,
    runningCases: payments.length - cases,
    noFigureReason: reason === "TOO_FEW_TRIES" ? "TOO_FEW_CASES" : reason,
    effectiveSampleSize: effectiveCases,
    covered,
    own: cases === 0 ? null : { recovered: own, attemptsPerCase: triesPerCase },
    advised: figures && { recovered: within(figures.recovered, 0, 1), attemptsPerCase: figures.triesPerCase },
    difference: figures && {
      recovered: within(figures.byCount, -own, 1 - own),
      attemptsPerCase: figures.triesPerCase - triesPerCase,
    },
    amounts: amountsByCurrency(estimator.finished, figures),
  };
}

/** The amounts of each currency, in the order of their codes. */
function amountsByCurrency(payments: readonly PastPayment[], figures: GainFigures | null): CurrencyResult[] {
  return [...groupBy(payments, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, group]) => {
      const amount = sumAmounts(group.map((payment) => payment.amount));
      const ownAmount = sumAmounts(group.filter(isRecovered).map((payment) => payment.amount));
      const shares = figures?.byCurrency.get(currency);
      const [all, own] = [Number(amount), Number(ownAmount)];
      return {
        currency,
        cases: group.length,
        amount: amount.toFixed(),
        ownAmount: ownAmount.toFixed(),
        advised: shares ? within(scaled(shares.recovered, all), 0, all) : null,
        difference: shares ? within(scaled(shares.gain, all), -own, all - own) : null,
      };
    });
}

/** An estimate within what is possible. */
function within({ value, low, high }: Estimate, least: number, most: number): Estimate {
  // The sum makes 0 of a negative one.
  const limited = (one: number) => Math.min(most, Math.max(least, one)) + 0;
  return { value: limited(value), low: limited(low), high: limited(high) };
}

const scaled = ({ value, low, high }: Estimate, factor: number): Estimate => ({
  value: value * factor,
  low: low * factor,
  high: high * factor,
});
