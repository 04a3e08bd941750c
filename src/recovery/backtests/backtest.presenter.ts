import { roundToSixDigits } from "../engine/model/rounding.ts";
import { estimatedAmountToGraph, figureToGraph } from "../estimates/estimated-figure.presenter.ts";
import type { PolicyValue } from "./backtest.ts";
import type { Backtest } from "./backtest.service.ts";
import type { EstimatedValue } from "./estimate-value.ts";
import { isWorse } from "./backtest.stored.ts";

/** A share or an amount that is no difference lies within what there is to recover. */
const within = ({ value, low, high }: EstimatedValue, most: number): EstimatedValue => {
  const limited = (one: number) => Math.min(most, Math.max(0, one));
  return { value: limited(value), low: limited(low), high: limited(high) };
};

const toValue = (value: PolicyValue | null) =>
  value && {
    recoveredShare: figureToGraph(value.recovered),
    recoveredAmount: estimatedAmountToGraph(value.amount),
    attemptsPerCase: figureToGraph(value.attempts),
    effectiveSampleSize: roundToSixDigits(value.effectiveSampleSize),
  };

const toWholeValue = (value: PolicyValue | null) =>
  toValue(value && { ...value, recovered: within(value.recovered, 1), amount: within(value.amount, Infinity) });

/** A backtest as it is shown. */
export const backtestToGraph = ({ skipped, unsupported, ...backtest }: Backtest) => ({
  ...backtest,
  effectiveSampleSize: roundToSixDigits(backtest.effectiveSampleSize),
  runningCases: skipped.running,
  unusableCases: skipped.unreported + skipped.unreadable,
  unsupportedShare: roundToSixDigits(unsupported),
  current: toWholeValue(backtest.current),
  proposed: toWholeValue(backtest.proposed),
  difference: toValue(backtest.difference),
  differenceByWeights: toValue(backtest.differenceByWeights),
  isWorse: isWorse(backtest),
});
