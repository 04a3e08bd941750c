import { toAmount } from "../../kernel/amounts.ts";
import type { ProductSeed } from "./shipped-products.ts";

const krw = toAmount;
const everyMonth = { interval: "MONTH", intervalCount: 1 } as const;
const postpaidClaim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } as const;

/** Products that are not shipped. */
export const serviceProducts: readonly ProductSeed[] = [
  {
    key: "RoastLogs",
    fields: {
      type: "SOFTWARE",
      name: "Roast log",
      subTitle: "An app for roasters",
      summary: "Curves, notes and stock of every roast.",
      featuredImageUrl: "https://images.example.com/roast-log.jpg",
      categories: ["Software"],
      productOrder: 10,
      enabledDemo: true,
      demoPeriod: 14,
      demoPeriodUnit: "DAY",
      isOnetimePurchasable: true,
      useWidget: { useDemo: true, useOnetimePurchasable: true },
    },
    plans: [
      {
        type: "FLAT",
        price: krw(29_000),
        currencyPrice: { USD: "24", EUR: "22" },
        plan: { name: "Monthly" },
        recurring: everyMonth,
        options: [{ name: "Second roaster", type: "PERIODIC", price: krw(9_000) }],
      },
      {
        type: "FLAT",
        price: krw(290_000),
        plan: { name: "Yearly" },
        recurring: { interval: "YEAR", intervalCount: 1 },
        claim: { methodType: "PRE", provideStartDay: 1 },
        expiryRecurringCount: 5,
      },
    ],
  },
  {
    key: "CafeSeats",
    fields: { type: "SOFTWARE", name: "Café workspace", categories: ["Software"], productOrder: 11 },
    plans: [
      {
        type: "UNIT_BASED",
        price: krw(6_000),
        unit: "account",
        plan: { name: "Per account, prepaid" },
        recurring: everyMonth,
        basicServing: 1,
      },
      {
        type: "UNIT_BASED",
        price: krw(10_000),
        unit: "account",
        plan: { name: "Per account, postpaid" },
        recurring: everyMonth,
        claim: postpaidClaim,
        basicServing: 2,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE",
          ranges: [
            { until: 10, price: krw(5_000) },
            { until: null, price: krw(4_000) },
          ],
        },
      },
    ],
  },
  {
    key: "Messages1",
    fields: { type: "SOFTWARE", name: "Messages to guests", categories: ["Software"], productOrder: 12 },
    plans: [
      {
        type: "USAGE_BASED",
        price: krw(0),
        unit: "message",
        plan: { name: "By use" },
        recurring: { ...everyMonth, aggregateUsageType: "SUM", usageType: "METERED" },
        claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 5 },
        setupOption: { name: "Base fee", type: "PERIODIC", price: krw(5_000), claimMethodType: "POST" },
        basicServing: 100,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE",
          ranges: [
            { until: 1_000, price: krw(0) },
            { until: 10_000, price: krw(10) },
            { until: 50_000, price: krw(5) },
            { until: null, price: krw(2) },
          ],
        },
      },
      {
        type: "USAGE_BASED",
        price: krw(20_000),
        unit: "message",
        plan: { name: "Packet of 2,000" },
        recurring: everyMonth,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE",
          ranges: [
            { until: 2_000, price: krw(0) },
            { until: null, price: krw(30_000) },
          ],
        },
      },
    ],
  },
  {
    key: "LatteClas",
    fields: {
      type: "SOFTWARE",
      name: "Latte art class",
      summary: "Three Saturdays in Seoul.",
      featuredImageUrl: "https://images.example.com/latte-class.jpg",
      categories: ["Classes"],
      productOrder: 13,
      availableRegions: ["KR"],
    },
    plans: [
      { type: "ONE_TIME", price: krw(120_000), plan: { name: "Whole course" } },
      {
        type: "FLAT",
        price: krw(45_000),
        plan: { name: "Three instalments" },
        recurring: everyMonth,
        expiryRecurringCount: 3,
      },
    ],
  },
];
