import { iso31661, iso31662 } from "iso-3166";
import { expect, test } from "vitest";
import { RegionCode } from "../../../schema/regions.ts";
import { describeRegion } from "../../../src/kernel/regions.ts";

const codes = Object.values(RegionCode);
const countries = iso31661.map(({ alpha2 }) => alpha2);

/**
 * Parts of the United States that are not states: the district of the capital, and islands, which have country codes of
 * their own.
 */
const besides = new Set(["US-DC", "US-AS", "US-GU", "US-MP", "US-PR", "US-UM", "US-VI"]);
const states = iso31662.filter(({ code, parent }) => parent === "US" && !besides.has(code)).map(({ name }) => name);

test("the regions are the countries of ISO 3166-1 and the 50 states: a stored region is never removed", () => {
  const expected = [...countries, ...states.map((name) => `US_${name.toUpperCase().replaceAll(" ", "_")}`)];
  expect(states).toHaveLength(50);
  expect([...codes].sort()).toEqual(expected.sort());
});

test("the states have their names in ISO 3166-2", () => {
  const named = codes.map((code) => describeRegion(code).state).filter((state) => state !== null);
  expect(named.sort()).toEqual([...states].sort());
});

test.each([
  [
    "KR",
    {
      name: "South Korea",
      currencies: ["KRW"],
      country: "South Korea",
      countryCode: "KR",
      state: null,
      language: "ko",
    },
  ],
  [
    "US",
    {
      name: "United States",
      currencies: ["USD"],
      country: "United States",
      countryCode: "US",
      state: null,
      language: "en",
    },
  ],
  [
    "US_NEW_YORK",
    {
      name: "New York",
      currencies: ["USD"],
      country: "United States",
      countryCode: "US",
      state: "New York",
      language: "en",
    },
  ],
  [
    "PA",
    { name: "Panama", currencies: ["PAB", "USD"], country: "Panama", countryCode: "PA", state: null, language: "es" },
  ],
  [
    "ZA",
    {
      name: "South Africa",
      currencies: ["ZAR"],
      country: "South Africa",
      countryCode: "ZA",
      state: null,
      language: "en",
    },
  ],
  ["AQ", { name: "Antarctica", currencies: [], country: "Antarctica", countryCode: "AQ", state: null, language: null }],
] as const)("%s is a region", (code, region) => {
  expect(describeRegion(code)).toEqual({ code, ...region });
});

test("every inhabited region has a valid currency and a language", () => {
  const bare = codes
    .map(describeRegion)
    .filter(({ currencies, language }) => currencies.length === 0 || language === null);
  expect(bare.map(({ code }) => code)).toEqual(["AQ"]);
  const money = new Set(Intl.supportedValuesOf("currency"));
  expect(codes.flatMap((code) => describeRegion(code).currencies).filter((unit) => !money.has(unit))).toEqual([]);
  const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const unspoken = codes.map((code) => describeRegion(code).language).filter((code) => code && !languages.of(code));
  expect(unspoken).toEqual([]);
});
