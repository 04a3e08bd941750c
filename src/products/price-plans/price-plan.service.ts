import type { PricePlanType, SetupOptionType } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { newCode } from "../../kernel/codes.ts";
import { refuseNulls } from "../../kernel/sent-fields.ts";
import { invalidField, invalidFields, notFound, unknownReference, type FieldError } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import type { ProductService } from "../product.service.ts";
import type { OfferRepository, PricePlanRecord, ProductRecord } from "../offer.repository.ts";
import type { PriceWriteRepository } from "./price-write.repository.ts";
import { toPlanColumns, type PlanFields } from "./price.columns.ts";
import { validatePlan } from "./price.rules.ts";
import { toPlanTerms } from "./price.terms.ts";
import type { ProductRelationsRepository } from "../product-relations.repository.ts";
import { toPricePlanEvent } from "../product.events.ts";
import { duplicateIndexes } from "../product.options.ts";
import { planTypes } from "./price.plan-types.ts";

/** An option of a plan; `id` identifies one that stays. */
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

/** A merchant's input for a plan; on update, absent fields stay unchanged. */
export interface PricePlanFields extends PlanFields {
  options?: readonly PriceOptionFields[] | null;
  bundlePrices?: readonly MemberPrice[] | null;
}

/** The vendor of the plans. */
interface PricingVendor {
  id: number;
  /** The base currency. */
  currency: string;
}

const MAX_PRICE_OPTIONS = 50;

