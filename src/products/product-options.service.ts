import { ZERO } from "../kernel/amounts.ts";
import { invalidFields } from "../kernel/refusals.ts";
import { groupBy } from "../kernel/group-by.ts";
import { getOrThrow, itemAt } from "../kernel/required-values.ts";
import type { OfferRepository, ProductRecord } from "./offer.repository.ts";
import type { ProductOptionsRepository } from "./product-options.repository.ts";
import {
  resolveCombinations,
  validateOptionIds,
  validateOptionGroups,
  type CombinationFields,
  type StoredOptions,
  type OptionFields,
  type OptionGroupFields,
} from "./product.options.ts";

/** The input for a product's options; absent fields stay unchanged. */
export interface ProductOptionFields {
  optionGroups?: readonly OptionGroupFields[] | null;
  optionCombinations?: readonly CombinationFields[] | null;
}

/** Saves the options of products, and their combinations. The caller has locked the product. */
export class ProductOptionsService {
  constructor(
    private readonly deps: {
      productOptionsRepository: ProductOptionsRepository;
      offerRepository: OfferRepository;
    },
  ) {}

  /** Sets the options of a product that is as it is to be otherwise. @throws a Refusal INVALID_ARGUMENT. */
  async setProductOptions(
    vendorId: number,
    { id, useCombination }: ProductRecord,
    { optionGroups, optionCombinations }: ProductOptionFields,
  ): Promise<void> {
    if (!useCombination && optionCombinations?.length)
      throw invalidFields([
        { path: "optionCombinations", code: "INVALID_VALUE", message: "can be used only with useCombination." },
      ]);
    const groups = await this.loadGroups(vendorId, id);
    if (optionGroups) await this.replaceGroups(vendorId, id, groups, optionGroups);
    else if (!useCombination) await this.deps.productOptionsRepository.setCombinations(vendorId, id, []);
    if (!useCombination) return;
    if (optionCombinations) await this.saveCombinations(vendorId, id, optionCombinations);
    else if (optionGroups || (await this.deps.offerRepository.combinationsOf(vendorId, [id])).length === 0)
      throw invalidFields([
        { path: "optionCombinations", code: "REQUIRED", message: "are required if useCombination is true." },
      ]);
  }

  /** The groups with their options, in order. */
  private async loadGroups(vendorId: number, productId: number): Promise<Map<number, StoredOptions>> {
    const groups = await this.deps.productOptionsRepository.groupsOf(vendorId, productId);
    const options = groupBy(await this.deps.offerRepository.optionsOf(vendorId, [productId]), ({ groupId }) => groupId);
    return new Map(groups.map(({ id }) => [id, options.get(id) ?? []]));
  }

  private async replaceGroups(
    vendorId: number,
    productId: number,
    known: ReadonlyMap<number, StoredOptions>,
    groups: readonly OptionGroupFields[],
  ): Promise<void> {
    const errors = [...validateOptionGroups(groups), ...validateOptionIds(groups, known)];
    if (errors.length > 0) throw invalidFields(errors);
    // A combination is of options that may go.
    await this.deps.productOptionsRepository.setCombinations(vendorId, productId, []);
    if (known.size > 0)
      await this.deps.productOptionsRepository.deleteExcept(vendorId, [...known.keys()], {
        groups: groups.flatMap(({ id }) => id ?? []),
        options: groups.flatMap(({ options }) => options.flatMap(({ id }) => id ?? [])),
      });
    let parents = new Map<string, number>();
    for (const [depth, { id, name, options }] of groups.entries()) {
      const groupId = id ?? (await this.deps.productOptionsRepository.addGroup(vendorId, productId, { name, depth }));
      if (id != null) await this.deps.productOptionsRepository.updateGroup(vendorId, id, { name, depth });
      parents = await this.setOptions(vendorId, groupId, options, parents);
    }
  }

  /** Saves options; returns their numbers by name, so that options of the next group can depend on them. */
  private async setOptions(
    vendorId: number,
    groupId: number,
    options: readonly OptionFields[],
    parents: ReadonlyMap<string, number>,
  ): Promise<Map<string, number>> {
    const values = options.map(({ id, name, price, quantity, parent }, position) => ({
      id,
      position,
      name,
      price: price ?? ZERO,
      quantity: quantity ?? null,
      parentId: parent == null ? null : getOrThrow(parents, parent),
    }));
    for (const { id, ...option } of values)
      if (id != null) await this.deps.productOptionsRepository.updateOption(vendorId, id, option);
    const added = await this.deps.productOptionsRepository.addOptions(
      vendorId,
      groupId,
      values.filter(({ id }) => id == null).map(({ id: _, ...option }) => option),
    );
    const addedAt = new Map(added.map((row) => [row.position, row.id]));
    return new Map(values.map(({ id, name, position }) => [name, id ?? getOrThrow(addedAt, position)]));
  }

  private async saveCombinations(
    vendorId: number,
    productId: number,
    combinations: readonly CombinationFields[],
  ): Promise<void> {
    const { faults: errors, optionIds } = resolveCombinations(combinations, [
      ...(await this.loadGroups(vendorId, productId)).values(),
    ]);
    if (errors.length > 0) throw invalidFields(errors);
    await this.deps.productOptionsRepository.setCombinations(
      vendorId,
      productId,
      combinations.map(({ quantity, price, status }, index) => ({
        optionIds: itemAt(optionIds, index),
        status: status === "UNSOLD" ? status : quantity === 0 ? "OUT_OF_STOCK" : "SALE",
        quantity: quantity ?? null,
        price: price ?? ZERO,
      })),
    );
  }
}
