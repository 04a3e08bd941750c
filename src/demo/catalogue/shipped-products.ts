import { toAmount } from "../../kernel/amounts.ts";
import type { ProductFields } from "../../products/product.service.ts";
import type { PricePlanFields } from "../../products/price-plans/price-plan.service.ts";
import type { PricePlanType, ProductType } from "../../../schema/vocabulary.ts";
import type { DemoCalendar } from "../calendar.ts";

/** A price plan to create; its name identifies it. */
export type PricePlanSeed = PricePlanFields & { type: PricePlanType; plan: { name: string } };

/** A product to create, with its plans. `key` is the end of its code. */
export interface ProductSeed {
  key: string;
  fields: ProductFields & { type: ProductType };
  plans: readonly PricePlanSeed[];
}

const krw = toAmount;
const everyMonth = { interval: "MONTH", intervalCount: 1 } as const;
const prepaidClaim = { methodType: "PRE" } as const;
const imageUrl = (name: string) => `https://images.example.com/${name}.jpg`;

/** Products that are shipped. */
export const shippedProducts = (calendar: DemoCalendar): ProductSeed[] => [
  {
    key: "HouseBean",
    fields: {
      type: "BOX",
      name: "House blend",
      subTitle: "Roasted on Mondays",
      summary: "Chocolate, hazelnut, a little orange.",
      description: "Beans of three farms, roasted for espresso and filter alike.",
      featuredImageUrl: imageUrl("house-blend"),
      imageUrls: [imageUrl("house-blend-bag"), imageUrl("house-blend-cup")],
      sku: "SC-HB",
      quantity: 900,
      categories: ["Beans", "Best sellers"],
      productOrder: 1,
      groupId: 1,
      availableRegions: ["KR", "US", "JP", "DE", "GB", "KW"],
      countrySetting: {
        countryCode: "KR",
        timezoneName: "Asia/Seoul",
        currencyCode: "KRW",
        isDefault: true,
        taxRate: toAmount(10),
      },
      eventBadge: [{ event: "NEW", startDateTime: calendar.daysAgo(30), endDateTime: calendar.daysAgo(-30) }],
      notice: "Keep it dry and dark.",
      useWidget: { useDemo: false, useEventBadge: true, useOnetimePurchasable: false, useNotice: true },
      useCombination: true,
      optionGroups: [
        { name: "Size", options: [{ name: "250 g" }, { name: "1 kg" }] },
        { name: "Grind", options: [{ name: "Whole beans" }, { name: "Filter" }, { name: "Espresso" }] },
      ],
      optionCombinations: [
        { options: ["250 g", "Whole beans"], quantity: 240 },
        { options: ["250 g", "Filter"], quantity: 180 },
        { options: ["250 g", "Espresso"], quantity: 0 },
        { options: ["1 kg", "Whole beans"], quantity: 90, price: krw(24_000) },
        { options: ["1 kg", "Filter"], quantity: 60, price: krw(24_500) },
      ],
    },
    plans: [
      {
        type: "FLAT",
        price: krw(17_000),
        currencyPrice: { USD: "13.5", JPY: "1900" },
        unit: "bag",
        plan: {
          name: "Every month",
          description: "A fresh bag each month.",
          detailDescription: "Roasted on the Monday before it is sent; skip a month whenever you like.",
          adminName: "Beans, monthly",
        },
        recurring: everyMonth,
        claim: prepaidClaim,
        firstSale: { enabled: true, price: krw(3_000), currencyPrice: { USD: "2.5" } },
        maximumPurchaseQuantity: 20,
        order: 1,
        isRepresentative: true,
      },
      { type: "ONE_TIME", price: krw(18_900), currencyPrice: { USD: "15" }, plan: { name: "Once" }, order: 2 },
      {
        type: "FLAT",
        price: krw(16_000),
        plan: { name: "Every two weeks" },
        recurring: { interval: "WEEK", intervalCount: 2 },
        order: 3,
      },
    ],
  },
  {
    key: "DripPacks",
    fields: {
      type: "BOX",
      name: "Drip bags",
      summary: "Ten cups for travelling.",
      featuredImageUrl: imageUrl("drip-bags"),
      sku: "SC-DB",
      quantity: 4_800,
      categories: ["Beans"],
      productOrder: 2,
    },
    plans: [
      {
        type: "VOLUME_BASED",
        price: krw(1_500),
        unit: "bag",
        plan: { name: "By the piece", description: "The more, the cheaper each." },
        volumes: [
          { min: 1, max: 9, price: krw(1_500) },
          { min: 10, max: 49, price: krw(1_300) },
          { min: 50, price: krw(1_100) },
        ],
      },
    ],
  },
  {
    key: "HandMills",
    fields: {
      type: "BOX",
      name: "Hand grinder",
      summary: "Steel burrs, 40 clicks.",
      featuredImageUrl: imageUrl("hand-grinder"),
      sku: "SC-HG",
      quantity: 37,
      categories: ["Gear", "Best sellers"],
      productOrder: 3,
      optionGroups: [
        {
          name: "Model",
          options: [
            { name: "Classic", quantity: 20 },
            { name: "Travel", price: krw(12_000), quantity: 17 },
          ],
        },
        {
          name: "Colour",
          options: [
            { name: "Black", parent: "Classic" },
            { name: "Silver", parent: "Classic" },
            { name: "Copper", price: krw(8_000), parent: "Travel" },
          ],
        },
      ],
    },
    plans: [{ type: "ONE_TIME", price: krw(89_000), currencyPrice: { USD: "69.9" }, plan: { name: "Once" } }],
  },
  {
    key: "Machines1",
    fields: {
      type: "BOX",
      name: "Espresso machine, rented",
      summary: "Serviced every three months.",
      featuredImageUrl: imageUrl("espresso-machine"),
      quantity: 12,
      categories: ["Gear"],
      productOrder: 4,
      availableRegions: ["KR"],
    },
    plans: [
      {
        type: "FLAT",
        price: krw(39_000),
        plan: { name: "Three years" },
        recurring: everyMonth,
        membershipExpirationDate: 36,
        membershipExpirationDateType: "MONTH",
        setupOption: { name: "Installation", type: "INITIALLY", price: krw(50_000), currencyPrice: { USD: "40" } },
      },
    ],
  },
  {
    key: "GlassKett",
    fields: { type: "BOX", name: "Glass kettle", sku: "SC-GK", quantity: 0, categories: ["Gear"], productOrder: 5 },
    plans: [{ type: "ONE_TIME", price: krw(42_000), plan: { name: "Once" } }],
  },
  {
    key: "OldMugs24",
    fields: { type: "BOX", name: "Mug of last year", status: "UNSOLD", categories: ["Gear"], productOrder: 6 },
    plans: [{ type: "ONE_TIME", price: krw(9_000), plan: { name: "Once", isHiddenFromShop: true } }],
  },
];
