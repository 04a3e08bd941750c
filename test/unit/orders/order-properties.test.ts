import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClaimMethodType, DeliveryChargeType, PricePlanType, SetupOptionType } from "../../../schema/vocabulary.ts";
import {
  allocate,
  allocateWithin,
  toAmount,
  toPlainString,
  sumAmounts,
  type Amount,
} from "../../../src/kernel/amounts.ts";
import { minorUnits } from "../../../src/kernel/currencies.ts";
import type { PricedItem } from "../../../src/orders/pricing/order.line.ts";
import { buildOrderLines } from "../../../src/orders/pricing/order.line-builder.ts";
import { calculateOrderTotals } from "../../../src/orders/pricing/order.totals.ts";
import {
  pricedItem,
  currencyTerms,
  thrownRefusalCode,
  chargeSettings,
} from "../../support/fixtures/pricing-fixtures.ts";
import {
  toTrillionths,
  roundHalfUpExactly,
  assertProperty,
  fromMinorUnits,
  PROPERTY_SEED,
  arbitraryAmount,
} from "../../support/property-tests.ts";

const word = <W extends string>(words: Readonly<Record<W, W>>) => fc.constantFrom(...(Object.keys(words) as W[]));
const cycleNumber = fc.option(fc.integer({ min: 1, max: 3 }));

const someItem: fc.Arbitrary<PricedItem> = fc
  .record({
    type: word(PricePlanType),
    price: arbitraryAmount(3),
    firstSale: arbitraryAmount(3),
    fee: arbitraryAmount(3),
    onetime: arbitraryAmount(3),
    unitPrice: arbitraryAmount(3, 5_000),
    feeType: word(SetupOptionType),
    claims: fc.tuple(word(ClaimMethodType), word(ClaimMethodType)),
    quantity: fc.integer({ min: 1, max: 50 }),
    optionPrice: fc.option(arbitraryAmount(3)),
    box: fc.boolean(),
    firstPurchase: fc.boolean(),
    onTrial: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    starts: cycleNumber,
    ends: cycleNumber,
    parent: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  })
  .map((facts) =>
    pricedItem(
      {
        type: facts.type,
        price: facts.price,
        onetimeBundlePrice: facts.onetime,
        volumes: [{ min: 0, max: null, price: facts.unitPrice }],
        additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: [{ until: null, price: facts.unitPrice }] },
        firstSale: { enabled: true, price: facts.firstSale, currencyPrice: {} },
        claim: { methodType: facts.claims[0], whenToClaimType: null, billingDate: null, provideStartDay: null },
        setupOption: {
          name: "Fee",
          type: facts.feeType,
          price: facts.fee,
          currencyPrice: {},
          claimMethodType: facts.claims[1],
        },
      },
      {
        quantity: facts.quantity,
        optionPrice: facts.optionPrice,
        productType: facts.box ? "BOX" : "SOFTWARE",
        firstPurchase: facts.firstPurchase,
        trial: facts.onTrial ? { num: 7, type: "DAY" } : null,
        starts: facts.starts,
        ends: facts.ends,
        // Marks a member; its item is known only when all members are.
        parent: facts.parent ? 0 : null,
      },
    ),
  );

const someOrder = fc.record({
  items: fc
    .array(someItem, { minLength: 1, maxLength: 6 })
    .map((items) => items.map((one, index) => (index === 0 ? { ...one, parent: null } : one))),
  charges: fc
    .record({
      vatIncluded: fc.boolean(),
      vatRate: arbitraryAmount(2, 3_000),
      useDeliveryCharge: fc.boolean(),
      deliveryChargeType: word(DeliveryChargeType),
      defaultDeliveryCharge: arbitraryAmount(3),
      freeShipOverAmount: arbitraryAmount(0),
    })
    .map(chargeSettings),
  paid: fc.constantFrom(
    currencyTerms("KRW"),
    currencyTerms("USD", null, "USD"),
    currencyTerms("KWD", null, "KWD"),
    currencyTerms("USD", "0.000731"),
    currencyTerms("KWD", "0.000229"),
    currencyTerms("KRW", "1369.123457", "USD"),
    { ...currencyTerms("USD", null, "USD"), scale: 0 },
  ),
  /** The discounts that are possible. */
  discountShare: fc.option(fc.integer({ min: 0, max: 100 })),
});

