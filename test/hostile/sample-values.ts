import { uniqueName } from "../support/fixtures/cover-fixture.ts";
import { UNKNOWN_UUID } from "./record-fixtures.ts";

/** Valid values of the scalars. */
export const scalarSamples: Record<string, () => unknown> = {
  Boolean: () => true,
  CountryCode: () => "KR",
  DateTime: () => "2026-02-01T00:00:00Z",
  Decimal: () => 18_900,
  Rate: () => "0.000222717149",
  RegionCode: () => "KR",
  Duration: () => "P1D",
  Email: () => "seoyeon@example.com",
  Float: () => 0.1,
  Int: () => 1,
  Line: () => uniqueName("line"),
  Label: () => "12 Teheran-ro",
  Keyword: () => "Kim",
  Credential: () => "mid-1",
  Link: () => "https://example.com/bean.png",
  ReturnUrl: () => "https://shop.example.com/thanks",
  Name: () => "Kim Seo-yeon",
  PartnerId: () => uniqueName("partner"),
  Phone: () => "010-1234-5678",
  Password: () => "correct horse battery staple",
  PositiveInt: () => 1,
  NonNegativeInt: () => 1,
  Currency: () => "KRW",
  CurrencyAmounts: () => ({ USD: "12.5" }),
  String: () => "x",
  JSONObject: () => ({ colour: "red" }),
  Text: () => "insufficient funds",
  TimeZone: () => "Asia/Seoul",
};

/** Values for places where not every value of the type is valid. */
export const fieldSamples: Record<string, unknown> = {
  optionIds: [],
  // The id of the records' plan.
  interval: "MONTH",
  // No option of the first group depends on another.
  parent: undefined,
  vatRate: 10,
  // It needs no other fields.
  method: "SIMPLE_PAY",
  expiryMonth: 12,
  expiryYear: 2031,
  number: "4242424242424242",
  customDomain: "pay.example.com",
  // The code of the customer that is erased; vendor-fence.test.ts gives it.
  confirmCode: "customer_toerase1",
  url: "https://shop.example.com/webhooks",
  eventTypes: ["order.paid"],
  returnOrigins: ["https://shop.example.com"],
  // The id at an identity provider, which is no id of the gateway.
  realmIdentityProviderId: UNKNOWN_UUID,
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  until: "2026-03-01T00:00:00Z",
  trialEnd: "2026-03-01T00:00:00Z",
  amountReturned: 0,
  // Later than the date before.
  exchangeUntilHours: 2,
  returnUntilHours: 3,
  overrides: [],
  quietFrom: "22:00",
  quietUntil: "08:00",
  // With the holdout's default share they are the whole.
  share: "0.95",
  holdout: {},
  holdoutShare: "0.1",
  // Not every kind of message can be delayed.
  delays: [{ kind: "PAYMENT_FAILED", delay: "P1D" }],
  // A transition that a paid order allows.
  status: "PREPARING",
};
