import { ZERO } from "../kernel/amounts.ts";
import { invalidFields } from "../kernel/refusals.ts";
import { group } from "../kernel/group-by.ts";
import type { OfferRepository, ProductRecord } from "./offer.repository.ts";
import type { ProductOptionsRepository } from "./product-options.repository.ts";
import {
  combined,
  idFaults,
  optionFaults,
  type CombinationFields,
  type NamedOptions,
  type OptionFields,
  type OptionGroupFields,
} from "./product.options.ts";

/** What is told of a product's options; what is absent stays. */
export interface ProductChoices {
  optionGroups?: readonly OptionGroupFields[] | null;
  optionCombinations?: readonly CombinationFields[] | null;
}

/** Keeps the options of products, and their combinations. The product is held. */
export class ProductOptionsService {
  constructor(
    private readonly options: ProductOptionsRepository,
    private readonly offers: OfferRepository,
  ) {}

  /** Sets the options of a product that is as it is to be otherwise. @throws a Refusal INVALID_ARGUMENT. */
  async set(
    vendorId: number,
    { id, useCombination }: ProductRecord,
    { optionGroups, optionCombinations }: ProductChoices,
  ): Promise<void> {
    if (!useCombination && optionCombinations?.length)
      throw invalidFields([
        { path: "optionCombinations", code: "INVALID_VALUE", message: "go with useCombination only." },
      ]);
    const known = await this.known(vendorId, id);
    if (optionGroups) await this.replace(vendorId, id, known, optionGroups);
    else if (!useCombination) await this.options.setCombinations(vendorId, id, []);
    if (!useCombination) return;
    if (optionCombinations) await this.combine(vendorId, id, optionCombinations);
    else if (optionGroups || (await this.offers.combinationsOf(vendorId, [id])).length === 0)
      throw invalidFields([
        { path: "optionCombinations", code: "REQUIRED", message: "are needed where combinations are used." },
      ]);
  }

  /** The groups with their options, in order. */
  private async known(vendorId: number, productId: number): Promise<Map<number, NamedOptions>> {
    const groups = await this.options.groupsOf(vendorId, productId);
    const options = group(await this.offers.optionsOf(vendorId, [productId]), ({ groupId }) => groupId);
    return new Map(groups.map(({ id }) => [id, options.get(id) ?? []]));
  }

  private async replace(
    vendorId: number,
    productId: number,
    known: ReadonlyMap<number, NamedOptions>,
    groups: readonly OptionGroupFields[],
  ): Promise<void> {
    const faults = [...optionFaults(groups), ...idFaults(groups, known)];
    if (faults.length > 0) throw invalidFields(faults);
    // A combination is of options that may go.
    await this.options.setCombinations(vendorId, productId, []);
    if (known.size > 0)
      await this.options.vacate(vendorId, [...known.keys()], {
        groups: groups.flatMap(({ id }) => id ?? []),
        options: groups.flatMap(({ options }) => options.flatMap(({ id }) => id ?? [])),
      });
    let parents = new Map<string, number>();
    for (const [depth, { id, name, options }] of groups.entries()) {
      const groupId = id ?? (await this.options.addGroup(vendorId, productId, { name, depth }));
      if (id != null) await this.options.changeGroup(vendorId, id, { name, depth });
      parents = await this.setOptions(vendorId, groupId, options, parents);
    }
  }

  /** The numbers of the options by their names, under which those of the next group can stand. */
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
      parentId: parent == null ? null : parents.get(parent)!,
    }));
    for (const { id, ...option } of values) if (id != null) await this.options.changeOption(vendorId, id, option);
    const added = await this.options.addOptions(
      vendorId,
      groupId,
      values.filter(({ id }) => id == null).map(({ id: _, ...option }) => option),
    );
    return new Map(
      values.map(({ id, name, position }) => [name, id ?? added.find((row) => row.position === position)!.id]),
    );
  }

  private async combine(
    vendorId: number,
    productId: number,
    combinations: readonly CombinationFields[],
  ): Promise<void> {
    const { faults, optionIds } = combined(combinations, [...(await this.known(vendorId, productId)).values()]);
    if (faults.length > 0) throw invalidFields(faults);
    await this.options.setCombinations(
      vendorId,
      productId,
      combinations.map(({ quantity, price, status }, index) => ({
        optionIds: optionIds[index]!,
        status: status === "UNSOLD" ? status : quantity === 0 ? "OUT_OF_STOCK" : "SALE",
        quantity: quantity ?? null,
        price: price ?? ZERO,
      })),
    );
  }
}
