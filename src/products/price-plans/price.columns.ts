import type {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  PricePlanType,
  RecurringInterval,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../../../schema/vocabulary.ts";
import { toPlainString, ZERO, type Amount } from "../../kernel/amounts.ts";
import { sentFields, nonNullFields } from "../../kernel/sent-fields.ts";
import { planTypes } from "./price.plan-types.ts";

/** Amounts by currency, as decimal strings. */
type CurrencyAmounts = Record<string, string>;

/**
 * A merchant's input for the terms of a plan; on update, absent fields stay unchanged. Objects and lists are replaced
 * as a whole.
 */
export interface PlanFields {
  price: Amount;
  currencyPrice?: CurrencyAmounts | null;
  unit?: string | null;
  plan?: {
    name?: string | null;
    description?: string | null;
    detailDescription?: string | null;
    isHiddenFromShop?: boolean | null;
    adminName?: string | null;
  } | null;
  firstSale?: { enabled: boolean; price?: Amount | null; currencyPrice?: CurrencyAmounts | null } | null;
  claim?: {
    methodType: ClaimMethodType;
    whenToClaimType?: WhenToClaimType | null;
    billingDate?: number | null;
    provideStartDay?: number | null;
  } | null;
  maximumPurchaseQuantity?: number | null;
  membershipExpirationDate?: number | null;
  membershipExpirationDateType?: RecurringInterval | null;
  expiryRecurringCount?: number | null;
  setupOption?: {
    name: string;
    type: SetupOptionType;
    price: Amount;
    currencyPrice?: CurrencyAmounts | null;
    claimMethodType?: ClaimMethodType | null;
  } | null;
  volumes?: readonly { min: number; max?: number | null; price: Amount }[] | null;
  additionalBilling?: {
    type: AdditionalBillingType;
    ranges: readonly { until?: number | null; price: Amount }[];
  } | null;
  recurring?: {
    interval: RecurringInterval;
    intervalCount?: number | null;
    aggregateUsageType?: AggregateUsageType | null;
    usageType?: UsageType | null;
  } | null;
  basicServing?: number | null;
  onetimeBundlePrice?: Amount | null;
  order?: number | null;
  isRepresentative?: boolean | null;
}

/** The columns of a plan's terms, as far as they were sent. */
export function toPlanColumns(type: PricePlanType, fields: Partial<PlanFields>) {
  const { price, currencyPrice, unit, maximumPurchaseQuantity, membershipExpirationDate, basicServing } = fields;
  const { onetimeBundlePrice, order, isRepresentative, membershipExpirationDateType, expiryRecurringCount } = fields;
  const { plan, firstSale, claim, setupOption, volumes, additionalBilling, recurring } = fields;
  return {
    ...nonNullFields({ price, currencyPrice, unit, maximumPurchaseQuantity, membershipExpirationDate, basicServing }),
    ...nonNullFields({ onetimeBundlePrice, order, isRepresentative }),
    ...sentFields({ membershipExpirationDateType, expiryRecurringCount }),
    ...(plan && toPresentationColumns(plan)),
    ...(firstSale && {
      firstSaleEnabled: firstSale.enabled,
      firstSalePrice: firstSale.price ?? ZERO,
      firstSaleCurrencyPrice: firstSale.currencyPrice ?? {},
    }),
    ...(claim && {
      claimMethodType: claim.methodType,
      whenToClaimType: claim.whenToClaimType ?? null,
      billingDate: claim.billingDate ?? null,
      provideStartDay: claim.provideStartDay ?? null,
    }),
    ...(setupOption !== undefined && toSetupColumns(setupOption)),
    ...(volumes && {
      volumes: volumes.map(({ min, max, price: each }, index) => ({
        id: index + 1,
        min,
        max: max ?? null,
        price: toPlainString(each),
      })),
    }),
    ...(additionalBilling !== undefined && toRangeColumns(additionalBilling)),
    ...(recurring !== undefined && toRecurringColumns(type, recurring)),
  };
}

const toPresentationColumns = ({
  name,
  description,
  detailDescription,
  isHiddenFromShop,
  adminName,
}: NonNullable<PlanFields["plan"]>) =>
  nonNullFields({
    planName: name,
    planDescription: description,
    planDetailDescription: detailDescription,
    planIsHiddenFromShop: isHiddenFromShop,
    planAdminName: adminName,
  });

const toSetupColumns = (option: PlanFields["setupOption"]) => ({
  setupOptionName: option?.name ?? null,
  setupOptionType: option?.type ?? null,
  setupOptionPrice: option?.price ?? null,
  setupOptionCurrencyPrice: option?.currencyPrice ?? {},
  setupOptionClaimMethodType: option && (option.claimMethodType ?? ("PRE" as const)),
});

/** Ranges are numbered within their plan. */
const toRangeColumns = (billing: PlanFields["additionalBilling"]) => ({
  additionalBillingType: billing?.type ?? null,
  additionalBillingRanges: (billing?.ranges ?? []).map(({ until, price }, index) => ({
    id: index + 1,
    until: until ?? null,
    price: toPlainString(price),
  })),
});

const toRecurringColumns = (type: PricePlanType, recurring: PlanFields["recurring"]) => ({
  recurringInterval: recurring?.interval ?? null,
  recurringIntervalCount: recurring && (recurring.intervalCount ?? 1),
  aggregateUsageType: recurring && (recurring.aggregateUsageType ?? ("SUM" as const)),
  usageType:
    recurring &&
    (recurring.usageType ?? (planTypes[type].metered === "USAGE" ? ("METERED" as const) : ("LICENSED" as const))),
});
