import type { ProductType, RecurringInterval } from "../../schema/vocabulary.ts";
import type { FieldError } from "../kernel/refusals.ts";
import { isLongerThan, MAX_YEARS } from "./price-plans/period.rules.ts";
import { duplicateIndexes } from "./product.options.ts";

/** The fields of a product that can contradict each other. */
interface CandidateProduct {
  type: ProductType;
  draftOf?: ProductType | null;
  enabledDemo?: boolean | null;
  demoPeriod?: number | null;
  demoPeriodUnit?: RecurringInterval | null;
}

/** The trial that a product offers; null where it offers none. */
export const trialOfProduct = ({ enabledDemo, demoPeriod, demoPeriodUnit }: Omit<CandidateProduct, "type">) =>
  enabledDemo && demoPeriod != null && demoPeriodUnit != null ? { num: demoPeriod, type: demoPeriodUnit } : null;

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

/** Validates a product in its future state. `hasParent`: whether its vendor is a child; only children have drafts. */
export function validateProduct(product: CandidateProduct, hasParent: boolean): FieldError[] {
  const { type, draftOf, enabledDemo, demoPeriod, demoPeriodUnit } = product;
  const isDraft = type === "DRAFT";
  return [
    ...(isDraft && !hasParent
      ? [invalidValue("type", "must not be DRAFT: only products of child vendors need approval.")]
      : []),
    ...(isDraft && draftOf == null ? [requiredValue("draftOf", "is required for a DRAFT.")] : []),
    ...(isDraft && draftOf != null && draftOf !== "BOX" && draftOf !== "SOFTWARE"
      ? [invalidValue("draftOf", "must be BOX or SOFTWARE.")]
      : []),
    ...(!isDraft && draftOf != null ? [invalidValue("draftOf", "can be used only with the type DRAFT.")] : []),
    ...(enabledDemo && demoPeriod == null ? [requiredValue("demoPeriod", "is required for a trial.")] : []),
    ...(enabledDemo && demoPeriodUnit == null ? [requiredValue("demoPeriodUnit", "is required for a trial.")] : []),
    ...(demoPeriod != null && demoPeriodUnit != null && isLongerThan(MAX_YEARS, demoPeriod, demoPeriodUnit)
      ? [invalidValue("demoPeriod", `must be at most ${MAX_YEARS} years in total.`)]
      : []),
  ];
}

/** Validates the sent lists. */
export function validateLists(type: ProductType, lists: ProductLists): FieldError[] {
  const { combinedProductIds, categories, availableRegions, eventBadge } = lists;
  const lengthErrors = Object.entries(MAX_LENGTHS).flatMap(([path, maxLength]) =>
    (lists[path as keyof typeof MAX_LENGTHS]?.length ?? 0) > maxLength
      ? [invalidValue(path, `must be at most ${maxLength}.`)]
      : [],
  );
  const duplicateErrors = Object.entries({ combinedProductIds, categories, availableRegions }).flatMap(
    ([path, values]) =>
      duplicateIndexes(values ?? []).map((index) =>
        invalidValue(`${path}[${index}]`, "must be unique: an earlier entry has the same value."),
      ),
  );
  const badgeErrors = (eventBadge ?? []).flatMap(({ startDateTime, endDateTime }, index) =>
    startDateTime && endDateTime && startDateTime > endDateTime
      ? [invalidValue(`eventBadge[${index}].endDateTime`, "must not be before startDateTime.")]
      : [],
  );
  const memberErrors =
    type !== "BUNDLE" && combinedProductIds?.length
      ? [invalidValue("combinedProductIds", "can be used only with a BUNDLE.")]
      : type === "BUNDLE" && combinedProductIds?.length === 0
        ? [requiredValue("combinedProductIds", "must have at least one entry.")]
        : [];
  return [...lengthErrors, ...duplicateErrors, ...badgeErrors, ...memberErrors];
}
