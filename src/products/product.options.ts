import type { ProductStatus } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import type { FieldFault } from "../kernel/refusals.ts";

/** An option as a merchant tells it; `id` names one that stays. */
export interface OptionFields {
  id?: number | null;
  name: string;
  price?: Amount | null;
  quantity?: number | null;
  /** Name of the option of the group before, under which alone it can be chosen. */
  parent?: string | null;
}

/** A group of options as a merchant tells it; `id` names one that stays. */
export interface OptionGroupFields {
  id?: number | null;
  name: string;
  options: readonly OptionFields[];
}

/** What tells a choice of options from others. Their order does not: groups can change places. */
export const choiceKey = (optionIds: readonly number[]): string => [...optionIds].sort((a, b) => a - b).join();

/** A combination as a merchant tells it, by the names of its options. */
export interface CombinationFields {
  options: readonly string[];
  quantity?: number | null;
  price?: Amount | null;
  status?: ProductStatus | null;
}

/** The options of a group as they are stored. */
export type NamedOptions = readonly { id: number; name: string; parentId: number | null }[];

const MOST_GROUPS = 10;
const MOST_OPTIONS = 100;
const MOST_COMBINATIONS = 1_000;

const wrong = (path: string, message: string): FieldFault => ({ path, code: "INVALID_VALUE", message });

/** The values that occur more than once, by their places after the first. */
export const repeated = (values: readonly unknown[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));

/** What is wrong with groups of options, whatever else the product has. */
export function optionFaults(groups: readonly OptionGroupFields[]): FieldFault[] {
  if (groups.length > MOST_GROUPS) return [wrong("optionGroups", `must have at most ${MOST_GROUPS} entries.`)];
  return groups.flatMap(({ options }, depth) => {
    const path = `optionGroups[${depth}].options`;
    if (options.length < 1 || options.length > MOST_OPTIONS)
      return [wrong(path, `must have 1 to ${MOST_OPTIONS} entries.`)];
    const before = new Set(groups[depth - 1]?.options.map(({ name }) => name));
    return [
      ...repeated(options.map(({ name }) => name)).map((index) =>
        wrong(`${path}[${index}].name`, "is the name of another option of the group."),
      ),
      ...options.flatMap(({ parent }, index) =>
        parent != null && !before.has(parent)
          ? [wrong(`${path}[${index}].parent`, "is not the name of an option of the group before.")]
          : [],
      ),
    ];
  });
}

/** What is wrong with the ids of groups and options, which name those of the product that stay. */
export function idFaults(groups: readonly OptionGroupFields[], known: ReadonlyMap<number, NamedOptions>): FieldFault[] {
  const unknown = (path: string, noun: string): FieldFault => ({
    path,
    code: "NOT_FOUND",
    message: `There is no ${noun} with this id.`,
  });
  const twice = repeated(groups.map(({ id }, depth) => id ?? -depth)).map((depth) =>
    wrong(`optionGroups[${depth}].id`, "names a group twice."),
  );
  const others = groups.flatMap(({ id, options }, depth) => {
    const path = `optionGroups[${depth}]`;
    if (id != null && !known.has(id)) return [unknown(`${path}.id`, "option group")];
    const own = new Set(id == null ? [] : known.get(id)!.map((option) => option.id));
    const ids = options.map((option, index) => option.id ?? -index);
    return [
      ...options.flatMap((option, index) =>
        option.id != null && !own.has(option.id) ? [unknown(`${path}.options[${index}].id`, "option")] : [],
      ),
      ...repeated(ids).map((index) => wrong(`${path}.options[${index}].id`, "names an option twice.")),
    ];
  });
  return [...twice, ...others];
}

/**
 * The combinations by the numbers of their options, in the order of the groups.
 * What cannot be is told as faults.
 */
export function combined(
  combinations: readonly CombinationFields[],
  groups: readonly NamedOptions[],
): { faults: FieldFault[]; optionIds: number[][] } {
  if (combinations.length < 1 || combinations.length > MOST_COMBINATIONS)
    return { faults: [wrong("optionCombinations", `must have 1 to ${MOST_COMBINATIONS} entries.`)], optionIds: [] };
  const found = combinations.map(({ options }) => {
    if (options.length !== groups.length) return null;
    const chosen = options.map((name, depth) => groups[depth]!.find((option) => option.name === name));
    const isWhole = chosen.every(
      (option, depth) => option && (option.parentId === null || option.parentId === chosen[depth - 1]?.id),
    );
    return isWhole ? chosen.map((option) => option!.id) : null;
  });
  const path = (index: number) => `optionCombinations[${index}].options`;
  const faults = [
    ...combinations.flatMap(({ status }, index) =>
      status == null || status === "SALE" || status === "UNSOLD"
        ? []
        : [wrong(`optionCombinations[${index}].status`, "must be SALE or UNSOLD; the others come by themselves.")],
    ),
    ...found.flatMap((ids, index) =>
      ids ? [] : [wrong(path(index), "must be names of options that go together, one of each group, in their order.")],
    ),
    ...repeated(found.map((ids, index) => ids?.join() ?? `none ${index}`)).map((index) =>
      wrong(path(index), "are those of another combination."),
    ),
  ];
  return { faults, optionIds: found.map((ids) => ids ?? []) };
}
