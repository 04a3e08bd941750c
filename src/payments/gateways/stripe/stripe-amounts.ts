import { toAmount, type Amount } from "../../../kernel/amounts.ts";

/** Currencies without a smaller unit: https://docs.stripe.com/currencies#zero-decimal. */
const withoutDecimals: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
);

/**
 * Currencies with thousandths, of which the last digit must be 0: https://docs.stripe.com/currencies#three-decimal. The
 * rule was read there; the list is that of ISO 4217.
 */
const withThousandths: ReadonlySet<string> = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

/** Whole amounts, but expressed in hundredths: https://support.stripe.com/questions/deprecation-of-fractional-isk-charges-and-refunds. */
const wholeInHundredths: ReadonlySet<string> = new Set(["ISK"]);

/** The pages contradict each other about its unit, so that it is refused and not charged a hundredfold. */
const ambiguous: ReadonlySet<string> = new Set(["UGX"]);

const unitsOf = (currency: string): number =>
  withoutDecimals.has(currency) ? 1 : withThousandths.has(currency) ? 1_000 : 100;

/** An amount in the currency's smallest unit; undefined if the gateway cannot charge it exactly. */
export function toStripeAmount(amount: Amount, currency: string): number | undefined {
  const step = withThousandths.has(currency) ? 10 : wholeInHundredths.has(currency) ? 100 : 1;
  const units = amount.times(unitsOf(currency));
  if (ambiguous.has(currency) || !units.mod(step).eq(0)) return undefined;
  return units.toNumber();
}

/** The amount of a number of smallest units; `currency` is as Stripe writes it, in small letters. */
export const fromStripeAmount = (units: number, currency: string): Amount =>
  toAmount(units).div(unitsOf(currency.toUpperCase()));
