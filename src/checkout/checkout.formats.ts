import { toPlainString, type Amount } from "../kernel/amounts.ts";
import { minorUnits } from "../kernel/currencies.ts";
import type { CheckoutLanguage } from "./checkout.language.ts";

const locales: Record<CheckoutLanguage, string> = { ko: "ko-KR", en: "en-US" };

/** The highest number of decimals of an amount. */
const MAX_DECIMALS = 6;

/** Formats an amount with its currency for a language, without rounding. */
export const formatMoney = (amount: Amount, currency: string, language: CheckoutLanguage): string =>
  new Intl.NumberFormat(locales[language], {
    style: "currency",
    currency,
    minimumFractionDigits: minorUnits(currency),
    maximumFractionDigits: MAX_DECIMALS,
    // Passed as a string, because a float would lose digits.
  }).format(toPlainString(amount) as `${number}`);

/** Formats the date of an instant in a time zone for a language. */
export const formatDay = (instant: Date, zoneId: string, language: CheckoutLanguage): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: zoneId }).format(instant);

/** Formats the month of an instant in a time zone for a language. */
export const formatMonth = (instant: Date, zoneId: string, language: CheckoutLanguage): string =>
  new Intl.DateTimeFormat(locales[language], { year: "numeric", month: "long", timeZone: zoneId }).format(instant);

/** Formats an instant for a language, with the name of the time zone. */
export const formatInstant = (instant: Date, zoneId: string, language: CheckoutLanguage): string =>
  new Intl.DateTimeFormat(locales[language], {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: zoneId,
    timeZoneName: "short",
  }).format(instant);

/**
 * The label of a stored payment method, with dots for the digits that are not shown. Some gateways mask the last digit too:
 * `VISA ************123*` is shown as `VISA •••• 123•`.
 */
export const formatPaymentInfo = (paymentInfo: string): string =>
  paymentInfo.replace(/\*{2,}/g, "•••• ").replaceAll("*", "•");
