import { amountOf, quotient, rounded, ZERO, type Amount, type Ratio } from "../../kernel/amounts.ts";
import { invalid } from "../../kernel/refusals.ts";
import { priceIn, type Money } from "./price.currency.ts";
import { beyondServing, costByRanges } from "./price.ranges.ts";
import type { PlanTerms } from "./price.terms.ts";

/** Decimals that any amount may have. */
const ALL_DECIMALS = 6;

/** How much of a plan is bought. */
export interface Purchase {
  /** Pieces, accounts or units; a ratio where accounts are counted by time. */
  quantity: number | Ratio;
  /** Whether this is the first payment for the plan: what a bundle costs once is due then. */
  first: boolean;
  /** What the chosen options add to the price of one, in the base currency. */
  optionPrice?: Amount | null;
  /** A price of one that stands in for the plan's, in the currency that is paid in. */
  price?: Amount | null;
  /** The part of a cycle that is paid for; all of it unless told. */
  cycle?: Ratio | null;
}

/** What a purchase costs, rounded as charged. */
export interface PlanAmount {
  amount: Amount;
  /** The part of it that a first-purchase discount may reduce: no options, no ranges, nothing that a bundle costs once. */
  base: Amount;
  /** What one costs, options included, not rounded as charged. */
  unitPrice: Amount;
}

/** A cost, as many times as the whole of the quantity that it is for. */
interface Cost {
  unitPrice: Amount;
  base: Amount;
  besides: Amount;
}

/**
 * What a quantity of a plan costs in a currency.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`
 */
export function planAmount(terms: PlanTerms, purchase: Purchase, money: Money): PlanAmount {
  const quantity = ratioOf(purchase.quantity);
  const option = priceIn(money, purchase.optionPrice ?? ZERO);
  const cost = costOf(terms, quantity, purchase, money);
  const part = purchase.cycle ?? WHOLE;
  // Units that were metered are charged whole, whatever part of the cycle it was; what is due beside them is not.
  const isMetered = typeof purchase.quantity !== "number";
  const [ofBase, ofRest] = isMetered ? [terms.additionalBilling ? part : WHOLE, WHOLE] : [part, part];
  const rest = cost.besides.plus(option.times(quantity.part));
  const charged = (base: Amount, besides: Amount): Amount =>
    quotient(
      {
        part: base.times(ofBase.part).times(ofRest.whole).plus(besides.times(ofRest.part).times(ofBase.whole)),
        whole: quantity.whole.times(ofBase.whole).times(ofRest.whole),
      },
      money.scale,
    );
  return {
    amount: charged(cost.base, rest),
    base: charged(cost.base, ZERO),
    unitPrice: rounded(cost.unitPrice.plus(option), ALL_DECIMALS),
  };
}

/**
 * What another quantity changes for the part of the cycle that is left: what a raise costs at once, or below zero what a
 * cut makes refundable.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`
 */
export function changeAmount(
  terms: PlanTerms,
  before: number,
  after: number,
  { part, whole }: Ratio,
  money: Money,
): Amount {
  const costOfAll = (quantity: number): Amount => {
    const { base, besides } = costOf(terms, ratioOf(quantity), { first: false }, money);
    return base.plus(besides);
  };
  return quotient({ part: costOfAll(after).minus(costOfAll(before)).times(part), whole }, money.scale);
}

const WHOLE: Ratio = { part: amountOf(1), whole: amountOf(1) };

/** A whole number as a ratio. */
const ratioOf = (quantity: number | Ratio): Ratio =>
  typeof quantity === "number" ? { part: amountOf(quantity), whole: amountOf(1) } : quantity;

function costOf(terms: PlanTerms, quantity: Ratio, purchase: Pick<Purchase, "first" | "price">, money: Money): Cost {
  const { part } = quantity;
  const price = (): Amount => purchase.price ?? priceIn(money, terms.price, terms.currencyPrice);
  const perPiece = (unitPrice: Amount, besides = ZERO): Cost => ({ unitPrice, base: unitPrice.times(part), besides });
  switch (terms.type) {
    case "ONE_TIME":
    case "FLAT":
      return perPiece(price());
    case "VOLUME_BASED":
      return perPiece(purchase.price ?? priceIn(money, volumePrice(terms, quantity)));
    case "BUNDLE":
      return perPiece(price(), purchase.first ? priceIn(money, terms.onetimeBundlePrice).times(part) : ZERO);
    case "UNIT_BASED":
    case "USAGE_BASED":
      return metered(terms, quantity, price(), money);
  }
}

/**
 * Units beyond the included ones go by the ranges, beside the price, which is due however few they are. A plan without
 * ranges sells units at its price: the included ones together for one, each further for one more.
 */
function metered(terms: PlanTerms, units: Ratio, unitPrice: Amount, money: Money): Cost {
  const beyond = beyondServing(terms, units);
  if (terms.additionalBilling) {
    const besides = priceIn(money, costByRanges(terms.additionalBilling, beyond));
    return { unitPrice, base: unitPrice.times(units.whole), besides };
  }
  const included = terms.basicServing > 0 ? units.whole : ZERO;
  return { unitPrice, base: unitPrice.times(beyond.part.plus(included)), besides: ZERO };
}

function volumePrice({ volumes }: PlanTerms, quantity: Ratio): Amount {
  const { part, whole } = quantity;
  const range = volumes.find(
    ({ min, max }) => part.gte(whole.times(min)) && (max === null || part.lte(whole.times(max))),
  );
  if (range) return range.price;
  const asked = quotient(quantity, ALL_DECIMALS).toFixed();
  throw invalid("QUANTITY_NOT_PRICED", `The plan has no price for a quantity of ${asked}; choose one within a range.`);
}
