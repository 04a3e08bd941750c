import type { NoFigureReason } from "../../../schema/vocabulary.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import type { StoredModel } from "../engine/model/stored-model.ts";
import { traceCase, type CaseTrace, type CorrectedValue } from "./case-trace.ts";
import { effectiveSampleSize, estimateMeanValue, type EstimatedValue } from "./estimate-value.ts";
import type { LoggedCase } from "./logged-case.ts";
import { fitOutcomeModels, modelForPayer } from "./outcome-model.ts";
import type { ProposedPolicy } from "./proposed-policy.ts";

/** Fewer cases than these say nothing. */
export const MIN_CASES = 100;
/** An interval is of payers, because the cases of one depend on each other: of fewer payers it would be too narrow. */
const MIN_PAYERS = 30;
/** Below this effective sample size there is no figure: an interval of so few would promise too much. */
const MIN_EFFECTIVE_SAMPLE_SIZE = 50;
/** No figure if more of the proposed policy than this chooses times that the recorded one never does. */
const MAX_UNSUPPORTED = 0.05;

/** What a policy recovers. */
export interface PolicyValue {
  /** Share of the cases. */
  recovered: EstimatedValue;
  /** Amount, of the cases in the vendor's currency together. */
  amount: EstimatedValue;
  /** Number of attempts of a case. */
  attempts: EstimatedValue;
  effectiveSampleSize: number;
}

/** The result of a backtest. Values are null if there is no figure. */
export interface BacktestResult {
  cases: number;
  noFigureReason: NoFigureReason | null;
  effectiveSampleSize: number;
  /** Part of what the proposed policy does that the recorded one never did, 0 to 1. */
  unsupported: number;
  /** As it was recorded. */
  current: PolicyValue | null;
  proposed: PolicyValue | null;
  difference: PolicyValue | null;
  /** The difference by inverse propensity alone, without the outcome model: a check. */
  differenceByWeights: PolicyValue | null;
}

/**
 * What another policy would have recovered of the same cases, estimated from the choices that were recorded with their
 * probabilities. `prior` is what the outcome model knows before these cases.
 */
export function runBacktest(
  cases: readonly LoggedCase[],
  proposed: ProposedPolicy,
  prior: StoredModel,
  models: readonly RetryModel[] = areTooFew(cases) ? [] : fitOutcomeModels(cases, prior),
): BacktestResult {
  const noFigure = { current: null, proposed: null, difference: null, differenceByWeights: null };
  if (areTooFew(cases))
    return {
      cases: cases.length,
      noFigureReason: "TOO_FEW_CASES",
      effectiveSampleSize: 0,
      unsupported: 0,
      ...noFigure,
    };
  const traces = cases.map((one) => traceCase(one, proposed, modelForPayer(models, one.payer)));
  clipWeights(traces);
  const size = effectiveSampleSize(traces.map(({ weights }) => weights.at(-1) ?? 1));
  const unsupported = Math.min(1, traces.reduce((sum, one) => sum + one.unsupported, 0) / traces.length);
  const about = { cases: cases.length, effectiveSampleSize: size, unsupported };
  if (size < MIN_EFFECTIVE_SAMPLE_SIZE || unsupported > MAX_UNSUPPORTED)
    return { ...about, noFigureReason: "NO_OVERLAP", ...noFigure };
  return {
    ...about,
    noFigureReason: null,
    current: { ...valueOf(traces, observedValue), effectiveSampleSize: traces.length },
    proposed: { ...valueOf(traces, (value) => ({ ...value, observed: 0 })), effectiveSampleSize: size },
    difference: { ...valueOf(traces, (value) => value), effectiveSampleSize: size },
    differenceByWeights: {
      ...valueOf(traces, (value, results) => ({ ...value, start: 0, corrections: results })),
      effectiveSampleSize: size,
    },
  };
}

const areTooFew = (cases: readonly LoggedCase[]): boolean =>
  cases.length < MIN_CASES || new Set(cases.map(({ payer }) => payer)).size < MIN_PAYERS;

/** The recorded value alone. */
const observedValue = ({ observed }: CorrectedValue): CorrectedValue => ({
  start: observed,
  corrections: [],
  observed: 0,
});

function valueOf(
  traces: readonly CaseTrace[],
  select: (value: CorrectedValue, results: number[]) => CorrectedValue,
): Omit<PolicyValue, "effectiveSampleSize"> {
  const estimate = (
    used: readonly CaseTrace[],
    of: (trace: CaseTrace) => CorrectedValue,
    scale: (trace: CaseTrace) => number,
  ) =>
    estimateMeanValue(
      used.map((trace) => {
        const { start, corrections, observed } = of(trace);
        const factor = scale(trace);
        return {
          payer: trace.payer,
          start: start * factor,
          weights: trace.weights,
          additions: corrections.map((one) => one * factor),
          less: observed * factor,
        };
      }),
    );
  const recovered = (trace: CaseTrace) => select(trace.recovered, trace.approvals);
  const withAmount = traces.filter(({ amount }) => amount !== null);
  const meanAmount = estimate(withAmount, recovered, ({ amount }) => amount ?? 0);
  return {
    recovered: estimate(traces, recovered, () => 1),
    amount: scaled(meanAmount, withAmount.length),
    attempts: estimate(
      traces,
      (trace) =>
        select(
          trace.attempts,
          trace.weights.map(() => 1),
        ),
      () => 1,
    ),
  };
}

const scaled = ({ value, low, high }: EstimatedValue, factor: number): EstimatedValue => ({
  value: value * factor,
  low: low * factor,
  high: high * factor,
});

/** Limits weights to the square root of the number of cases (Ionides, Journal of Computational and Graphical Statistics 17, 2008). */
function clipWeights(traces: readonly CaseTrace[]): void {
  const limit = Math.sqrt(traces.length);
  for (const { weights } of traces)
    for (const [step, weight] of weights.entries()) if (weight > limit) weights[step] = limit;
}
