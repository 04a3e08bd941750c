import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import type { FieldFault } from "../../kernel/refusals.ts";
import { isLongerThan, MOST_YEARS, MOST_YEARS_TOGETHER } from "./period.rules.ts";
import type { CurrencyPrice, PlanTerms } from "./price.terms.ts";

/** A plan as it would be. */
export interface PlannedTerms extends PlanTerms {
  expiryRecurringCount: number | null;
  membershipExpirationDate: number;
  membershipExpirationDateType: RecurringInterval | null;
}

const MOST_RANGES = 100;
const LAST_DAY = 31;

const wrong = (path: string, message: string): FieldFault => ({ path, code: "INVALID_VALUE", message });
const required = (path: string, message: string): FieldFault => ({ path, code: "REQUIRED", message });

/** A fault where the condition holds. */
const when = (condition: boolean, fault: () => FieldFault): FieldFault[] => (condition ? [fault()] : []);

/** What is wrong with a price plan, by what its type needs. `baseCurrency` is the vendor's. */
export const planFaults = (plan: PlannedTerms, baseCurrency: string): FieldFault[] => [
  ...recurringFaults(plan),
  ...claimFaults(plan),
  ...volumeFaults(plan),
  ...rangeFaults(plan),
  ...bundleFaults(plan),
  ...membershipFaults(plan),
  ...currencyFaults(plan, baseCurrency),
  ...firstSaleFaults(plan),
];

const isMetered = ({ type }: PlannedTerms): boolean => type === "UNIT_BASED" || type === "USAGE_BASED";

function recurringFaults({ type, recurring, setupOption, expiryRecurringCount }: PlannedTerms): FieldFault[] {
  const needsCycle = type === "FLAT" || type === "UNIT_BASED" || type === "USAGE_BASED";
  const once = recurring === null;
  return [
    ...when(type === "ONE_TIME" && !once, () => wrong("recurring", "must be null: a ONE_TIME plan is charged once.")),
    ...when(needsCycle && once, () => required("recurring", `is needed for a ${type} plan.`)),
    ...when(once && setupOption?.type === "PERIODIC", () =>
      wrong("setupOption.type", "must be INITIALLY: the plan is charged once."),
    ),
    ...when(once && setupOption?.claimMethodType === "POST", () =>
      wrong("setupOption.claimMethodType", "must be PRE: the plan is charged once."),
    ),
    ...when(once && expiryRecurringCount !== null, () =>
      wrong("expiryRecurringCount", "must be null: the plan is charged once."),
    ),
    ...(recurring ? lengthFaults(recurring, expiryRecurringCount ?? 1) : []),
  ];
}

function lengthFaults(
  { interval, intervalCount }: NonNullable<PlannedTerms["recurring"]>,
  cycles: number,
): FieldFault[] {
  if (isLongerThan(MOST_YEARS, intervalCount, interval))
    return [wrong("recurring.intervalCount", `must come to at most ${MOST_YEARS} years.`)];
  return when(isLongerThan(MOST_YEARS_TOGETHER, intervalCount * cycles, interval), () =>
    wrong("expiryRecurringCount", `must come to at most ${MOST_YEARS_TOGETHER} years.`),
  );
}

function claimFaults({ recurring, claim }: PlannedTerms): FieldFault[] {
  const { methodType, whenToClaimType, billingDate, provideStartDay } = claim;
  const isPostpaid = methodType === "POST";
  const isByDate = whenToClaimType === "DATE";
  const notADay = (day: number | null) => day !== null && day > LAST_DAY;
  return [
    ...when(isPostpaid && recurring === null, () =>
      wrong("claim.methodType", "must be PRE: the plan is charged once."),
    ),
    ...when(isPostpaid && whenToClaimType === null, () =>
      required("claim.whenToClaimType", "is needed for a postpaid plan."),
    ),
    ...when(!isPostpaid && whenToClaimType !== null, () =>
      wrong("claim.whenToClaimType", "must be null: the plan is prepaid."),
    ),
    ...when(isByDate && billingDate === null, () =>
      required("claim.billingDate", "is needed where whenToClaimType is DATE."),
    ),
    ...when(!isByDate && billingDate !== null, () =>
      wrong("claim.billingDate", "must be null unless whenToClaimType is DATE."),
    ),
    ...when(notADay(billingDate), () => wrong("claim.billingDate", `must be from 1 to ${LAST_DAY}.`)),
    ...when(notADay(provideStartDay), () => wrong("claim.provideStartDay", `must be from 1 to ${LAST_DAY}.`)),
  ];
}

