import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import type { FieldError } from "../../kernel/refusals.ts";
import { isLongerThan, MAX_YEARS, MAX_TOTAL_YEARS } from "./period.rules.ts";
import type { CurrencyPrice, PlanTerms } from "./price.terms.ts";
import { isMeteredType, planTypes } from "./price.plan-types.ts";

/** A plan as it would be. */
export interface CandidatePlan extends PlanTerms {
  expiryRecurringCount: number | null;
  membershipExpirationDate: number;
  membershipExpirationDateType: RecurringInterval | null;
}

const MAX_RANGES = 100;
const LAST_DAY_OF_MONTH = 31;

const invalidValue = (path: string, message: string): FieldError => ({ path, code: "INVALID_VALUE", message });
const requiredValue = (path: string, message: string): FieldError => ({ path, code: "REQUIRED", message });

/** A validation error if the condition is true. */
const errorWhen = (condition: boolean, toError: () => FieldError): FieldError[] => (condition ? [toError()] : []);

/** Validates a price plan by the rules of its type. `baseCurrency` is the vendor's. */
export const validatePlan = (plan: CandidatePlan, baseCurrency: string): FieldError[] => [
  ...validateRecurring(plan),
  ...validateClaim(plan),
  ...validateVolumes(plan),
  ...validateRanges(plan),
  ...validateBundle(plan),
  ...validateMembership(plan),
  ...validateCurrencies(plan, baseCurrency),
  ...validateFirstSale(plan),
];

function validateRecurring({ type, recurring, setupOption, expiryRecurringCount }: CandidatePlan): FieldError[] {
  const { cycle } = planTypes[type];
  const once = recurring === null;
  return [
    ...errorWhen(cycle === "NEVER" && !once, () =>
      invalidValue("recurring", "must be null: a ONE_TIME plan is charged once."),
    ),
    ...errorWhen(cycle === "REQUIRED" && once, () => requiredValue("recurring", `is required for a ${type} plan.`)),
    ...errorWhen(once && setupOption?.type === "PERIODIC", () =>
      invalidValue("setupOption.type", "must be INITIALLY: the plan is charged once."),
    ),
    ...errorWhen(once && setupOption?.claimMethodType === "POST", () =>
      invalidValue("setupOption.claimMethodType", "must be PRE: the plan is charged once."),
    ),
    ...errorWhen(once && expiryRecurringCount !== null, () =>
      invalidValue("expiryRecurringCount", "must be null: the plan is charged once."),
    ),
    ...(recurring ? validateLength(recurring, expiryRecurringCount ?? 1) : []),
  ];
}

function validateLength(
  { interval, intervalCount }: NonNullable<CandidatePlan["recurring"]>,
  cycles: number,
): FieldError[] {
  if (isLongerThan(MAX_YEARS, intervalCount, interval))
    return [invalidValue("recurring.intervalCount", `must be at most ${MAX_YEARS} years in total.`)];
  return errorWhen(isLongerThan(MAX_TOTAL_YEARS, intervalCount * cycles, interval), () =>
    invalidValue("expiryRecurringCount", `must be at most ${MAX_TOTAL_YEARS} years in total.`),
  );
}

function validateClaim({ recurring, claim }: CandidatePlan): FieldError[] {
  const { methodType, whenToClaimType, billingDate, provideStartDay } = claim;
  const isPostpaid = methodType === "POST";
  const isByDate = whenToClaimType === "DATE";
  const isBeyondMonth = (day: number | null) => day !== null && day > LAST_DAY_OF_MONTH;
  return [
    ...errorWhen(isPostpaid && recurring === null, () =>
      invalidValue("claim.methodType", "must be PRE: the plan is charged once."),
    ),
    ...errorWhen(isPostpaid && whenToClaimType === null, () =>
      requiredValue("claim.whenToClaimType", "is required for a postpaid plan."),
    ),
    ...errorWhen(!isPostpaid && whenToClaimType !== null, () =>
      invalidValue("claim.whenToClaimType", "must be null: the plan is prepaid."),
    ),
    ...errorWhen(isByDate && billingDate === null, () =>
      requiredValue("claim.billingDate", "is required if whenToClaimType is DATE."),
    ),
    ...errorWhen(!isByDate && billingDate !== null, () =>
      invalidValue("claim.billingDate", "must be null unless whenToClaimType is DATE."),
    ),
    ...errorWhen(isBeyondMonth(billingDate), () =>
      invalidValue("claim.billingDate", `must be from 1 to ${LAST_DAY_OF_MONTH}.`),
    ),
    ...errorWhen(isBeyondMonth(provideStartDay), () =>
      invalidValue("claim.provideStartDay", `must be from 1 to ${LAST_DAY_OF_MONTH}.`),
    ),
  ];
}

