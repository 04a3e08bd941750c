import type { ProductType, RecurringInterval } from "../../schema/vocabulary.ts";
import type { FieldError } from "../kernel/refusals.ts";
import { isLongerThan, MAX_YEARS } from "./price-plans/period.rules.ts";
import { duplicateIndexes } from "./product.options.ts";

/** What a product is, as far as it can contradict itself. */
interface CandidateProduct {
  type: ProductType;
  draftOf?: ProductType | null;
  enabledDemo?: boolean | null;
  demoPeriod?: number | null;
  demoPeriodUnit?: RecurringInterval | null;
}

/** The lists that are sent of a product. */
interface ProductLists {
  imageUrls?: readonly unknown[] | null;
  categories?: readonly string[] | null;
  eventBadge?: readonly { startDateTime?: Date | null; endDateTime?: Date | null }[] | null;
  availableRegions?: readonly string[] | null;
  combinedProductIds?: readonly number[] | null;
}

const MAX_LENGTHS: Readonly<Record<"imageUrls" | "categories" | "eventBadge" | "combinedProductIds", number>> = {
  imageUrls: 50,
  categories: 20,
  eventBadge: 20,
  combinedProductIds: 50,
};

const invalidValue = (path: string, message: string): FieldError => ({ path, code: "INVALID_VALUE", message });
const requiredValue = (path: string, message: string): FieldError => ({ path, code: "REQUIRED", message });

/** What is wrong with a product as it would be. `hasParent`: whether its vendor is a child, which alone drafts. */
export function validateProduct(product: CandidateProduct, hasParent: boolean): FieldError[] {
  const { type, draftOf, enabledDemo, demoPeriod, demoPeriodUnit } = product;
  const isDraft = type === "DRAFT";
  return [
    ...(isDraft && !hasParent ? [invalidValue("type", "is for child vendors: nobody has to approve this one.")] : []),
    ...(isDraft && draftOf == null ? [requiredValue("draftOf", "is needed of a draft: what it is to be.")] : []),
    ...(isDraft && draftOf != null && draftOf !== "BOX" && draftOf !== "SOFTWARE"
      ? [invalidValue("draftOf", "must be BOX or SOFTWARE.")]
      : []),
    ...(!isDraft && draftOf != null ? [invalidValue("draftOf", "goes with the type DRAFT only.")] : []),
    ...(enabledDemo && demoPeriod == null ? [requiredValue("demoPeriod", "is needed for a trial.")] : []),
    ...(enabledDemo && demoPeriodUnit == null ? [requiredValue("demoPeriodUnit", "is needed for a trial.")] : []),
    ...(demoPeriod != null && demoPeriodUnit != null && isLongerThan(MAX_YEARS, demoPeriod, demoPeriodUnit)
      ? [invalidValue("demoPeriod", `must come to at most ${MAX_YEARS} years.`)]
      : []),
  ];
}

/** What is wrong with the lists that were sent. */
export function validateLists(type: ProductType, lists: ProductLists): FieldError[] {
  const { combinedProductIds, categories, availableRegions, eventBadge } = lists;
  const lengthErrors = Object.entries(MAX_LENGTHS).flatMap(([path, maxLength]) =>
    (lists[path as keyof typeof MAX_LENGTHS]?.length ?? 0) > maxLength
      ? [invalidValue(path, `must be at most ${maxLength}.`)]
      : [],
  );
  const duplicateErrors = Object.entries({ combinedProductIds, categories, availableRegions }).flatMap(
    ([path, values]) =>
      duplicateIndexes(values ?? []).map((index) => invalidValue(`${path}[${index}]`, "is there already.")),
  );
  const badgeErrors = (eventBadge ?? []).flatMap(({ startDateTime, endDateTime }, index) =>
    startDateTime && endDateTime && startDateTime > endDateTime
      ? [invalidValue(`eventBadge[${index}].endDateTime`, "must not be before startDateTime.")]
      : [],
  );
  const memberErrors =
    type !== "BUNDLE" && combinedProductIds?.length
      ? [invalidValue("combinedProductIds", "are for a BUNDLE only.")]
      : type === "BUNDLE" && combinedProductIds?.length === 0
        ? [requiredValue("combinedProductIds", "must be at least one.")]
        : [];
  return [...lengthErrors, ...duplicateErrors, ...badgeErrors, ...memberErrors];
}