/** Defaults of a plan's columns. */
const defaultPlanColumns = {
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

/** Fields that null clears. */
const clearableFields = [
  "membershipExpirationDateType",
  "expiryRecurringCount",
  "setupOption",
  "additionalBilling",
  "recurring",
];

/** Keeps the price plans of products. */
export class PricePlanService {
  constructor(
    private readonly deps: {
      priceWriteRepository: PriceWriteRepository;
      offerRepository: OfferRepository;
      productRelationsRepository: ProductRelationsRepository;
      products: ProductService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, WAITING_APPROVAL, or INVALID_ARGUMENT by what the type needs. */
  async create(
    vendor: PricingVendor,
    productId: number,
    { type, ...fields }: PricePlanFields & { type: PricePlanType; plan: { name: string } },
  ): Promise<PricePlanRecord> {
    const product = await this.deps.products.lockProductForChange(vendor.id, productId);
    if (product.childVendorId !== null)
      throw invalidField(
        "productId",
        "is a child vendor's product, which this vendor lists; only the child can change its plans.",
      );
    if (planTypes[type].hasMembers !== (product.type === "BUNDLE"))
      throw invalidField("type", "must be BUNDLE for a bundle, and another type for other products.");
    const values = { ...defaultPlanColumns, type, price: fields.price, ...toPlanColumns(type, fields) };
    this.validateTerms(vendor, values);
    const bundlePrices = await this.resolveMemberPrices(vendor.id, product, type, fields.bundlePrices ?? []);
    const plan = await this.deps.priceWriteRepository.add(vendor.id, {
      ...values,
      planName: fields.plan.name,
      code: newCode("price"),
      productId: product.id,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const saved = await this.saveRelations(vendor.id, plan, { ...fields, bundlePrices });
    await this.deps.events.recordModuleEvents(vendor.id, toPricePlanEvent(saved, "createPricePlan", vendor.currency));
    return saved;
  }

  /** @throws a Refusal as `create`; PRICE_NOT_FOUND for the plan itself. */
  async update(vendor: PricingVendor, id: number, fields: Partial<PricePlanFields>): Promise<PricePlanRecord> {
    refuseNulls(fields, clearableFields);
    refuseNulls(fields.plan ?? {}, [], "plan.");
    const unlocked = await this.deps.priceWriteRepository.byId(vendor.id, id);
    if (!unlocked) throw notFound("PRICE_NOT_FOUND", "There is no price plan with this id.");
    const product = await this.deps.products.lockProductForChange(vendor.id, unlocked.productId);
    // Read again, because another change may have come before the product was locked.
    const before = required(await this.deps.priceWriteRepository.byId(vendor.id, id), "the plan");
    const values = toPlanColumns(before.type, fields);
    this.validateTerms(vendor, { ...before, ...values });
    const bundlePrices =
      fields.bundlePrices && (await this.resolveMemberPrices(vendor.id, product, before.type, fields.bundlePrices));
    const plan = await this.deps.priceWriteRepository.update(vendor.id, id, { ...values, modifiedAt: this.deps.now });
    const saved = await this.saveRelations(vendor.id, plan, { ...fields, bundlePrices });
    await this.deps.events.recordModuleEvents(vendor.id, toPricePlanEvent(saved, "updatePricePlan", vendor.currency));
    return saved;
  }

  private validateTerms(
    { currency }: PricingVendor,
    plan: Parameters<typeof toPlanTerms>[0] &
      Pick<PricePlanRecord, "expiryRecurringCount" | "membershipExpirationDate" | "membershipExpirationDateType">,
  ): void {
    const errors = validatePlan({ ...plan, ...toPlanTerms(plan) }, currency);
    if (errors.length > 0) throw invalidFields(errors);
  }

  private async saveRelations(
    vendorId: number,
    plan: PricePlanRecord,
    { options, bundlePrices, isRepresentative }: Partial<PricePlanFields>,
  ): Promise<PricePlanRecord> {
    if (isRepresentative) await this.deps.priceWriteRepository.clearOtherRepresentatives(vendorId, plan);
    if (options) await this.setOptions(vendorId, plan, options);
    if (bundlePrices?.length) await this.deps.priceWriteRepository.setBundlePrices(vendorId, plan.id, bundlePrices);
    return plan;
  }

  /** One plan for each member of the bundle, in the order of the bundle. */
  private async resolveMemberPrices(
    vendorId: number,
    bundle: ProductRecord,
    type: PricePlanType,
    prices: readonly MemberPrice[],
  ): Promise<MemberPrice[]> {
    const { hasMembers } = planTypes[type];
    if (!hasMembers && prices.length > 0) throw invalidField("bundlePrices", "can be used only with a BUNDLE plan.");
    if (!hasMembers) return [];
    const memberIds = await this.deps.productRelationsRepository.membersOf(vendorId, bundle.id);
    const offers = await this.deps.offerRepository.offersByPlanIds(
      vendorId,
      prices.map(({ priceId }) => priceId),
    );
    const plans = new Map(offers.map(({ plan }) => [plan.id, plan]));
    const errors = prices.flatMap(({ productId, priceId }, index): FieldError[] => {
      const path = `bundlePrices[${index}]`;
      const plan = plans.get(priceId);
      if (!memberIds.includes(productId))
        return [{ path: `${path}.productId`, code: "NOT_FOUND", message: "is not a member of the bundle." }];
      if (plan?.productId !== productId)
        return [{ path: `${path}.priceId`, code: "NOT_FOUND", message: "is not a plan of this bundle member." }];
      return [];
    });
    const duplicateErrors = duplicateIndexes(prices.map(({ productId }) => productId)).map<FieldError>((index) => ({
      path: `bundlePrices[${index}].productId`,
      code: "INVALID_VALUE",
      message: "has a plan already.",
    }));
    if (errors.length + duplicateErrors.length > 0) throw invalidFields([...errors, ...duplicateErrors]);
    if (prices.length < memberIds.length)
      throw invalidFields([
        { path: "bundlePrices", code: "REQUIRED", message: "must have a plan of each member of the bundle." },
      ]);
    return memberIds.map((productId) =>
      required(
        prices.find((price) => price.productId === productId),
        "the price of a member",
      ),
    );
  }

  private async setOptions(
    vendorId: number,
    plan: PricePlanRecord,
    options: readonly PriceOptionFields[],
  ): Promise<void> {
    if (options.length > MAX_PRICE_OPTIONS)
      throw invalidField("options", `must have at most ${MAX_PRICE_OPTIONS} entries.`);
    await this.refuseUnknownOptions(vendorId, plan, options);
    await this.deps.priceWriteRepository.deleteOptionsExcept(
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
    for (const { id, ...option } of values)
      if (id != null) await this.deps.priceWriteRepository.updateOption(vendorId, id, option);
    await this.deps.priceWriteRepository.addOptions(
      vendorId,
      plan.id,
      values.filter(({ id }) => id == null).map(({ id: _, ...option }) => option),
    );
  }

  private async refuseUnknownOptions(
    vendorId: number,
    plan: PricePlanRecord,
    options: readonly PriceOptionFields[],
  ): Promise<void> {
    const ownIds = new Set((await this.deps.priceWriteRepository.optionsOf(vendorId, plan.id)).map(({ id }) => id));
    const unknown = options.findIndex(({ id }) => id != null && !ownIds.has(id));
    if (unknown >= 0)
      throw invalidFields([
        { path: `options[${unknown}].id`, code: "NOT_FOUND", message: "There is no option of the plan with this id." },
      ]);
    const [duplicateIndex] = duplicateIndexes(options.map(({ id }, index) => id ?? -index));
    if (duplicateIndex !== undefined) throw invalidField(`options[${duplicateIndex}].id`, "has the same option twice.");
    const offers = await this.deps.offerRepository.offersByPlanIds(
      vendorId,
      options.flatMap(({ optionPriceId }) => optionPriceId ?? []),
    );
    for (const [index, { optionPriceId }] of options.entries()) {
      if (optionPriceId == null) continue;
      const path = `options[${index}].optionPriceId`;
      const offer = offers.find((one) => one.plan.id === optionPriceId);
      if (!offer) throw unknownReference("PRICE_NOT_FOUND", path, "price plan");
      if (offer.product.id === plan.productId) throw invalidField(path, "must be a plan of another product.");
    }
  }
}
