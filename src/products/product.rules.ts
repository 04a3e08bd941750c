import type { ProductType, RecurringInterval } from "../../schema/vocabulary.ts";
import type { FieldFault } from "../kernel/refusals.ts";
import { isLongerThan, MOST_YEARS } from "./price-plans/period.rules.ts";
import { repeated } from "./product.options.ts";

/** What a product is, as far as it can contradict itself. */
interface Product {
  type: ProductType;
  draftOf?: ProductType | null;
  enabledDemo?: boolean | null;
  demoPeriod?: number | null;
  demoPeriodUnit?: RecurringInterval | null;
}

/** The lists that are sent of a product. */
interface Lists {
  imageUrls?: readonly unknown[] | null;
  categories?: readonly string[] | null;
  eventBadge?: readonly { startDateTime?: Date | null; endDateTime?: Date | null }[] | null;
  availableRegions?: readonly string[] | null;
  combinedProductIds?: readonly number[] | null;
}

const MOST: Readonly<Record<"imageUrls" | "categories" | "eventBadge" | "combinedProductIds", number>> = {
  imageUrls: 50,
  categories: 20,
  eventBadge: 20,
  combinedProductIds: 50,
};

const wrong = (path: string, message: string): FieldFault => ({ path, code: "INVALID_VALUE", message });
const required = (path: string, message: string): FieldFault => ({ path, code: "REQUIRED", message });

/** What is wrong with a product as it would be. `hasParent`: whether its vendor is a child, which alone drafts. */
export function productFaults(product: Product, hasParent: boolean): FieldFault[] {
  const { type, draftOf, enabledDemo, demoPeriod, demoPeriodUnit } = product;
  const isDraft = type === "DRAFT";
  return [
    ...(isDraft && !hasParent ? [wrong("type", "is for child vendors: nobody has to approve this one.")] : []),
    ...(isDraft && draftOf == null ? [required("draftOf", "is needed of a draft: what it is to be.")] : []),
    ...(isDraft && draftOf != null && draftOf !== "BOX" && draftOf !== "SOFTWARE"
      ? [wrong("draftOf", "must be BOX or SOFTWARE.")]
      : []),
    ...(!isDraft && draftOf != null ? [wrong("draftOf", "goes with the type DRAFT only.")] : []),
    ...(enabledDemo && demoPeriod == null ? [required("demoPeriod", "is needed for a trial.")] : []),
    ...(enabledDemo && demoPeriodUnit == null ? [required("demoPeriodUnit", "is needed for a trial.")] : []),
    ...(demoPeriod != null && demoPeriodUnit != null && isLongerThan(MOST_YEARS, demoPeriod, demoPeriodUnit)
      ? [wrong("demoPeriod", `must come to at most ${MOST_YEARS} years.`)]
      : []),
  ];
}

/** What is wrong with the lists that were sent. */
export function listFaults(type: ProductType, lists: Lists): FieldFault[] {
  const { combinedProductIds, categories, availableRegions, eventBadge } = lists;
  const tooLong = Object.entries(MOST).flatMap(([path, most]) =>
    (lists[path as keyof typeof MOST]?.length ?? 0) > most ? [wrong(path, `must be at most ${most}.`)] : [],
  );
  const twice = Object.entries({ combinedProductIds, categories, availableRegions }).flatMap(([path, values]) =>
    repeated(values ?? []).map((index) => wrong(`${path}[${index}]`, "is there already.")),
  );
  const backwards = (eventBadge ?? []).flatMap(({ startDateTime, endDateTime }, index) =>
    startDateTime && endDateTime && startDateTime > endDateTime
      ? [wrong(`eventBadge[${index}].endDateTime`, "must not be before startDateTime.")]
      : [],
  );
  const members =
    type !== "BUNDLE" && combinedProductIds?.length
      ? [wrong("combinedProductIds", "are for a BUNDLE only.")]
      : type === "BUNDLE" && combinedProductIds?.length === 0
        ? [required("combinedProductIds", "must be at least one.")]
        : [];
  return [...tooLong, ...twice, ...backwards, ...members];
}
