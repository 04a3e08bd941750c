import type {
  ChangeablePlanFragment,
  ChangeableSubscriptionQuery,
  PreviewSubscriptionChangeInput,
  PricePlanType,
  RecurringInterval,
} from "../../generated/operations.ts";

export type ChangeableSubscription = NonNullable<ChangeableSubscriptionQuery["subscription"]>;
export type ChangeableItem = ChangeableSubscription["items"][number] & { name: string };

/** A change as the preview and the mutations take it. */
export type SubscriptionChange = Omit<PreviewSubscriptionChangeInput, "subscriptionId">;

export const CHANGE_KINDS = ["plan", "items", "quota", "interval"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** How often something is charged. */
export interface Cycle {
  interval: RecurringInterval;
  intervalCount: number;
}

const isSameCycle = (one: Cycle, other: Cycle): boolean =>
  one.interval === other.interval && one.intervalCount === other.intervalCount;

/** Types whose plans count something else; the other types count pieces. */
const METERED: readonly PricePlanType[] = ["UNIT_BASED", "USAGE_BASED"];
const isPieces = (type: PricePlanType): boolean => type === "FLAT" || type === "VOLUME_BASED";

export const isMetered = ({ priceType }: ChangeableItem): boolean => METERED.includes(priceType);

/** Whether a plan could be the item's: it counts the same and is charged at the same end of the period. */
const fits = (
  plan: ChangeablePlanFragment,
  { priceType }: ChangeableItem,
  { claimMethodType }: ChangeableSubscription,
) =>
  plan.claimMethodType === claimMethodType && (plan.type === priceType || (isPieces(plan.type) && isPieces(priceType)));

/** Plans that a subscription can charge. */
export const chargeablePlans = (plans: readonly ChangeablePlanFragment[], subscription: ChangeableSubscription) =>
  plans.filter(
    ({ recurring, claimMethodType }) =>
      recurring !== null && isSameCycle(recurring, subscription) && claimMethodType === subscription.claimMethodType,
  );

/** Items that can be changed by themselves, each under a name of its own: members of a bundle change with it. */
export function changeableItems({ items }: ChangeableSubscription): ChangeableItem[] {
  const own = items.filter(({ parentSubscriptionItemCode }) => parentSubscriptionItemCode === null);
  const names = own.map(({ productName, selectedProductOptionLabel: options }) =>
    options === "" ? productName : `${productName} (${options})`,
  );
  return own.map((item, place) => {
    const name = names[place] ?? item.productName;
    const before = names.slice(0, place).filter((one) => one === name).length;
    return { ...item, name: before === 0 ? name : `${name} ${before + 1}` };
  });
}

/** The plans that an item could have, with its own; one plan is no choice unless it withdraws a planned change. */
export function planChoices(item: ChangeableItem, subscription: ChangeableSubscription): ChangeablePlanFragment[] {
  const plans = chargeablePlans(item.product.prices, subscription).filter(
    (plan) => plan.code === item.priceCode || fits(plan, item, subscription),
  );
  return plans.length > 1 || item.nextPricePlan !== null ? plans : [];
}

/** The cycles that every item has a plan for; the current one only where it withdraws a planned change. */
export function cycleChoices(subscription: ChangeableSubscription): Cycle[] {
  const cyclesOf = (item: ChangeableItem): Cycle[] =>
    item.product.prices.flatMap((plan) => (plan.recurring && fits(plan, item, subscription) ? [plan.recurring] : []));
  const [first = [], ...others] = changeableItems(subscription).map(cyclesOf);
  return first
    .filter((cycle, place) => first.findIndex((one) => isSameCycle(one, cycle)) === place)
    .filter((cycle) => others.every((cycles) => cycles.some((one) => isSameCycle(one, cycle))))
    .filter((cycle) => subscription.nextPeriod !== null || !isSameCycle(cycle, subscription));
}

/** What of a subscription can be changed. */
export const possibleKinds = (subscription: ChangeableSubscription): ChangeKind[] => {
  const items = changeableItems(subscription);
  const isPossible: Record<ChangeKind, boolean> = {
    plan: items.some((item) => planChoices(item, subscription).length > 0),
    items: true,
    quota: items.some(isMetered),
    interval: cycleChoices(subscription).length > 0,
  };
  return CHANGE_KINDS.filter((kind) => isPossible[kind]);
};

/** A whole number of at least 1; undefined for any other text. */
export const quantityOf = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : undefined;
