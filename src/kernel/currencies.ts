import { code as listed } from "currency-codes";

/** The decimals of `Intl`: right for most, but for some currencies they follow the coins, not ISO 4217. */
const displayedDecimals = (code: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions().maximumFractionDigits ?? 2;

/** The currencies that people pay in, with their decimals: metals, funds and codes for tests are not among them. */
const decimalsByCurrency = new Map(
  Intl.supportedValuesOf("currency").map((code) => [code, listed(code)?.digits ?? displayedDecimals(code)]),
);

/** Whether this is the ISO 4217 code, in capitals, of a currency that is used for payment. */
export const isCurrency = (code: string): boolean => decimalsByCurrency.has(code);

/**
 * Decimals of a currency by ISO 4217: 0 for KRW, 2 for USD, 3 for KWD.
 * @throws {RangeError} for what is no currency.
 */
export function minorUnits(currency: string): number {
  const digits = decimalsByCurrency.get(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not a currency.`);
  return digits;
}
