import { toPlainString, parseAmount, parseRate, type Amount, type Rate } from "../../kernel/amounts.ts";
import { isCurrency } from "../../kernel/currencies.ts";
import { UnsafeNumber } from "../../kernel/json-reader.ts";
import { createScalar, requireObject } from "./create-scalar.ts";

/** Amounts of money. */
export const DecimalScalar = createScalar<Amount>(
  "Decimal",
  'An exact amount of money with at most 15 significant digits and 6 decimals. It is a string in plain notation without trailing zeros, such as "9900" or "12.5". Input may also be a number, and must not be negative; output is negative only for discounts and differences. The currency is the one that the field or its type names.',
  (value) => parseDecimalValue(value, parseAmount),
  // Records from projections have it in wire format already.
  (value: Amount | string) => (typeof value === "string" ? value : toPlainString(value)),
);

/** Rates between currencies. */
export const RateScalar = createScalar<Rate>(
  "Rate",
  'An exact exchange rate between two currencies, with at most 15 significant digits and 12 decimals. It is a string in plain notation without trailing zeros, such as "0.00072" or "0.000222717149". It is never negative. Input may also be a number.',
  (value) => parseDecimalValue(value, parseRate),
  (value: Rate | string) => (typeof value === "string" ? value : toPlainString(value)),
);

function parseDecimalValue(value: unknown, read: (text: string | number) => Amount): Amount {
  if (value instanceof UnsafeNumber) return read(value.text);
  if (typeof value !== "string" && typeof value !== "number") throw new RangeError("must be a decimal number.");
  return read(value);
}

/** Maximum number of currencies in which an amount can be given. */
export const MAX_CURRENCIES = 50;

/** Amounts of money by currency. */
export const CurrencyAmountsScalar = createScalar<Record<string, string>>(
  "CurrencyAmounts",
  'Exact amounts of money by the ISO 4217 code of their currency, as an object of strings: {"USD": "12.5", "JPY": "1900"}. At most 50 currencies; each amount follows the limits of Decimal. Input may also have numbers.',
  (value) => {
    const entries = Object.entries(requireObject(value));
    if (entries.length > MAX_CURRENCIES) throw new RangeError(`must have at most ${MAX_CURRENCIES} currencies.`);
    return Object.fromEntries(
      entries.map(([currency, amount]) => [requireCurrency(currency), parseAmountOfCurrency(currency, amount)]),
    );
  },
  (amounts: Record<string, string>) => amounts,
);

function requireCurrency(code: string): string {
  if (!isCurrency(code)) throw new RangeError("must have ISO 4217 codes in upper case, such as KRW, as its keys.");
  return code;
}

function parseAmountOfCurrency(currency: string, amount: unknown): string {
  try {
    return toPlainString(parseDecimalValue(amount, parseAmount));
  } catch (error) {
    if (error instanceof RangeError)
      throw new RangeError(`must hold amounts: that of ${currency} ${error.message}`, { cause: error });
    throw error;
  }
}
