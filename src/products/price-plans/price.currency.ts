import type { Amount, Rate } from "../../kernel/amounts.ts";
import { minorUnits } from "../../kernel/currencies.ts";
import { invalid } from "../../kernel/refusals.ts";
import type { CurrencyPrice } from "./price.terms.ts";

/** The currency that is paid in, and how amounts of the vendor's base currency become amounts in it. */
export interface PaymentCurrency {
  currency: string;
  baseCurrency: string;
  /** The factor for amounts in the base currency; null if the vendor has set none. */
  rate: Rate | null;
  /** Decimals of charged amounts. */
  scale: number;
}

/** The currency settings of a vendor. */
export interface VendorCurrency {
  /** The base currency. */
  currency: string;
  /** Decimals of charged amounts; null for the currency's own. */
  paymentAmountScale: number | null;
  /** The factors for amounts in the base currency, by target currency. */
  rates: Readonly<Record<string, Rate>>;
}

/**
 * The conversion of a vendor's amounts to a currency.
 * @throws {RangeError} for an unknown currency: code that reads one from outside validates it.
 */
export const toPaymentCurrency = (vendor: VendorCurrency, currency: string): PaymentCurrency => ({
  currency,
  baseCurrency: vendor.currency,
  rate: vendor.rates[currency] ?? null,
  scale: vendor.paymentAmountScale ?? minorUnits(currency),
});

/**
 * A price in the payment currency: its own price there if it has one, else the base currency's price at the vendor's
 * rate. Not rounded: a line is, once. Zero is zero in every currency.
 * @throws {Refusal} `NO_EXCHANGE_RATE`
 */
export function convertPrice(
  { currency, baseCurrency, rate }: PaymentCurrency,
  price: Amount,
  own: CurrencyPrice = {},
): Amount {
  if (currency === baseCurrency) return price;
  const ownPrice = Object.hasOwn(own, currency) ? own[currency] : undefined;
  if (ownPrice) return ownPrice;
  if (price.eq(0)) return price;
  if (rate) return price.times(rate);
  throw invalid(
    "NO_EXCHANGE_RATE",
    `There is no price in ${currency} and no exchange rate from ${baseCurrency} to it; set one of the two.`,
  );
}
