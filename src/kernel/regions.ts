import { countries } from "countries-list";
import { RegionCode, UsState, type CountryCode } from "../../schema/regions.ts";

/** The data of a region; all names are English. */
export interface RegionDetails {
  code: RegionCode;
  /** That of the state, where the region is one; else that of the country. */
  name: string;
  /** ISO 4217 codes, the main one first; empty for uninhabited regions. */
  currencies: readonly string[];
  country: string;
  countryCode: CountryCode;
  /** Null unless the region is a state. */
  state: string | null;
  /** ISO 639-1 code of the main language; null for uninhabited regions. */
  language: string | null;
}

/** ISO 4217 codes of units that are not used for payment: funds, and units of account. */
const nonPaymentCurrencies = new Set(["BOV", "CHE", "CHW", "CLF", "USN", "UYI"]);

/** The library lists the languages of South Africa by the alphabet, not by their use. */
const mainLanguages: Partial<Record<CountryCode, string>> = { ZA: "en" };

const isState = (code: RegionCode): code is UsState => code in UsState;

/** `US_NEW_YORK` → `New York`. */
const stateName = (state: UsState): string =>
  state
    .split("_")
    .slice(1)
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join(" ");

/** The country, currencies and language of a region. */
export function describeRegion(code: RegionCode): RegionDetails {
  const countryCode = isState(code) ? "US" : code;
  const state = isState(code) ? stateName(code) : null;
  const { name: country, currency, languages } = countries[countryCode];
  return {
    code,
    name: state ?? country,
    currencies: currency.filter((unit) => !nonPaymentCurrencies.has(unit)),
    country,
    countryCode,
    state,
    language: mainLanguages[countryCode] ?? languages[0] ?? null,
  };
}

const allRegions: readonly RegionDetails[] = Object.values(RegionCode).map(describeRegion);

/** The regions that have a text in their code or name, in any case; of one country, or of all. */
export function searchRegions(text: string, countryCode?: string | null): RegionDetails[] {
  const searched = text.toLowerCase();
  return allRegions.filter(
    (region) =>
      (countryCode == null || region.countryCode === countryCode) &&
      (region.code.toLowerCase().includes(searched) || region.name.toLowerCase().includes(searched)),
  );
}
