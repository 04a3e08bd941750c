import type { PricePlanType } from "../../../schema/vocabulary.ts";

/** The rules of a type of price plan. */
interface PlanTypeRules {
  /** Whether its plans are charged once or in cycles, or either. */
  cycle: "NEVER" | "OPTIONAL" | "REQUIRED";
  /** The units that it meters: USAGE adds up within a period, ACCOUNTS are there until they are taken away. Null for pieces. */
  metered: "USAGE" | "ACCOUNTS" | null;
  /** Whether a partial period is charged in proportion. */
  prorated: boolean;
  /**
   * The validity of allowed and used units: for their period, or carried over into the next ones. Null without units.
   */
  quota: "PER_PERIOD" | "CARRIED_OVER" | null;
  /** The change of a subscription that its amount is changed by. */
  changedBy: "QUANTITY" | "QUOTA";
  /** A subscription's item may only change to plans of its own kind. */
  kind: "ONCE" | "PIECES" | "ACCOUNTS" | "USAGE" | "BUNDLE";
  /** Whether volume ranges determine the price, so that an agreed price applies to its quantity only. */
  pricedByVolume: boolean;
  /** Whether it is charged in addition to the price of the bundle that its product is in. */
  chargedInBundles: boolean;
  /** Whether it is the price of several products together. */
  hasMembers: boolean;
}

const pieces = {
  cycle: "REQUIRED",
  metered: null,
  prorated: true,
  quota: null,
  changedBy: "QUANTITY",
  kind: "PIECES",
  pricedByVolume: false,
  chargedInBundles: false,
  hasMembers: false,
} as const;

/**
 * The rules by the type of the plan: the one place that distinguishes the types. SQL that reads units by type repeats
 * them: subscription.projection, business-count.repository and notice.repository.
 */
export const planTypes = {
  ONE_TIME: { ...pieces, cycle: "NEVER", prorated: false, kind: "ONCE" },
  FLAT: pieces,
  VOLUME_BASED: { ...pieces, cycle: "OPTIONAL", pricedByVolume: true },
  BUNDLE: { ...pieces, cycle: "OPTIONAL", kind: "BUNDLE", hasMembers: true },
  UNIT_BASED: {
    ...pieces,
    metered: "ACCOUNTS",
    quota: "CARRIED_OVER",
    changedBy: "QUOTA",
    kind: "ACCOUNTS",
  },
  USAGE_BASED: {
    ...pieces,
    metered: "USAGE",
    prorated: false,
    quota: "PER_PERIOD",
    changedBy: "QUOTA",
    kind: "USAGE",
    chargedInBundles: true,
  },
} as const satisfies Record<PricePlanType, PlanTypeRules>;

type PlanTypes = typeof planTypes;

/** The types that meter units. */
export type MeteredType = { [T in PricePlanType]: PlanTypes[T]["metered"] extends null ? never : T }[PricePlanType];

export const isMeteredType = (type: PricePlanType): type is MeteredType => planTypes[type].metered !== null;
