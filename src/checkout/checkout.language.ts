import { firstOf } from "../kernel/required-values.ts";
/** The languages of the checkout. */
export type CheckoutLanguage = "ko" | "en";

const isCheckoutLanguage = (word: string): word is CheckoutLanguage => word === "ko" || word === "en";

/** The language of a tag such as `ko` or `en-US`; undefined for those that the checkout does not support. */
function supportedLanguage(tag: string): CheckoutLanguage | undefined {
  const word = firstOf(tag.trim().toLowerCase().split(/[-_]/));
  return isCheckoutLanguage(word) ? word : undefined;
}

/** The first of a browser's languages that the checkout supports, by their weights. */
function preferredLanguage(acceptLanguage: string): CheckoutLanguage | undefined {
  const preferences = acceptLanguage.split(",").map((wish) => {
    const [tag = "", ...parameters] = wish.split(";");
    const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
    return { language: supportedLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const supported = preferences.filter(({ language, weight }) => language && weight > 0);
  return supported.sort((one, other) => other.weight - one.weight)[0]?.language;
}

/** The language of a page: the requested ones in order of preference, then the browser's, then the shop's. */
export function selectLanguage(
  candidates: readonly (string | null | undefined)[],
  acceptLanguage: string | undefined,
  country: string,
): CheckoutLanguage {
  const requested = candidates.flatMap((wish) => wish || []);
  // A request for an unsupported language gets the most widely read one.
  if (requested.length > 0)
    return requested.map((wish) => supportedLanguage(wish)).find((language) => language) ?? "en";
  return preferredLanguage(acceptLanguage ?? "") ?? (country === "KR" ? "ko" : "en");
}
