import { RegionCode } from "../../../schema/regions.ts";
import { isCurrency } from "../../kernel/currencies.ts";
import { isZone } from "../../kernel/instants.ts";
import { nearestWord } from "../../kernel/suggestions.ts";
import { createScalar } from "./create-scalar.ts";
import { textScalar } from "./text-scalar.ts";

export const TimeZoneScalar = textScalar(
  "TimeZone",
  'A time zone of the IANA time zone database, such as "Asia/Seoul".',
  {
    minLength: 1,
    maxLength: 64,
    normalize: (zoneId) => {
      if (!isZone(zoneId))
        throw new RangeError("must be a time zone of the IANA time zone database, such as Asia/Seoul.");
      return zoneId;
    },
  },
);

export const CountryCodeScalar = textScalar(
  "CountryCode",
  'An ISO 3166-1 alpha-2 country code in upper case, such as "KR".',
  {
    minLength: 2,
    maxLength: 2,
    normalize: (code) => {
      if (!/^[A-Z]{2}$/.test(code))
        throw new RangeError("must be an ISO 3166-1 alpha-2 code in upper case, such as KR.");
      return code;
    },
  },
);

/** Codes of regions. */
export const RegionCodeScalar = createScalar<RegionCode>(
  "RegionCode",
  'Code of a sales region, such as "KR" or "US_NEW_YORK". It is an ISO 3166-1 alpha-2 country code, or US_ and the name of a state of the United States. The query `regions` lists the codes.',
  (value) => {
    if (typeof value !== "string") throw new RangeError("must be a string.");
    if (isRegionCode(value)) return value;
    const near = nearestWord(value.toUpperCase(), Object.keys(RegionCode));
    throw new RangeError(
      `must be the code of a region, such as KR or US_NEW_YORK; the query regions lists them.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  },
);

const isRegionCode = (text: string): text is RegionCode => Object.hasOwn(RegionCode, text);

export const CurrencyScalar = textScalar("Currency", 'The ISO 4217 code of a currency, in upper case, such as "KRW".', {
  minLength: 3,
  maxLength: 3,
  normalize: (code) => {
    if (!isCurrency(code)) throw new RangeError("must be the ISO 4217 code of a currency in upper case, such as KRW.");
    return code;
  },
});
