import { code as listed } from "currency-codes";

/** The decimals of `Intl`: right for most, but for some currencies they follow the coins, not ISO 4217. */
const displayedDecimals = (code: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions().maximumFractionDigits ?? 2;

/** The currencies that people pay in: metals, funds and codes for tests are not among them. */
const currencies = new Set(Intl.supportedValuesOf("currency"));

/** The decimals of currencies already used: finding those of all currencies would lengthen every start. */
const decimalsByCurrency = new Map<string, number>();

/** Whether this is the ISO 4217 code, in capitals, of a currency that is used for payment. */
export const isCurrency = (code: string): boolean => currencies.has(code);

/**
 * Decimals of a currency by ISO 4217: 0 for KRW, 2 for USD, 3 for KWD.
 * @throws {RangeError} for what is no currency.
 */
export function minorUnits(currency: string): number {
  const known = decimalsByCurrency.get(currency);
  if (known !== undefined) return known;
  if (!isCurrency(currency)) throw new RangeError(`${currency} is not a currency.`);
  const digits = listed(currency)?.digits ?? displayedDecimals(currency);
  decimalsByCurrency.set(currency, digits);
  return digits;
}
