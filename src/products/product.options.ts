import type { ProductStatus } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import type { FieldError } from "../kernel/refusals.ts";
import { getOrThrow, itemAt } from "../kernel/required-values.ts";

/** A merchant's input for an option; `id` identifies one that stays. */
export interface OptionFields {
  id?: number | null;
  name: string;
  price?: Amount | null;
  quantity?: number | null;
  /** Name of the option of the group before, under which alone it can be chosen. */
  parent?: string | null;
}

/** A merchant's input for a group of options; `id` identifies one that stays. */
export interface OptionGroupFields {
  id?: number | null;
  name: string;
  options: readonly OptionFields[];
}

/** The key of a choice of options. It ignores their order, because groups can be reordered. */
export const optionChoiceKey = (optionIds: readonly number[]): string => [...optionIds].sort((a, b) => a - b).join();

/** A merchant's input for a combination, by the names of its options. */
export interface CombinationFields {
  options: readonly string[];
  quantity?: number | null;
  price?: Amount | null;
  status?: ProductStatus | null;
}

/** The options of a group as they are stored. */
export type StoredOptions = readonly { id: number; name: string; parentId: number | null }[];

const MAX_OPTION_GROUPS = 10;
const MAX_GROUP_OPTIONS = 100;
const MAX_COMBINATIONS = 1_000;

const invalidValue = (path: string, message: string): FieldError => ({ path, code: "INVALID_VALUE", message });

/** The values that occur more than once, by their places after the first. */
export const duplicateIndexes = (values: readonly unknown[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));

/** Validates groups of options, independent of the product's other fields. */
export function validateOptionGroups(groups: readonly OptionGroupFields[]): FieldError[] {
  if (groups.length > MAX_OPTION_GROUPS)
    return [invalidValue("optionGroups", `must have at most ${MAX_OPTION_GROUPS} entries.`)];
  return groups.flatMap(({ options }, depth) => {
    const path = `optionGroups[${depth}].options`;
    if (options.length < 1 || options.length > MAX_GROUP_OPTIONS)
      return [invalidValue(path, `must have 1 to ${MAX_GROUP_OPTIONS} entries.`)];
    const before = new Set(groups[depth - 1]?.options.map(({ name }) => name));
    return [
      ...duplicateIndexes(options.map(({ name }) => name)).map((index) =>
        invalidValue(`${path}[${index}].name`, "must be unique: another option of the group has this name."),
      ),
      ...options.flatMap(({ parent }, index) =>
        parent != null && !before.has(parent)
          ? [invalidValue(`${path}[${index}].parent`, "must be the name of an option of the previous group.")]
          : [],
      ),
    ];
  });
}

/** Validates the ids of groups and options, which must be those of the product. */
export function validateOptionIds(
  groups: readonly OptionGroupFields[],
  storedGroups: ReadonlyMap<number, StoredOptions>,
): FieldError[] {
  const unknown = (path: string, noun: string): FieldError => ({
    path,
    code: "NOT_FOUND",
    message: `There is no ${noun} with this id.`,
  });
  const duplicateErrors = duplicateIndexes(groups.map(({ id }, depth) => id ?? -depth)).map((depth) =>
    invalidValue(`optionGroups[${depth}].id`, "has the same group twice."),
  );
  const others = groups.flatMap(({ id, options }, depth) => {
    const path = `optionGroups[${depth}]`;
    if (id != null && !storedGroups.has(id)) return [unknown(`${path}.id`, "option group")];
    const own = new Set(id == null ? [] : getOrThrow(storedGroups, id).map((option) => option.id));
    const ids = options.map((option, index) => option.id ?? -index);
    return [
      ...options.flatMap((option, index) =>
        option.id != null && !own.has(option.id) ? [unknown(`${path}.options[${index}].id`, "option")] : [],
      ),
      ...duplicateIndexes(ids).map((index) =>
        invalidValue(`${path}.options[${index}].id`, "has the same option twice."),
      ),
    ];
  });
  return [...duplicateErrors, ...others];
}

/**
 * The combinations by the numbers of their options, in the order of the groups. Impossible ones become validation
 * errors.
 */
export function resolveCombinations(
  combinations: readonly CombinationFields[],
  groups: readonly StoredOptions[],
): { faults: FieldError[]; optionIds: number[][] } {
  if (combinations.length < 1 || combinations.length > MAX_COMBINATIONS)
    return {
      faults: [invalidValue("optionCombinations", `must have 1 to ${MAX_COMBINATIONS} entries.`)],
      optionIds: [],
    };
  const resolved = combinations.map(({ options }) => {
    if (options.length !== groups.length) return null;
    const chosen = options.map((name, depth) => itemAt(groups, depth).find((option) => option.name === name));
    const isPath = chosen.every(
      (option, depth) => option && (option.parentId === null || option.parentId === chosen[depth - 1]?.id),
    );
    return isPath ? chosen.flatMap((option) => option?.id ?? []) : null;
  });
  const path = (index: number) => `optionCombinations[${index}].options`;
  const errors = [
    ...combinations.flatMap(({ status }, index) =>
      status == null || status === "SALE" || status === "UNSOLD"
        ? []
        : [
            invalidValue(
              `optionCombinations[${index}].status`,
              "must be SALE or UNSOLD; the other states are set automatically.",
            ),
          ],
    ),
    ...resolved.flatMap((ids, index) =>
      ids
        ? []
        : [
            invalidValue(
              path(index),
              "must be names of options that can be combined: one of each group, in the order of the groups.",
            ),
          ],
    ),
    ...duplicateIndexes(resolved.map((ids, index) => ids?.join() ?? `none ${index}`)).map((index) =>
      invalidValue(path(index), "must be unique: another combination has the same options."),
    ),
  ];
  return { faults: errors, optionIds: resolved.map((ids) => ids ?? []) };
}
