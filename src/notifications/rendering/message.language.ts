import type { RegionCode } from "../../../schema/regions.ts";
import type { Language } from "../../../schema/vocabulary.ts";
import { selectLanguage, type CheckoutLanguage } from "../../checkout/checkout.language.ts";
import { describeRegion } from "../../kernel/regions.ts";

/** Selects the language of a message: that of the first region that is known, then that of the vendor's country. */
export function messageLanguage(regions: readonly (RegionCode | null)[], vendorCountry: string): Language {
  const region = regions.find((code) => code !== null);
  const language = region == null ? null : describeRegion(region).language;
  return selectLanguage([language], undefined, vendorCountry) === "ko" ? "KOREAN" : "ENGLISH";
}

/** The tag of a language, as the checkout and HTML name it. */
export const languageTagOf = (language: Language): CheckoutLanguage => (language === "KOREAN" ? "ko" : "en");
