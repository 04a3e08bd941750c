/** The languages of the checkout. */
export type Language = "ko" | "en";

const isLanguage = (word: string): word is Language => word === "ko" || word === "en";

/** The language of a tag such as `ko` or `en-US`; undefined for those that the checkout does not speak. */
function spoken(tag: string): Language | undefined {
  const word = tag.trim().toLowerCase().split(/[-_]/)[0]!;
  return isLanguage(word) ? word : undefined;
}

/** The first of a browser's languages that the checkout speaks, by their weights. */
function preferred(acceptLanguage: string): Language | undefined {
  const wishes = acceptLanguage.split(",").map((wish) => {
    const [tag = "", ...parameters] = wish.split(";");
    const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
    return { language: spoken(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const known = wishes.filter(({ language, weight }) => language && weight > 0);
  return known.sort((one, other) => other.weight - one.weight)[0]?.language;
}

/** The language of a page: what was asked for, in order of the wishes, else what the browser prefers, else that of the shop. */
export function languageOf(
  wishes: readonly (string | null | undefined)[],
  acceptLanguage: string | undefined,
  country: string,
): Language {
  const asked = wishes.filter((wish) => wish != null && wish !== "");
  // Whoever asked for a language that the checkout does not speak gets the one that most people read.
  if (asked.length > 0) return asked.map((wish) => spoken(wish!)).find((language) => language) ?? "en";
  return preferred(acceptLanguage ?? "") ?? (country === "KR" ? "ko" : "en");
}
