import type { RegionCode } from "../../schema/regions.ts";

/** Where a customer lives, with the names that are usual there. */
export interface CustomerHome {
  region: RegionCode | null;
  countryCode: string;
  city: string;
  state: string;
  postcode: string;
  street: string;
  /** Beginning of a phone number; eight digits follow. */
  phonePrefix: string;
  /** The currency of this customer's orders. */
  currency: string;
  families: readonly string[];
  givens: readonly string[];
}

const koreanDefaults = {
  countryCode: "KR",
  state: "",
  phonePrefix: "010",
  currency: "KRW",
  families: ["Kim", "Lee", "Park", "Choi", "Jung", "Kang", "Cho", "Yoon", "Jang", "Lim", "Han", "Oh", "Seo", "Shin"],
  givens: [
    ...["Seo-yeon", "Min-jun", "Ji-woo", "Ha-eun", "Do-yun", "Ye-jun", "Su-bin", "Ha-joon", "Ji-ho", "Chae-won"],
    ...["Eun-woo", "Yu-na", "Si-woo", "Da-eun", "Jun-seo", "So-yul", "Hyun-woo", "Na-eun", "Tae-yang", "Bo-ra"],
  ],
};
const americanDefaults = {
  countryCode: "US",
  phonePrefix: "+1415",
  currency: "USD",
  families: ["Brown", "Williams", "Garcia", "Miller", "Davis", "Lopez", "Wilson", "Moore"],
  givens: ["Olivia", "Noah", "Emma", "Liam", "Ava", "Mason", "Sophia", "Ethan"],
};

/** Homes in Korea, where most customers live. Those in Jeju have no region, so that the field is null somewhere. */
export const koreanHomes: readonly CustomerHome[] = [
  { ...koreanDefaults, region: "KR", city: "Seoul", postcode: "04524", street: "Sejong-daero" },
  { ...koreanDefaults, region: "KR", city: "Seoul", postcode: "06236", street: "Teheran-ro" },
  { ...koreanDefaults, region: "KR", city: "Seoul", postcode: "04779", street: "Seongsui-ro" },
  { ...koreanDefaults, region: "KR", city: "Busan", postcode: "48058", street: "Centum jungang-ro" },
  { ...koreanDefaults, region: "KR", city: "Daejeon", postcode: "34126", street: "Daehak-ro" },
  { ...koreanDefaults, region: "KR", city: "Incheon", postcode: "22004", street: "Art center-daero" },
  { ...koreanDefaults, region: null, city: "Jeju", postcode: "63122", street: "Yeonbuk-ro" },
];

/** Homes in the other countries that the vendor ships to. */
export const foreignHomes: readonly CustomerHome[] = [
  {
    ...americanDefaults,
    region: "US_CALIFORNIA",
    city: "San Francisco",
    state: "CA",
    postcode: "94103",
    street: "Mission St",
  },
  { ...americanDefaults, region: "US_NEW_YORK", city: "Brooklyn", state: "NY", postcode: "11201", street: "Court St" },
  {
    region: "JP",
    countryCode: "JP",
    city: "Tokyo",
    state: "",
    postcode: "150-0001",
    street: "Jingumae",
    phonePrefix: "+8190",
    currency: "JPY",
    families: ["Sato", "Suzuki", "Tanaka", "Ito"],
    givens: ["Haruto", "Yui", "Ren", "Aoi"],
  },
  {
    region: "DE",
    countryCode: "DE",
    city: "Berlin",
    state: "",
    postcode: "10115",
    street: "Torstraße",
    phonePrefix: "+4930",
    currency: "EUR",
    families: ["Fischer", "Weber", "Becker"],
    givens: ["Emma", "Paul", "Mia", "Jonas"],
  },
  {
    region: "KW",
    countryCode: "KW",
    city: "Kuwait City",
    state: "",
    postcode: "15000",
    street: "Gulf Rd",
    phonePrefix: "+9656",
    currency: "KWD",
    families: ["Al-Sabah", "Al-Rashid"],
    givens: ["Fatima", "Yousef", "Noor"],
  },
];
