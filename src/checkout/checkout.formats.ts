import { toPlainString, type Amount } from "../kernel/amounts.ts";
import { minorUnits } from "../kernel/currencies.ts";
import type { CheckoutLanguage } from "./checkout.language.ts";

const locales: Record<CheckoutLanguage, string> = { ko: "ko-KR", en: "en-US" };

/** As many decimals as an amount can have. */
const MAX_DECIMALS = 6;

/** An amount as people of the language write it, to its last digit. */
export const formatMoney = (amount: Amount, currency: string, language: CheckoutLanguage): string =>
  new Intl.NumberFormat(locales[language], {
    style: "currency",
    currency,
    minimumFractionDigits: minorUnits(currency),
    maximumFractionDigits: MAX_DECIMALS,
    // As text: a float would lose digits.
  }).format(toPlainString(amount) as `${number}`);

/** The day of an instant in a zone, as people of the language write it. */
export const formatDay = (instant: Date, zoneId: string, language: CheckoutLanguage): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: zoneId }).format(instant);

/** An instant as people of the language write it, in a zone that is named. */
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
