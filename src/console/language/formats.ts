import { useMemo } from "react";
import { useVendor } from "../session/vendor.tsx";
import { useLanguage, type LanguageTag } from "./language.tsx";

/** How values are shown: amounts by their currency, times in a time zone. */
export interface Formats {
  money: (amount: string, currency: string) => string;
  /** A rounded amount for the axis of a chart. */
  shortMoney: (amount: number, currency: string) => string;
  count: (value: number) => string;
  /** A fraction as a percentage; a dash without one. */
  percent: (fraction: number | null) => string;
  /** Date and time. Defaults to the vendor's time zone, whose name is left out. */
  time: (instant: string, zoneId?: string) => string;
  day: (instant: string, zoneId?: string) => string;
  /** A day without its year, for the axis of a chart. */
  shortDay: (instant: string, zoneId?: string) => string;
  /** The name of a country by its ISO 3166-1 code; a dash for one that is not known. */
  country: (code: string) => string;
}

const LOCALES: Record<LanguageTag, string> = { en: "en-US", ko: "ko-KR" };

const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^-?\d+(?:[.]\d+)?$/.test(text);

/** The half of the day stays on the line of its time. */
const keepTogether = (time: string): string => time.replace(/ (?=[AP]M)|(?<=오[전후]) /, "\u00a0");

function createFormats(language: LanguageTag, vendorZoneId: string): Formats {
  const locale = LOCALES[language];
  const number = new Intl.NumberFormat(locale);
  const percentage = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const countries = new Intl.DisplayNames(locale, { type: "region" });
  const inZone = (options: Intl.DateTimeFormatOptions) => (instant: string, zoneId?: string) =>
    new Intl.DateTimeFormat(locale, {
      ...options,
      ...(zoneId !== undefined && options.hour && { timeZoneName: "short" }),
      timeZone: zoneId ?? vendorZoneId,
    }).format(new Date(instant));
  const dayOptions = { year: "numeric", month: "short", day: "numeric" } as const;
  const showTime = inZone({ ...dayOptions, hour: "2-digit", minute: "2-digit" });
  return {
    // The exact decimal is passed on: a JavaScript number could not hold every amount.
    money: (amount, currency) =>
      isDecimal(amount) ? new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount) : amount,
    shortMoney: (amount, currency) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, notation: "compact" }).format(amount),
    count: (value) => number.format(value),
    percent: (fraction) => (fraction === null ? "–" : percentage.format(fraction)),
    time: (instant, zoneId) => keepTogether(showTime(instant, zoneId)),
    day: inZone(dayOptions),
    shortDay: inZone({ month: "short", day: "numeric" }),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : "–"),
  };
}

export function useFormats(): Formats {
  const { language } = useLanguage();
  const { zoneId } = useVendor();
  return useMemo(() => createFormats(language, zoneId), [language, zoneId]);
}
