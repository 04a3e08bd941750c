import type { PricePlanType, SetupOptionType } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { newCode } from "../../kernel/codes.ts";
import { refuseNulls } from "../../kernel/sent-fields.ts";
import { invalidField, invalidFields, missing, unknownReference, type FieldFault } from "../../kernel/refusals.ts";
import type { CatalogService } from "../catalog.service.ts";
import type { OfferRepository, PricePlanRecord, ProductRecord } from "../offer.repository.ts";
import type { PriceWriteRepository } from "./price-write.repository.ts";
import { planColumns, type PlanFields } from "./price.columns.ts";
import { planFaults } from "./price.rules.ts";
import { termsOf } from "./price.terms.ts";
import type { ProductPlacesRepository } from "../product-relations.repository.ts";
import { repeated } from "../product.options.ts";

/** A choice that a plan offers; `id` names one that stays. */
interface PriceOptionFields {
  id?: number | null;
  name: string;
  type: SetupOptionType;
  price: Amount;
  /** Number of the plan that the option is. */
  optionPriceId?: number | null;
}

/** The plan of a bundle's member. */
interface MemberPrice {
  productId: number;
  priceId: number;
}

/** What a merchant tells of a plan; of a change, what is absent stays. */
export interface PricePlanFields extends PlanFields {
  options?: readonly PriceOptionFields[] | null;
  bundlePrices?: readonly MemberPrice[] | null;
}

/** Whose plans they are. */
interface Shop {
  id: number;
  /** The base currency. */
  currency: string;
}

const MOST_OPTIONS = 50;

/** What a plan is before anything is told. */
const blank = {
  currencyPrice: {},
  claimMethodType: "PRE" as const,
  whenToClaimType: null,
  billingDate: null,
  provideStartDay: null,
  maximumPurchaseQuantity: 0,
  membershipExpirationDate: 0,
  membershipExpirationDateType: null,
  expiryRecurringCount: null,
  setupOptionName: null,
  setupOptionType: null,
  setupOptionPrice: null,
  setupOptionCurrencyPrice: {},
  setupOptionClaimMethodType: null,
  firstSaleEnabled: false,
  firstSalePrice: ZERO,
  firstSaleCurrencyPrice: {},
  volumes: [],
  additionalBillingType: null,
  additionalBillingRanges: [],
  recurringInterval: null,
  recurringIntervalCount: null,
  aggregateUsageType: null,
  usageType: null,
  basicServing: 0,
  onetimeBundlePrice: ZERO,
};

/** What a plan may be without. */
const clearable = [
  "membershipExpirationDateType",
  "expiryRecurringCount",
  "setupOption",
  "additionalBilling",
  "recurring",
];

/** Keeps the price plans of products. */
export class PricePlanService {
  constructor(
    private readonly plans: PriceWriteRepository,
    private readonly offers: OfferRepository,
    private readonly places: ProductPlacesRepository,
    private readonly catalog: CatalogService,
    private readonly now: Date,
  ) {}

  /** @throws a Refusal PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, WAITING_APPROVAL, or INVALID_ARGUMENT by what the type needs. */
  async create(
    shop: Shop,
    productId: number,
    { type, ...fields }: PricePlanFields & { type: PricePlanType; plan: { name: string } },
  ): Promise<PricePlanRecord> {
    const product = await this.catalog.held(shop.id, productId);
    if (product.childVendorId !== null)
      throw invalidField("productId", "is a listing of a child vendor's product, whose plans are the child's.");
    if ((type === "BUNDLE") !== (product.type === "BUNDLE"))
      throw invalidField("type", "must be BUNDLE for a product of that type, and for no other.");
    const values = { ...blank, type, price: fields.price, ...planColumns(type, fields) };
    this.check(shop, values);
    const bundlePrices = await this.members(shop.id, product, type, fields.bundlePrices ?? []);
    const plan = await this.plans.add(shop.id, {
      ...values,
      planName: fields.plan.name,
      code: newCode("price"),
      productId: product.id,
      createdAt: this.now,
      modifiedAt: this.now,
    });
    return this.finish(shop.id, plan, { ...fields, bundlePrices });
  }

  /** @throws a Refusal as `create`; PRICE_NOT_FOUND for the plan itself. */
  async update(shop: Shop, id: number, fields: Partial<PricePlanFields>): Promise<PricePlanRecord> {
    refuseNulls(fields, clearable);
    refuseNulls(fields.plan ?? {}, [], "plan.");
    const known = await this.plans.byId(shop.id, id);
    if (!known) throw missing("PRICE_NOT_FOUND", "There is no price plan with this id.");
    const product = await this.catalog.held(shop.id, known.productId);
    // Read again: another change may have come before the product was held.
    const before = (await this.plans.byId(shop.id, id))!;
    const values = planColumns(before.type, fields);
    this.check(shop, { ...before, ...values });
    const bundlePrices =
      fields.bundlePrices && (await this.members(shop.id, product, before.type, fields.bundlePrices));
    const plan = await this.plans.change(shop.id, id, { ...values, modifiedAt: this.now });
    return this.finish(shop.id, plan, { ...fields, bundlePrices });
  }

