import { countries, type TCountryCode } from "countries-list";
import { enumOf } from "./vocabulary/words.ts";

/** Codes in the library that ISO 3166-1 does not assign. */
const nonIsoCodes = ["AC", "TA", "XK"] as const;

/** An ISO 3166-1 alpha-2 code. */
export type CountryCode = Exclude<TCountryCode, (typeof nonIsoCodes)[number]>;

const isIsoCountryCode = (code: string): code is CountryCode => !nonIsoCodes.some((other) => other === code);

/** The states of the United States, as regions of their own. */
export const UsState = enumOf(
  "US_ALABAMA",
  "US_ALASKA",
  "US_ARIZONA",
  "US_ARKANSAS",
  "US_CALIFORNIA",
  "US_COLORADO",
  "US_CONNECTICUT",
  "US_DELAWARE",
  "US_FLORIDA",
  "US_GEORGIA",
  "US_HAWAII",
  "US_IDAHO",
  "US_ILLINOIS",
  "US_INDIANA",
  "US_IOWA",
  "US_KANSAS",
  "US_KENTUCKY",
  "US_LOUISIANA",
  "US_MAINE",
  "US_MARYLAND",
  "US_MASSACHUSETTS",
  "US_MICHIGAN",
  "US_MINNESOTA",
  "US_MISSISSIPPI",
  "US_MISSOURI",
  "US_MONTANA",
  "US_NEBRASKA",
  "US_NEVADA",
  "US_NEW_HAMPSHIRE",
  "US_NEW_JERSEY",
  "US_NEW_MEXICO",
  "US_NEW_YORK",
  "US_NORTH_CAROLINA",
  "US_NORTH_DAKOTA",
  "US_OHIO",
  "US_OKLAHOMA",
  "US_OREGON",
  "US_PENNSYLVANIA",
  "US_RHODE_ISLAND",
  "US_SOUTH_CAROLINA",
  "US_SOUTH_DAKOTA",
  "US_TENNESSEE",
  "US_TEXAS",
  "US_UTAH",
  "US_VERMONT",
  "US_VIRGINIA",
  "US_WASHINGTON",
  "US_WEST_VIRGINIA",
  "US_WISCONSIN",
  "US_WYOMING",
);
export type UsState = keyof typeof UsState;

/** Regions of sale: every country, and also each state of the United States. */
export const RegionCode = enumOf(...Object.keys(countries).filter(isIsoCountryCode), ...Object.values(UsState));
export type RegionCode = keyof typeof RegionCode;
