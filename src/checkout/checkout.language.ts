import { firstOf } from "../kernel/required-values.ts";
/** The languages of the checkout. */
export type CheckoutLanguage = "ko" | "en";

const isCheckoutLanguage = (code: string): code is CheckoutLanguage => code === "ko" || code === "en";

/** The language of a tag such as `ko` or `en-US`; undefined if the checkout does not support it. */
function supportedLanguage(tag: string): CheckoutLanguage | undefined {
  const code = firstOf(tag.trim().toLowerCase().split(/[-_]/));
  return isCheckoutLanguage(code) ? code : undefined;
}

/** The supported language with the highest weight in an `Accept-Language` header. */
function preferredLanguage(acceptLanguage: string): CheckoutLanguage | undefined {
  const preferences = acceptLanguage.split(",").map((preference) => {
    const [tag = "", ...parameters] = preference.split(";");
    const weight = parameters
      .map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return { language: supportedLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const supported = preferences.filter(({ language, weight }) => language && weight > 0);
  return supported.sort((a, b) => b.weight - a.weight)[0]?.language;
}

/** Selects the language of a page: the first requested one, then the browser's, then that of the vendor's country. */
export function selectLanguage(
  candidates: readonly (string | null | undefined)[],
  acceptLanguage: string | undefined,
  country: string,
): CheckoutLanguage {
  const requested = candidates.flatMap((tag) => tag || []);
  // A request for unsupported languages gets English.
  if (requested.length > 0) return requested.map((tag) => supportedLanguage(tag)).find((language) => language) ?? "en";
  return preferredLanguage(acceptLanguage ?? "") ?? (country === "KR" ? "ko" : "en");
}
