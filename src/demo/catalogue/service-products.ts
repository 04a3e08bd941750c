import { amountOf } from "../../kernel/amounts.ts";
import type { Good } from "./shipped-products.ts";

const won = amountOf;
const monthly = { interval: "MONTH", intervalCount: 1 } as const;
const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } as const;

/** What is not shipped. */
export const serviceGoods: readonly Good[] = [
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
        price: won(29_000),
        currencyPrice: { USD: "24", EUR: "22" },
        plan: { name: "Monthly" },
        recurring: monthly,
        options: [{ name: "Second roaster", type: "PERIODIC", price: won(9_000) }],
      },
      {
        type: "FLAT",
        price: won(290_000),
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
        price: won(6_000),
        unit: "account",
        plan: { name: "Per account, prepaid" },
        recurring: monthly,
        basicServing: 1,
      },
      {
        type: "UNIT_BASED",
        price: won(10_000),
        unit: "account",
        plan: { name: "Per account, postpaid" },
        recurring: monthly,
        claim: postpaid,
        basicServing: 2,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE",
          ranges: [
            { until: 10, price: won(5_000) },
            { until: null, price: won(4_000) },
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
        price: won(0),
        unit: "message",
        plan: { name: "By use" },
        recurring: { ...monthly, aggregateUsageType: "SUM", usageType: "METERED" },
        claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 5 },
        setupOption: { name: "Base fee", type: "PERIODIC", price: won(5_000), claimMethodType: "POST" },
        basicServing: 100,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE",
          ranges: [
            { until: 1_000, price: won(0) },
            { until: 10_000, price: won(10) },
            { until: 50_000, price: won(5) },
            { until: null, price: won(2) },
          ],
        },
      },
      {
        type: "USAGE_BASED",
        price: won(20_000),
        unit: "message",
        plan: { name: "Packet of 2,000" },
        recurring: monthly,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE",
          ranges: [
            { until: 2_000, price: won(0) },
            { until: null, price: won(30_000) },
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
      { type: "ONE_TIME", price: won(120_000), plan: { name: "Whole course" } },
      {
        type: "FLAT",
        price: won(45_000),
        plan: { name: "Three instalments" },
        recurring: monthly,
        expiryRecurringCount: 3,
      },
    ],
  },
];
