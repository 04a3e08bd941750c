import { roundAmount, toAmount } from "../../kernel/amounts.ts";
import { roundToSixDigits } from "../engine/model/rounding.ts";
import type { PolicyValue } from "./backtest.ts";
import type { Backtest } from "./backtest.service.ts";
import type { EstimatedValue } from "./estimate-value.ts";
import { isWorse } from "./backtest.stored.ts";

/** Decimals of an estimated amount: its interval is wider. */
const AMOUNT_DECIMALS = 2;

const toFigure = ({ value, low, high }: EstimatedValue) => ({
  value: roundToSixDigits(value),
  low: roundToSixDigits(low),
  high: roundToSixDigits(high),
});

const toEstimatedAmount = ({ value, low, high }: EstimatedValue) => {
  const toDecimal = (amount: number) => roundAmount(toAmount(amount), AMOUNT_DECIMALS);
  return { value: toDecimal(value), low: toDecimal(low), high: toDecimal(high) };
};

/** A share or an amount that is no difference lies within what there is to recover. */
const within = ({ value, low, high }: EstimatedValue, most: number): EstimatedValue => {
  const limited = (one: number) => Math.min(most, Math.max(0, one));
  return { value: limited(value), low: limited(low), high: limited(high) };
};

const toValue = (value: PolicyValue | null) =>
  value && {
    recoveredShare: toFigure(value.recovered),
    recoveredAmount: toEstimatedAmount(value.amount),
    attemptsPerCase: toFigure(value.attempts),
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