/** Ranges of quantities that follow one another without a gap. */
function validateVolumes({ type, volumes }: CandidatePlan): FieldError[] {
  if (!planTypes[type].pricedByVolume)
    return errorWhen(volumes.length > 0, () => invalidValue("volumes", "can be used only with a VOLUME_BASED plan."));
  if (volumes.length === 0) return [requiredValue("volumes", "must have at least one range for a VOLUME_BASED plan.")];
  if (volumes.length > MAX_RANGES) return [invalidValue("volumes", `must have at most ${MAX_RANGES} entries.`)];
  return volumes.flatMap(({ min, max }, index) => {
    const path = `volumes[${index}]`;
    const before = volumes[index - 1];
    const isLast = index === volumes.length - 1;
    return [
      ...errorWhen(max !== null && max < min, () => invalidValue(`${path}.max`, "must not be less than min.")),
      ...errorWhen(max === null && !isLast, () =>
        requiredValue(`${path}.max`, "is required: only the last range has no end."),
      ),
      ...errorWhen(before?.max != null && min !== before.max + 1, () =>
        invalidValue(`${path}.min`, "must be one more than the max of the previous range: no gap and no overlap."),
      ),
    ];
  });
}

/** Ranges of units must ascend, and the last one is open-ended, so that any usage has a price. */
function validateRanges(plan: CandidatePlan): FieldError[] {
  const { additionalBilling, basicServing } = plan;
  if (!isMeteredType(plan.type))
    return [
      ...errorWhen(additionalBilling !== null, () =>
        invalidValue("additionalBilling", "can be used only with a UNIT_BASED or USAGE_BASED plan."),
      ),
      ...errorWhen(basicServing > 0, () =>
        invalidValue("basicServing", "can be used only with a UNIT_BASED or USAGE_BASED plan."),
      ),
    ];
  if (additionalBilling === null) return [];
  const { ranges } = additionalBilling;
  const path = "additionalBilling.ranges";
  if (ranges.length < 1 || ranges.length > MAX_RANGES)
    return [invalidValue(path, `must have 1 to ${MAX_RANGES} entries.`)];
  return ranges.flatMap(({ until }, index) => {
    const isLast = index === ranges.length - 1;
    const before = ranges[index - 1]?.until ?? 0;
    return [
      ...errorWhen(isLast && until !== null, () =>
        invalidValue(`${path}[${index}].until`, "must be null: the last range has no end."),
      ),
      ...errorWhen(!isLast && until === null, () =>
        requiredValue(`${path}[${index}].until`, "is required: only the last range has no end."),
      ),
      ...errorWhen(!isLast && until !== null && until <= before, () =>
        invalidValue(`${path}[${index}].until`, "must be more than that of the previous range."),
      ),
    ];
  });
}

const validateBundle = ({ type, onetimeBundlePrice }: CandidatePlan): FieldError[] =>
  errorWhen(!planTypes[type].hasMembers && onetimeBundlePrice.gt(0), () =>
    invalidValue("onetimeBundlePrice", "can be used only with a BUNDLE plan."),
  );

const validateMembership = ({ membershipExpirationDate, membershipExpirationDateType }: CandidatePlan): FieldError[] =>
  errorWhen(membershipExpirationDate > 0 && membershipExpirationDateType === null, () =>
    requiredValue("membershipExpirationDateType", "is required if the membership has an end."),
  );

/** Prices in other currencies are not in the base. */
function validateCurrencies(
  { currencyPrice, setupOption, firstSale }: CandidatePlan,
  baseCurrency: string,
): FieldError[] {
  const places: Record<string, CurrencyPrice> = {
    currencyPrice,
    "setupOption.currencyPrice": setupOption?.currencyPrice ?? {},
    "firstSale.currencyPrice": firstSale.currencyPrice,
  };
  return Object.entries(places).flatMap(([path, amounts]) =>
    errorWhen(Object.hasOwn(amounts, baseCurrency), () =>
      invalidValue(path, `must not have ${baseCurrency}: that is the base currency, which price uses.`),
    ),
  );
}

/** No more is taken off than what is paid, in each currency. The least that a plan by volume costs is that of its cheapest range. */
function validateFirstSale({ type, price, volumes, currencyPrice, firstSale }: CandidatePlan): FieldError[] {
  const minPrice = planTypes[type].pricedByVolume
    ? volumes.reduce<Amount | null>((found, { min, price: each }) => {
        const all = each.times(min);
        return found === null || all.lt(found) ? all : found;
      }, null)
    : price;
  const inOthers = Object.entries(firstSale.currencyPrice).flatMap(([currency, amount]) => {
    const maxDiscount = (Object.hasOwn(currencyPrice, currency) && currencyPrice[currency]) || ZERO;
    return errorWhen(amount.gt(maxDiscount), () =>
      invalidValue("firstSale.currencyPrice", `must be at most the price of currencyPrice in ${currency}.`),
    );
  });
  return [
    ...errorWhen(firstSale.price.gt(minPrice ?? ZERO), () =>
      invalidValue("firstSale.price", "must be at most the price."),
    ),
    ...inOthers,
  ];
}
