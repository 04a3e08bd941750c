import type { RegionCode } from "../../schema/regions.ts";
import type { RecurringInterval } from "../../schema/vocabulary.ts";
import { sumAmounts, ZERO, type Amount } from "../kernel/amounts.ts";
import { newCode } from "../kernel/codes.ts";
import { invalid, invalidField, invariant, unknownReference } from "../kernel/refusals.ts";
import type { RefusalCode } from "../kernel/refusal-codes.ts";
import { groupBy } from "../kernel/group-by.ts";
import { getOrThrow, itemAt, firstOf } from "../kernel/required-values.ts";
import type {
  CombinationRecord,
  Offer,
  OfferRepository,
  OptionRecord,
  PricePlanRecord,
  ProductRecord,
} from "./offer.repository.ts";
import { optionChoiceKey } from "./product.options.ts";
import { planTypes } from "./price-plans/price.plan-types.ts";
import { toPlanTerms, type PlanTerms } from "./price-plans/price.terms.ts";

/** A requested product and plan. */
export interface OfferRequest {
  productCode: string;
  priceCode: string;
  /** Numbers of the chosen options, one of each group. */
  optionIds?: readonly number[] | null;
}

/** A product with a plan that can be bought, and what its price depends on. */
export interface Orderable {
  product: ProductRecord;
  plan: PricePlanRecord;
  terms: PlanTerms;
  /** In the order of the groups. */
  optionIds: readonly number[];
  optionLabel: string;
  /** The surcharge of the options per unit, in the base currency. */
  optionPrice: Amount;
  /** The members of a bundle. */
  members: readonly Orderable[];
  /** False if no stock of it or of its chosen options can be counted: then none is taken. */
  canHaveCountedStock: boolean;
}

/** Says what can be bought. */
export class OfferService {
  constructor(
    private readonly deps: {
      offerRepository: OfferRepository;
      now: Date;
    },
  ) {}

  /**
   * The products and plans of lines, in their order; `items[0].productCode` is the path of a code in a refusal. Without
   * a known region of sale, no region refuses them.
   * @throws a Refusal PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD, or INVALID_ARGUMENT
   * for options that the product does not have.
   */
  async findOrderable(
    vendorId: number,
    lines: readonly OfferRequest[],
    region: RegionCode | null,
    list = "items",
  ): Promise<Orderable[]> {
    const found = await this.findOffers(vendorId, lines, list);
    const chosenIds = found.flatMap(({ product }, index) =>
      (itemAt(lines, index).optionIds ?? []).length > 0 ? [product.id] : [],
    );
    const options = groupBy(
      chosenIds.length === 0 ? [] : await this.deps.offerRepository.optionsOf(vendorId, chosenIds),
      ({ productId }) => productId,
    );
    const combinedIds = found.flatMap(({ product }) => (product.useCombination ? [product.id] : []));
    const combinations = groupBy(
      combinedIds.length === 0 ? [] : await this.deps.offerRepository.combinationsOf(vendorId, combinedIds),
      ({ productId }) => productId,
    );
    const bundleIds = found.flatMap(({ plan }) => (planTypes[plan.type].hasMembers ? [plan.id] : []));
    const members = groupBy(
      bundleIds.length === 0 ? [] : await this.deps.offerRepository.membersOf(vendorId, bundleIds),
      ({ bundlePlanId }) => bundlePlanId,
    );
    return found.map((offer, index) => {
      const path = `${list}[${index}]`;
      const offerMembers = members.get(offer.plan.id) ?? [];
      refuseUnsold(offer, region, path, "The product");
      for (const member of offerMembers)
        refuseUnsold(member, region, path, `${member.product.name}, which the bundle has,`);
      const choice = resolveOptionChoice(
        offer.product,
        itemAt(lines, index).optionIds ?? [],
        options.get(offer.product.id) ?? [],
        combinations.get(offer.product.id) ?? [],
        path,
      );
      const { quantity, useCombination } = offer.product;
      return {
        ...toOrderable(offer),
        ...choice,
        members: offerMembers.map((member) => toOrderable(member)),
        canHaveCountedStock: quantity !== null || useCombination || choice.optionIds.length > 0,
      };
    });
  }

