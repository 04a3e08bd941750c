import Big from "big.js";

/** An exact amount of money. The currency is known from where it stands. */
export type Amount = Big;

const MAX_SIGNIFICANT_DIGITS = 15;
const MAX_DECIMALS = 6;

/** The amount of a stored or literal number. */
export const amountOf = (value: string | number): Amount => new Big(value);

/** Plain notation without trailing zeros: `10000`, `0.5`, never `1e4`. */
export const plain = (amount: Amount): string => amount.toFixed();

/**
 * Reads an amount as a caller wrote it. Fifteen digits survive every JSON number on earth,
 * and six decimals exceed the minor units of every currency, so nothing has to be rounded.
 * @throws {RangeError} with a sentence for the caller.
 */
export function readAmount(value: string | number): Amount {
  let amount: Amount;
  try {
    amount = new Big(value);
  } catch {
    throw new RangeError("must be a decimal number.");
  }
  if (amount.lt(0)) throw new RangeError("must not be negative.");
  if (amount.c.length > MAX_SIGNIFICANT_DIGITS || amount.e >= MAX_SIGNIFICANT_DIGITS) {
    throw new RangeError(`must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits.`);
  }
  if (amount.c.length - 1 - amount.e > MAX_DECIMALS) {
    throw new RangeError(`must have at most ${MAX_DECIMALS} decimals.`);
  }
  return amount;
}
