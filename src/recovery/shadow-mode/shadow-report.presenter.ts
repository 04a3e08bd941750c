import { toAmount } from "../../kernel/amounts.ts";
import { roundToSixDigits } from "../engine/model/rounding.ts";
import { estimatedAmountToGraph, figureToGraph } from "../estimates/estimated-figure.presenter.ts";
import type { CurrencyResult, ShadowResult } from "./shadow-report.ts";
import type { ShadowReport } from "./shadow-report.service.ts";

const toScheduleValue = (value: ShadowResult["advised"]) =>
  value && {
    recoveredShare: figureToGraph(value.recovered),
    attemptsPerCase: roundToSixDigits(value.attemptsPerCase),
  };

const toAmounts = ({ currency, cases, amount, ownAmount, advised, difference }: CurrencyResult) => ({
  currency,
  cases,
  failedAmount: toAmount(amount),
  ownAmount: toAmount(ownAmount),
  advisedAmount: advised && estimatedAmountToGraph(advised),
  difference: difference && estimatedAmountToGraph(difference),
});

/** A shadow report as it is shown. */
export const shadowReportToGraph = ({ own, advised, difference, covered, amounts, ...report }: ShadowReport) => ({
  ...report,
  coveredShare: roundToSixDigits(covered),
  own: own && {
    recoveredShare: roundToSixDigits(own.recovered),
    attemptsPerCase: roundToSixDigits(own.attemptsPerCase),
  },
  advised: toScheduleValue(advised),
  difference: toScheduleValue(difference),
  amounts: amounts.map(toAmounts),
});
