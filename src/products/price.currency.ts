import type { Amount } from "../kernel/amounts.ts";
import { minorUnits } from "../kernel/currencies.ts";
import { invalid } from "../kernel/errors.ts";
import type { CurrencyPrice } from "./price.terms.ts";

/** The currency that is paid in, and how amounts of the vendor's base currency become amounts in it. */
export interface Money {
  currency: string;
  baseCurrency: string;
  /** What amounts in the base currency are multiplied by; null where the vendor has set none. */
  rate: Amount | null;
  /** Decimals of what is charged. */
  scale: number;
}

/** Decimals of what is charged in a currency: the vendor's choice, or the currency's own. */
export const scaleOf = (paymentAmountScale: number | null, currency: string): number =>
  paymentAmountScale ?? minorUnits(currency);

/**
 * A price in the currency that is paid in: its own price there if it has one, else that of the base currency by the
 * vendor's rate. Not rounded: a line is, once. Nothing costs nothing in every currency.
 * @throws {Refusal} `NO_EXCHANGE_RATE`
 */
export function priceIn({ currency, baseCurrency, rate }: Money, price: Amount, own: CurrencyPrice = {}): Amount {
  if (currency === baseCurrency) return price;
  if (Object.hasOwn(own, currency)) return own[currency]!;
  if (price.eq(0)) return price;
  if (rate) return price.times(rate);
  throw invalid(
    "NO_EXCHANGE_RATE",
    `There is no price in ${currency} and no exchange rate from ${baseCurrency} to it. Set one of the two.`,
  );
}