  /** Sold plans, with their products and the current price of their options, whether or not they are still on sale. */
  async findSold(
    vendorId: number,
    heldPlans: readonly { priceId: number; optionIds: readonly number[] }[],
  ): Promise<Orderable[]> {
    const ids = [...new Set(heldPlans.map(({ priceId }) => priceId))];
    const offers = new Map(
      (await this.deps.offerRepository.offersByPlanIds(vendorId, ids)).map((offer) => [offer.plan.id, offer]),
    );
    const chosen = heldPlans.filter(({ optionIds }) => optionIds.length > 0);
    const productIds = chosen.map(({ priceId }) => getOrThrow(offers, priceId).product.id);
    const options = productIds.length === 0 ? [] : await this.deps.offerRepository.optionsOf(vendorId, productIds);
    const combinations =
      productIds.length === 0 ? [] : await this.deps.offerRepository.combinationsOf(vendorId, productIds);
    return heldPlans.map(({ priceId, optionIds }) => {
      const offer = offers.get(priceId);
      invariant(offer, "a plan in use is never deleted");
      const pickedOptions = options.filter(({ id }) => optionIds.includes(id));
      const combination = combinations.find(
        (candidate) => optionChoiceKey(candidate.optionIds) === optionChoiceKey(optionIds),
      );
      const single = sumAmounts(pickedOptions.map(({ price }) => price));
      const optionPrice = offer.product.useCombination ? (combination?.price ?? ZERO) : single;
      const optionLabel = pickedOptions.map(({ name }) => name).join(" / ");
      return { ...toOrderable(offer), optionIds, optionLabel, optionPrice };
    });
  }

  /**
   * Plans that a vendor's parent sells for it, by the codes that both use for them, whether or not they are still on
   * sale. A newly requested one has a path, and has to be on sale.
   * @throws a Refusal PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD for a newly requested one.
   */
  async findSoldThroughParent(
    vendorId: number,
    lines: readonly (OfferRequest & { path?: string | undefined })[],
    region: RegionCode | null,
  ): Promise<Orderable[]> {
    const codes = lines.map(({ priceCode }) => priceCode);
    const plans = new Map(
      (await this.deps.offerRepository.plansByCodes(vendorId, codes)).map(({ code, id }) => [code, id]),
    );
    const heldPlans = lines.map(({ priceCode, optionIds }) => {
      const priceId = plans.get(priceCode);
      invariant(priceId, "a plan that a parent lists is never deleted");
      return { priceId, optionIds: optionIds ?? [] };
    });
    const sold = await this.findSold(vendorId, heldPlans);
    for (const [index, { path }] of lines.entries()) {
      const { name } = itemAt(sold, index).product;
      if (path !== undefined) refuseUnsold(itemAt(sold, index), region, path, name);
    }
    return sold;
  }

  /** The plan of the same product and kind as another that is charged in some cycle: the representative one, or the first. */
  async findPlanByCycle(
    vendorId: number,
    priceId: number,
    cycle: { interval: RecurringInterval; intervalCount: number },
  ): Promise<Orderable | undefined> {
    const [current] = await this.deps.offerRepository.offersByPlanIds(vendorId, [priceId]);
    invariant(current, "a plan in use is never deleted");
    const plans = await this.deps.offerRepository.plansOf(vendorId, current.product.id);
    const candidates = plans.filter(
      ({ type, claimMethodType, recurringInterval, recurringIntervalCount }) =>
        type === current.plan.type &&
        claimMethodType === current.plan.claimMethodType &&
        recurringInterval === cycle.interval &&
        recurringIntervalCount === cycle.intervalCount,
    );
    const plan = candidates.find(({ isRepresentative }) => isRepresentative) ?? candidates[0];
    return plan && toOrderable({ product: current.product, plan });
  }

  /** A plan of a product by its code, whether or not the product is on sale. @throws a Refusal PRICE_NOT_FOUND. */
  async findPlanOfProduct(vendorId: number, productId: number, priceCode: string, path: string): Promise<Orderable> {
    const [plan] = await this.deps.offerRepository.plansByCodes(vendorId, [priceCode]);
    if (plan?.productId !== productId)
      throw unknownCodeRefusal("PRICE_NOT_FOUND", path, "price plan of the item's product");
    const offer = firstOf(await this.deps.offerRepository.offersByPlanIds(vendorId, [plan.id]));
    return toOrderable(offer);
  }

  /** Numbers of the plans that the members of a bundle are sold by. */
  async memberPlansOf(vendorId: number, bundlePlanId: number): Promise<number[]> {
    return (await this.deps.offerRepository.membersOf(vendorId, [bundlePlanId])).map(({ plan }) => plan.id);
  }

  /** The plan that two codes name. */
  async findPlanByCodes(
    vendorId: number,
    line: OfferRequest,
    index: number,
  ): Promise<{ productId: number; priceId: number }> {
    const lines = Array.from({ length: index + 1 }, () => line);
    const { product, plan } = itemAt(await this.findOffers(vendorId, lines), index);
    return { productId: product.id, priceId: plan.id };
  }

  /** The codes that name some plans. */
  async codesOf(vendorId: number, planIds: readonly number[]): Promise<Map<number, OfferRequest>> {
    const offers = await this.deps.offerRepository.offersByPlanIds(vendorId, planIds);
    return new Map(offers.map(({ product, plan }) => [plan.id, { productCode: product.code, priceCode: plan.code }]));
  }

