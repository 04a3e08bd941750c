import { toAmount, divideRounded, roundAmount, ZERO, type Amount, type Ratio } from "../../kernel/amounts.ts";
import { invalid } from "../../kernel/refusals.ts";
import { convertPrice, type PaymentCurrency } from "./price.currency.ts";
import { unitsBeyondIncluded, calculateRangeCost } from "./price.ranges.ts";
import type { PlanTerms } from "./price.terms.ts";

/** Decimals that any amount may have. */
const MAX_SCALE = 6;

/** The purchased quantity of a plan. */
export interface Purchase {
  /** Pieces, accounts or units; a ratio where accounts are counted by time. */
  quantity: number | Ratio;
  /** Whether this is the first payment for the plan: the initial fees of a bundle are due then. */
  first: boolean;
  /** The surcharge of the chosen options per unit, in the base currency. */
  optionPrice?: Amount | null;
  /** A unit price that replaces the plan's, in the payment currency. */
  price?: Amount | null;
  /** The fraction of a cycle to pay for. Defaults to the whole cycle. */
  cycle?: Ratio | null;
}

/** The price of a purchase, rounded as charged. */
export interface PlanAmount {
  amount: Amount;
  /** The part that a first-purchase discount may reduce: without options, ranges and initial fees of a bundle. */
  base: Amount;
  /** The unit price, options included, not rounded as charged. */
  unitPrice: Amount;
}

/** A cost, as many times as the whole of the quantity that it is for. */
interface PlanCost {
  unitPrice: Amount;
  base: Amount;
  extra: Amount;
}

/**
 * The price of a quantity of a plan in a currency.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`
 */
export function calculatePlanAmount(terms: PlanTerms, purchase: Purchase, money: PaymentCurrency): PlanAmount {
  const quantity = toRatio(purchase.quantity);
  const option = convertPrice(money, purchase.optionPrice ?? ZERO);
  const cost = planCost(terms, quantity, purchase, money);
  const part = purchase.cycle ?? WHOLE;
  // Metered units are charged in full, whatever fraction of the cycle it was; amounts due besides them are not.
  const isMetered = typeof purchase.quantity !== "number";
  const [baseShare, otherShare] = isMetered ? [terms.additionalBilling ? part : WHOLE, WHOLE] : [part, part];
  const otherCost = cost.extra.plus(option.times(quantity.part));
  const toChargedAmount = (base: Amount, besides: Amount): Amount =>
    divideRounded(
      {
        part: base
          .times(baseShare.part)
          .times(otherShare.whole)
          .plus(besides.times(otherShare.part).times(baseShare.whole)),
        whole: quantity.whole.times(baseShare.whole).times(otherShare.whole),
      },
      money.scale,
    );
  return {
    amount: toChargedAmount(cost.base, otherCost),
    base: toChargedAmount(cost.base, ZERO),
    unitPrice: roundAmount(cost.unitPrice.plus(option), MAX_SCALE),
  };
}

/**
 * The price change by another quantity for the remaining part of the cycle: the charge for an increase, or, negative,
 * the refundable amount for a decrease.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`
 */
export function quantityChangeAmount(
  terms: PlanTerms,
  before: number,
  after: number,
  { part, whole }: Ratio,
  money: PaymentCurrency,
): Amount {
  const costOfAll = (quantity: number): Amount => {
    const { base, extra } = planCost(terms, toRatio(quantity), { first: false }, money);
    return base.plus(extra);
  };
  return divideRounded({ part: costOfAll(after).minus(costOfAll(before)).times(part), whole }, money.scale);
}

const WHOLE: Ratio = { part: toAmount(1), whole: toAmount(1) };

/** A whole number as a ratio. */
const toRatio = (quantity: number | Ratio): Ratio =>
  typeof quantity === "number" ? { part: toAmount(quantity), whole: toAmount(1) } : quantity;

function planCost(
  terms: PlanTerms,
  quantity: Ratio,
  purchase: Pick<Purchase, "first" | "price">,
  money: PaymentCurrency,
): PlanCost {
  const { part } = quantity;
  const price = (): Amount => purchase.price ?? convertPrice(money, terms.price, terms.currencyPrice);
  const perPiece = (unitPrice: Amount, besides = ZERO): PlanCost => ({
    unitPrice,
    base: unitPrice.times(part),
    extra: besides,
  });
  switch (terms.type) {
    case "ONE_TIME":
    case "FLAT":
      return perPiece(price());
    case "VOLUME_BASED":
      return perPiece(purchase.price ?? convertPrice(money, volumeUnitPrice(terms, quantity)));
    case "BUNDLE":
      return perPiece(price(), purchase.first ? convertPrice(money, terms.onetimeBundlePrice).times(part) : ZERO);
    case "UNIT_BASED":
    case "USAGE_BASED":
      return meteredCost(terms, quantity, price(), money);
  }
}

/**
 * Units beyond the included ones go by the ranges, beside the price, which is due however few they are. A plan without
 * ranges sells units at its price: the included ones together for one, each further for one more.
 */
function meteredCost(terms: PlanTerms, units: Ratio, unitPrice: Amount, money: PaymentCurrency): PlanCost {
  const beyond = unitsBeyondIncluded(terms, units);
  if (terms.additionalBilling) {
    const besides = convertPrice(money, calculateRangeCost(terms.additionalBilling, beyond));
    return { unitPrice, base: unitPrice.times(units.whole), extra: besides };
  }
  const included = terms.basicServing > 0 ? units.whole : ZERO;
  return { unitPrice, base: unitPrice.times(beyond.part.plus(included)), extra: ZERO };
}

function volumeUnitPrice({ volumes }: PlanTerms, quantity: Ratio): Amount {
  const { part, whole } = quantity;
  const range = volumes.find(
    ({ min, max }) => part.gte(whole.times(min)) && (max === null || part.lte(whole.times(max))),
  );
  if (range) return range.price;
  const quantityText = divideRounded(quantity, MAX_SCALE).toFixed();
  throw invalid(
    "QUANTITY_NOT_PRICED",
    `The plan has no price for the quantity ${quantityText}; choose a quantity within one of its ranges.`,
  );
}
