import { firstOf } from "../kernel/required-values.ts";
/** The languages of the checkout. */
export type CheckoutLanguage = "ko" | "en";

const isCheckoutLanguage = (word: string): word is CheckoutLanguage => word === "ko" || word === "en";

/** The language of a tag such as `ko` or `en-US`; undefined for those that the checkout does not speak. */
function supportedLanguage(tag: string): CheckoutLanguage | undefined {
  const word = firstOf(tag.trim().toLowerCase().split(/[-_]/));
  return isCheckoutLanguage(word) ? word : undefined;
}

/** The first of a browser's languages that the checkout speaks, by their weights. */
function preferredLanguage(acceptLanguage: string): CheckoutLanguage | undefined {
  const preferences = acceptLanguage.split(",").map((wish) => {
    const [tag = "", ...parameters] = wish.split(";");
    const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
    return { language: supportedLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const supported = preferences.filter(({ language, weight }) => language && weight > 0);
  return supported.sort((one, other) => other.weight - one.weight)[0]?.language;
}

/** The language of a page: what was asked for, in order of the wishes, else what the browser prefers, else that of the shop. */
export function selectLanguage(
  candidates: readonly (string | null | undefined)[],
  acceptLanguage: string | undefined,
  country: string,
): CheckoutLanguage {
  const requested = candidates.flatMap((wish) => wish || []);
  // Whoever asked for a language that the checkout does not speak gets the one that most people read.
  if (requested.length > 0)
    return requested.map((wish) => supportedLanguage(wish)).find((language) => language) ?? "en";
  return preferredLanguage(acceptLanguage ?? "") ?? (country === "KR" ? "ko" : "en");
}