  private check(
    { currency }: Shop,
    plan: Parameters<typeof termsOf>[0] &
      Pick<PricePlanRecord, "expiryRecurringCount" | "membershipExpirationDate" | "membershipExpirationDateType">,
  ): void {
    const faults = planFaults({ ...plan, ...termsOf(plan) }, currency);
    if (faults.length > 0) throw invalidFields(faults);
  }

  private async finish(
    vendorId: number,
    plan: PricePlanRecord,
    { options, bundlePrices, isRepresentative }: Partial<PricePlanFields>,
  ): Promise<PricePlanRecord> {
    if (isRepresentative) await this.plans.leaveRepresenting(vendorId, plan);
    if (options) await this.setOptions(vendorId, plan, options);
    if (bundlePrices?.length) await this.plans.setBundlePrices(vendorId, plan.id, bundlePrices);
    return plan;
  }

  /** Of each member of the bundle one plan, in the order of the bundle. */
  private async members(
    vendorId: number,
    bundle: ProductRecord,
    type: PricePlanType,
    prices: readonly MemberPrice[],
  ): Promise<MemberPrice[]> {
    if (type !== "BUNDLE" && prices.length > 0) throw invalidField("bundlePrices", "are for a BUNDLE plan only.");
    if (type !== "BUNDLE") return [];
    const memberIds = await this.places.membersOf(vendorId, bundle.id);
    const offers = await this.offers.offers(
      vendorId,
      prices.map(({ priceId }) => priceId),
    );
    const plans = new Map(offers.map(({ plan }) => [plan.id, plan]));
    const faults = prices.flatMap(({ productId, priceId }, index): FieldFault[] => {
      const path = `bundlePrices[${index}]`;
      const plan = plans.get(priceId);
      if (!memberIds.includes(productId))
        return [{ path: `${path}.productId`, code: "NOT_FOUND", message: "is not a member of the bundle." }];
      if (plan?.productId !== productId)
        return [{ path: `${path}.priceId`, code: "NOT_FOUND", message: "is not a plan of this member." }];
      return [];
    });
    const twice = repeated(prices.map(({ productId }) => productId)).map<FieldFault>((index) => ({
      path: `bundlePrices[${index}].productId`,
      code: "INVALID_VALUE",
      message: "has a plan already.",
    }));
    if (faults.length + twice.length > 0) throw invalidFields([...faults, ...twice]);
    if (prices.length < memberIds.length)
      throw invalidFields([
        { path: "bundlePrices", code: "REQUIRED", message: "must name a plan of each member of the bundle." },
      ]);
    return memberIds.map((productId) => prices.find((price) => price.productId === productId)!);
  }

  private async setOptions(
    vendorId: number,
    plan: PricePlanRecord,
    options: readonly PriceOptionFields[],
  ): Promise<void> {
    if (options.length > MOST_OPTIONS) throw invalidField("options", `must have at most ${MOST_OPTIONS} entries.`);
    await this.refuseUnknown(vendorId, plan, options);
    await this.plans.vacateOptions(
      vendorId,
      plan.id,
      options.flatMap(({ id }) => id ?? []),
    );
    const values = options.map(({ id, name, type, price, optionPriceId }, position) => ({
      id,
      position,
      name,
      type,
      price,
      optionPriceId: optionPriceId ?? null,
    }));
    for (const { id, ...option } of values) if (id != null) await this.plans.changeOption(vendorId, id, option);
    await this.plans.addOptions(
      vendorId,
      plan.id,
      values.filter(({ id }) => id == null).map(({ id: _, ...option }) => option),
    );
  }

  private async refuseUnknown(
    vendorId: number,
    plan: PricePlanRecord,
    options: readonly PriceOptionFields[],
  ): Promise<void> {
    const own = new Set((await this.plans.optionsOf(vendorId, plan.id)).map(({ id }) => id));
    const unknown = options.findIndex(({ id }) => id != null && !own.has(id));
    if (unknown >= 0)
      throw invalidFields([
        { path: `options[${unknown}].id`, code: "NOT_FOUND", message: "There is no option of the plan with this id." },
      ]);
    const [twice] = repeated(options.map(({ id }, index) => id ?? -index));
    if (twice !== undefined) throw invalidField(`options[${twice}].id`, "names an option twice.");
    const offers = await this.offers.offers(
      vendorId,
      options.flatMap(({ optionPriceId }) => optionPriceId ?? []),
    );
    for (const [index, { optionPriceId }] of options.entries()) {
      if (optionPriceId == null) continue;
      const path = `options[${index}].optionPriceId`;
      const offer = offers.find((one) => one.plan.id === optionPriceId);
      if (!offer) throw unknownReference("PRICE_NOT_FOUND", path, "price plan");
      if (offer.product.id === plan.productId) throw invalidField(path, "is a plan of the same product.");
    }
  }
}