describe(`for any order (seed ${PROPERTY_SEED})`, () => {
  test("its lines add up to it, each at the charged scale, and none is reduced below zero", () => {
    const seen = new Set<string>();
    assertProperty(
      someOrder,
      ({ items, charges, paid, discountShare }) => {
        const undiscounted = buildOrderLines(items, charges, paid, null);
        const goods = sumAmounts(
          undiscounted.filter(({ type }) => type !== "TAX" && type !== "SHIPPING").map(({ amount }) => amount),
        );
        const discount =
          discountShare === null
            ? null
            : roundHalfUpExactly(toTrillionths(goods) * BigInt(discountShare), 100n, paid.scale);
        const lines = buildOrderLines(items, charges, paid, discount);
        for (const { type } of lines) seen.add(type);

        const { amount, discountedAmount } = calculateOrderTotals(lines);
        expect(amount).toEqual(sumAmounts(lines.map((line) => line.amount)));
        expect(amount.gte(0)).toBe(true);

        // Every line is charged as it is shown.
        for (const line of lines) expect(line.amount.eq(line.amount.round(paid.scale))).toBe(true);

        // The discount is the requested one, and names its base.
        const discounts = lines.filter(({ type }) => type === "DISCOUNT");
        const byHand = discounts.filter(({ discountName }) => discountName === "Invoice");
        expect(sumAmounts(byHand.map((line) => line.amount)).abs()).toEqual(discount ?? toAmount(0));
        expect(discountedAmount).toEqual(sumAmounts(discounts.map((line) => line.amount)).abs());

        // Discounts, then tax.
        lines.forEach((line, index) => {
          const isOf = (type: string) => lines.filter((other) => other.type === type && other.related === index);
          if (line.related !== null) expect(line.related).toBeLessThan(index);
          if (line.type === "DISCOUNT" || line.type === "TAX") return expect(isOf("TAX")).toEqual([]);
          const net = line.amount.plus(sumAmounts(isOf("DISCOUNT").map((other) => other.amount)));
          expect(net.gte(0)).toBe(true);
          const tax = charges.vatIncluded
            ? toAmount(0)
            : roundHalfUpExactly(toTrillionths(net.times(charges.vatRate)), 100n, paid.scale);
          expect(sumAmounts(isOf("TAX").map((other) => other.amount))).toEqual(tax);
        });

        // Each item has its product line, in order, and a member follows its bundle.
        const products = lines.filter(({ type }) => type === "SKU");
        expect(products.map((line) => line.item)).toEqual(items);
        for (const { item: one, parent } of products) expect(parent).toBe(one!.parent == null ? null : 0);
      },
      2_000,
    );
    expect([...seen].sort()).toEqual(["DISCOUNT", "FEE", "SHIPPING", "SKU", "TAX"]);
  });

  test("a discount above the total is refused", () => {
    assertProperty(someOrder, ({ items, charges, paid }) => {
      const lines = buildOrderLines(items, charges, paid, null).filter(
        ({ type }) => type !== "TAX" && type !== "SHIPPING",
      );
      const all = sumAmounts(lines.map(({ amount }) => amount));
      const cent = fromMinorUnits(1, paid.scale);
      expect(thrownRefusalCode(() => buildOrderLines(items, charges, paid, all))).toBe("none");
      expect(thrownRefusalCode(() => buildOrderLines(items, charges, paid, all.plus(cent)))).toBe("DISCOUNT_TOO_HIGH");
    });
  });
});

describe(`for any division (seed ${PROPERTY_SEED})`, () => {
  const parts = fc.record({
    scale: fc.constantFrom("KRW", "USD", "KWD").map(minorUnits),
    weights: fc.array(fc.oneof(fc.nat(5), fc.nat(3_000_000)), { minLength: 1, maxLength: 30 }),
    total: fc.oneof(fc.nat(30), fc.nat(1_000_000_000)),
  });

  test("the parts add up, none is negative, and all but the last are their share rounded to the nearest", () => {
    assertProperty(parts, ({ scale, weights, total }) => {
      const whole = fromMinorUnits(total, scale);
      const split = allocate(whole, weights.map(toAmount), scale);
      expect(sumAmounts(split)).toEqual(whole);
      for (const part of split) expect(part.gte(0) && part.eq(part.round(scale))).toBe(true);
      const all = weights.reduce((one, next) => one + next, 0);
      let left: Amount = whole;
      for (const [index, part] of split.slice(0, -1).entries()) {
        const share =
          all === 0
            ? toAmount(0)
            : roundHalfUpExactly(toTrillionths(whole) * BigInt(weights[index]!), BigInt(all), scale);
        expect(toPlainString(part)).toBe(toPlainString(share.lt(left) ? share : left));
        left = left.minus(part);
      }
    });
  });

  test("no part exceeds its limit when the limits together cover the total", () => {
    const cases = parts.map(({ scale, weights, total }) => {
      const all = weights.reduce((one, next) => one + next, 0);
      return {
        scale,
        limits: weights.map((weight) => fromMinorUnits(weight, scale)),
        whole: fromMinorUnits(Math.min(total, all), scale),
      };
    });
    assertProperty(cases, ({ scale, limits, whole }) => {
      const split = allocateWithin(whole, limits, scale);
      expect(sumAmounts(split)).toEqual(whole);
      split.forEach((part, index) => {
        expect(part.gte(0) && part.lte(limits[index]!)).toBe(true);
      });
    });
  });
});
