import { roundAmount, toAmount, type Amount } from "../../kernel/amounts.ts";
import { roundToSixDigits } from "../engine/model/rounding.ts";

/** A figure with its bounds. */
interface Bounded<Value> {
  value: Value;
  low: Value;
  high: Value;
}

/** Decimals of an estimated amount: its interval is wider. */
const AMOUNT_DECIMALS = 2;

/** An estimated figure as it is shown. */
export const figureToGraph = (figure: Bounded<number>): Bounded<number> => mapBounds(figure, roundToSixDigits);

/** An estimated amount as it is shown. */
export const estimatedAmountToGraph = (figure: Bounded<number>): Bounded<Amount> =>
  mapBounds(figure, (amount) => roundAmount(toAmount(amount), AMOUNT_DECIMALS));

const mapBounds = <Value>({ value, low, high }: Bounded<number>, map: (one: number) => Value): Bounded<Value> => ({
  value: map(value),
  low: map(low),
  high: map(high),
});