  /** Creates a product for one invoice, with its own price: in the base currency, or in another. */
  async createInvoiceOffer(
    vendorId: number,
    name: string,
    price: Amount,
    currencyPrice: Record<string, string>,
  ): Promise<{ productId: number; priceId: number }> {
    const times = { createdAt: this.deps.now, modifiedAt: this.deps.now };
    const productId = await this.deps.offerRepository.addProduct(vendorId, {
      code: newCode("product"),
      type: "INVOICE",
      status: "SALE",
      name,
      ...times,
    });
    const priceId = await this.deps.offerRepository.addPlan(vendorId, {
      code: newCode("price"),
      productId,
      type: "ONE_TIME",
      price,
      currencyPrice,
      planName: name,
      firstSalePrice: ZERO,
      onetimeBundlePrice: ZERO,
      claimMethodType: "PRE",
      ...times,
    });
    return { productId, priceId };
  }

  private async findOffers(vendorId: number, lines: readonly OfferRequest[], list = "items") {
    const offers = await this.deps.offerRepository.offersByCodes(
      vendorId,
      lines.map(({ productCode }) => productCode),
      lines.map(({ priceCode }) => priceCode),
    );
    const offersByProductCode = groupBy(offers, ({ product }) => product.code);
    return lines.map(({ productCode, priceCode }, index) => {
      const [first, ...others] = offersByProductCode.get(productCode) ?? [];
      if (!first) throw unknownCodeRefusal("PRODUCT_NOT_FOUND", `${list}[${index}].productCode`, "product");
      const plan = [first, ...others].find((offer) => offer.plan?.code === priceCode)?.plan;
      if (!plan)
        throw unknownCodeRefusal("PRICE_NOT_FOUND", `${list}[${index}].priceCode`, "price plan of this product");
      return { product: first.product, plan };
    });
  }
}

const unknownCodeRefusal = (code: RefusalCode, path: string, noun: string) =>
  unknownReference(code, path, noun, "code");

const toOrderable = ({ product, plan }: Offer): Orderable => ({
  product,
  plan,
  terms: toPlanTerms(plan),
  optionIds: [],
  optionLabel: "",
  optionPrice: ZERO,
  members: [],
  canHaveCountedStock: true,
});

/** `noun` is the product in a sentence. */
function refuseUnsold(
  { product }: Pick<Offer, "product">,
  region: RegionCode | null,
  path: string,
  noun: string,
): void {
  const refuse = (code: RefusalCode, field: string, message: string) =>
    invalid(code, `${path}.${field}: ${message}`, {
      fields: [{ path: `${path}.${field}`, code: "INVALID_VALUE", message }],
    });
  if (product.status !== "SALE")
    throw refuse(
      "PRODUCT_NOT_ORDERABLE",
      "productCode",
      `${noun} is ${product.status}; only a product that is on SALE can be ordered.`,
    );
  const sold = product.availableRegions;
  // A country's word covers its states.
  if (region !== null && sold.length > 0 && !sold.includes(region) && !sold.includes(region.slice(0, 2)))
    throw refuse("REGION_NOT_SOLD", "productCode", `${noun} is not sold in ${region}.`);
}

/**
 * The chosen options of a product. A product without options accepts none; one with options may be bought without a
 * choice.
 */
function resolveOptionChoice(
  product: ProductRecord,
  chosen: readonly number[],
  options: readonly OptionRecord[],
  combinations: readonly CombinationRecord[],
  path: string,
): Pick<Orderable, "optionIds" | "optionLabel" | "optionPrice"> {
  if (chosen.length === 0) return { optionIds: [], optionLabel: "", optionPrice: ZERO };
  const pickedOptions = options.filter(({ id }) => chosen.includes(id));
  const groups = new Set(pickedOptions.map(({ groupId }) => groupId));
  if (pickedOptions.length !== chosen.length || groups.size !== chosen.length)
    throw invalidField(`${path}.optionIds`, "must be options of the product: one of each group.");
  const orphan = pickedOptions.find(({ parentId }) => parentId !== null && !chosen.includes(parentId));
  if (orphan)
    throw invalidField(
      `${path}.optionIds`,
      `has ${orphan.id}, which can be used only with the option ${String(orphan.parentId)}.`,
    );
  const optionIds = pickedOptions.map(({ id }) => id);
  const choice = { optionIds, optionLabel: pickedOptions.map(({ name }) => name).join(" / ") };
  if (!product.useCombination) return { ...choice, optionPrice: sumAmounts(pickedOptions.map(({ price }) => price)) };
  const combination = combinations.find(
    (candidate) => optionChoiceKey(candidate.optionIds) === optionChoiceKey(optionIds),
  );
  if (!combination || combination.status === "UNSOLD")
    throw invalidField(`${path}.optionIds`, "must be one of the product's combinations.");
  return { ...choice, optionPrice: combination.price };
}