/** Ranges of quantities that follow one another without a gap. */
function volumeFaults({ type, volumes }: PlannedTerms): FieldFault[] {
  if (type !== "VOLUME_BASED")
    return when(volumes.length > 0, () => wrong("volumes", "are for a VOLUME_BASED plan only."));
  if (volumes.length === 0) return [required("volumes", "are needed for a VOLUME_BASED plan: at least one.")];
  if (volumes.length > MOST_RANGES) return [wrong("volumes", `must have at most ${MOST_RANGES} entries.`)];
  return volumes.flatMap(({ min, max }, index) => {
    const path = `volumes[${index}]`;
    const before = volumes[index - 1];
    const isLast = index === volumes.length - 1;
    return [
      ...when(max !== null && max < min, () => wrong(`${path}.max`, "must not be less than min.")),
      ...when(max === null && !isLast, () => required(`${path}.max`, "is needed: only the last range has no end.")),
      ...when(before?.max != null && min !== before.max + 1, () =>
        wrong(`${path}.min`, "must be one more than the max of the range before: no gap and no overlap."),
      ),
    ];
  });
}

/** Ranges of units that rise, the last one open: whatever is used has a price. */
function rangeFaults(plan: PlannedTerms): FieldFault[] {
  const { additionalBilling, basicServing } = plan;
  if (!isMetered(plan))
    return [
      ...when(additionalBilling !== null, () =>
        wrong("additionalBilling", "is for a UNIT_BASED or USAGE_BASED plan only."),
      ),
      ...when(basicServing > 0, () => wrong("basicServing", "is for a UNIT_BASED or USAGE_BASED plan only.")),
    ];
  if (additionalBilling === null) return [];
  const { ranges } = additionalBilling;
  const path = "additionalBilling.ranges";
  if (ranges.length < 1 || ranges.length > MOST_RANGES) return [wrong(path, `must have 1 to ${MOST_RANGES} entries.`)];
  return ranges.flatMap(({ until }, index) => {
    const isLast = index === ranges.length - 1;
    const before = ranges[index - 1]?.until ?? 0;
    return [
      ...when(isLast && until !== null, () =>
        wrong(`${path}[${index}].until`, "must be null: the last range has no end."),
      ),
      ...when(!isLast && until === null, () =>
        required(`${path}[${index}].until`, "is needed: only the last range has no end."),
      ),
      ...when(!isLast && until !== null && until <= before, () =>
        wrong(`${path}[${index}].until`, "must be more than that of the range before."),
      ),
    ];
  });
}

const bundleFaults = ({ type, onetimeBundlePrice }: PlannedTerms): FieldFault[] =>
  when(type !== "BUNDLE" && onetimeBundlePrice.gt(0), () => wrong("onetimeBundlePrice", "is for a BUNDLE plan only."));

const membershipFaults = ({ membershipExpirationDate, membershipExpirationDateType }: PlannedTerms): FieldFault[] =>
  when(membershipExpirationDate > 0 && membershipExpirationDateType === null, () =>
    required("membershipExpirationDateType", "is needed where the membership has an end."),
  );

/** Prices in other currencies are not in the base. */
function currencyFaults({ currencyPrice, setupOption, firstSale }: PlannedTerms, baseCurrency: string): FieldFault[] {
  const places: Record<string, CurrencyPrice> = {
    currencyPrice,
    "setupOption.currencyPrice": setupOption?.currencyPrice ?? {},
    "firstSale.currencyPrice": firstSale.currencyPrice,
  };
  return Object.entries(places).flatMap(([path, amounts]) =>
    when(Object.hasOwn(amounts, baseCurrency), () =>
      wrong(path, `must not have ${baseCurrency}: that is the base currency, which price is in.`),
    ),
  );
}

/** No more is taken off than what is paid, in each currency. The least that a plan by volume costs is that of its cheapest range. */
function firstSaleFaults({ type, price, volumes, currencyPrice, firstSale }: PlannedTerms): FieldFault[] {
  const least =
    type === "VOLUME_BASED"
      ? volumes.reduce<Amount | null>((found, { min, price: each }) => {
          const all = each.times(min);
          return found === null || all.lt(found) ? all : found;
        }, null)
      : price;
  const inOthers = Object.entries(firstSale.currencyPrice).flatMap(([currency, amount]) => {
    const most = Object.hasOwn(currencyPrice, currency) ? currencyPrice[currency]! : ZERO;
    return when(amount.gt(most), () =>
      wrong("firstSale.currencyPrice", `must take off at most the price of currencyPrice in ${currency}.`),
    );
  });
  return [
    ...when(firstSale.price.gt(least ?? ZERO), () => wrong("firstSale.price", "must be at most the price.")),
    ...inOthers,
  ];
}
