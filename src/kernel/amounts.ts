import Big from "big.js";
import { itemAt } from "./required-values.ts";

/** An exact amount of money. The currency is stored elsewhere. */
export type Amount = Big;

const MAX_SIGNIFICANT_DIGITS = 15;
const MAX_DECIMALS = 6;
const MAX_RATE_DECIMALS = 12;

/** However many zeros a sender writes around the digits that count. */
export const MAX_NUMBER_LENGTH = 100;

/** The amount of a stored or literal number. */
export const toAmount = (value: string | number): Amount => new Big(value);

/** Nothing. */
export const ZERO: Amount = toAmount(0);

/** Amounts together. */
export const sumAmounts = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((total, next) => total.plus(next), ZERO);

/** Whether an amount, or a rate, has more digits before its point than are stored. */
export const hasTooManyDigits = (amount: Amount): boolean => amount.abs().gte(`1e${MAX_SIGNIFICANT_DIGITS}`);

/** The smaller of two amounts. */
export const minAmount = (a: Amount, b: Amount): Amount => (a.lt(b) ? a : b);

/** The factor that converts amounts from one currency to another. */
export type Rate = Big;

/** Rounds an amount to a number of decimals, half away from zero. */
export const roundAmount = (amount: Amount, scale: number): Amount => amount.round(scale, Big.roundHalfUp);

/**
 * A fraction that is not divided yet, because division would lose digits: the remaining seconds of those of a cycle.
 */
export interface Ratio {
  part: Amount;
  whole: Amount;
}

/** A ratio divided to a number of decimals; exact up to the one rounding, half up. */
export function divideRounded({ part, whole }: Ratio, scale: number): Amount {
  const Divisor = Big();
  Divisor.DP = scale;
  Divisor.RM = Big.roundHalfUp;
  return new Big(new Divisor(part).div(whole));
}

/**
 * Splits a total in proportion to weights, each part at a number of decimals. The last part gets the remainder, so that
 * the parts always add up to the total; none is negative.
 */
export function allocate(total: Amount, weights: readonly Amount[], scale: number): Amount[] {
  const whole = sumAmounts(weights);
  let remaining = total;
  return weights.map((weight, index) => {
    const isLast = index === weights.length - 1;
    const share = () => (weight.eq(0) ? ZERO : divideRounded({ part: total.times(weight), whole }, scale));
    const part = isLast ? remaining : minAmount(share(), remaining);
    remaining = remaining.minus(part);
    return part;
  });
}

/**
 * Splits a total in proportion to limits whose sum is at least the total, as `allocate` does; an excess of the last
 * over its limit goes to those before it. Limits have at most as many decimals as the parts.
 */
export function allocateWithin(total: Amount, limits: readonly Amount[], scale: number): Amount[] {
  let overflow = ZERO;
  return allocate(total, limits, scale).reduceRight<Amount[]>((parts, part, index) => {
    const requested = part.plus(overflow);
    const fitting = minAmount(requested, itemAt(limits, index));
    overflow = requested.minus(fitting);
    return [fitting, ...parts];
  }, []);
}

/** The ratio of two amounts, at the precision of rates. */
export const exchangeRateBetween = (amount: Amount, base: Amount): Rate =>
  roundAmount(amount.div(base).prec(MAX_SIGNIFICANT_DIGITS, Big.roundHalfUp), MAX_RATE_DECIMALS);

/** Plain notation without trailing zeros: `10000`, `0.5`, never `1e4`. */
export const toPlainString = (amount: Amount): string => amount.toFixed();

/**
 * Reads an amount as a caller wrote it. Fifteen digits survive every JSON number implementation, and six decimals
 * exceed the minor units of every currency, so no rounding is needed.
 * @throws {RangeError} with a message for the caller.
 */
export const parseAmount = (value: string | number): Amount => parseNumber(value, MAX_DECIMALS);

/**
 * Reads a rate: the rate between two currencies may be a ten-thousandth, with digits beyond that.
 * @throws {RangeError} with a message for the caller.
 */
export const parseRate = (value: string | number): Rate => parseNumber(value, MAX_RATE_DECIMALS);

function parseNumber(value: string | number, maxDecimals: number): Big {
  let amount: Amount;
  if (typeof value === "string" && value.length > MAX_NUMBER_LENGTH)
    throw new RangeError(`must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits.`);
  try {
    amount = new Big(value);
  } catch {
    throw new RangeError("must be a decimal number.");
  }
  if (amount.lt(0)) throw new RangeError("must not be negative.");
  if (amount.c.length > MAX_SIGNIFICANT_DIGITS || amount.e >= MAX_SIGNIFICANT_DIGITS) {
    throw new RangeError(`must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits.`);
  }
  if (amount.c.length - 1 - amount.e > maxDecimals) {
    throw new RangeError(`must have at most ${maxDecimals} decimals.`);
  }
  return amount;
}
