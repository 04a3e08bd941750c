import type { EventService } from "../events/event.service.ts";
import { invalid, Refusal } from "../kernel/refusals.ts";
import { groupBy } from "../kernel/group-by.ts";
import { firstOf } from "../kernel/required-values.ts";
import type { CombinationRecord, OfferRepository, OptionRecord, ProductRecord } from "./offer.repository.ts";
import { toProductUpdatedEvent } from "./product.events.ts";
import { optionChoiceKey } from "./product.options.ts";
import { productStatesOf } from "./product.states.ts";

/** So many of a product, with the options that were chosen. */
export interface StockLine {
  productId: number;
  optionIds: readonly number[];
  quantity: number;
  /** The path of the line in the request, for a refusal: `items[0]`. */
  path?: string;
  /** The field of the line with the ordered quantity. */
  quantityName?: string;
}

/** A change of a product's stock; it is written after all changes are known to be possible. */
interface StockChange {
  vendorId: number;
  product: ProductRecord;
  lines: readonly StockLine[];
  sign: 1 | -1;
  writes: (() => Promise<void>)[];
}

/** Takes and returns stock. Products whose stock is counted are locked in the order of their numbers, so that orders cannot deadlock. */
export class StockService {
  constructor(
    private readonly deps: {
      offerRepository: OfferRepository;
      events: EventService;
    },
  ) {}

  /**
   * @throws a Refusal OUT_OF_STOCK if the stock is insufficient, or a combination was deleted; no stock is taken then.
   */
  async takeStock(vendorId: number, lines: readonly StockLine[]): Promise<void> {
    await this.changeStock(vendorId, lines, -1);
  }

  /** Takes stock if there is enough of all, else none. @returns whether it was taken. */
  async takeIfAvailable(vendorId: number, lines: readonly StockLine[]): Promise<boolean> {
    try {
      await this.takeStock(vendorId, lines);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === "OUT_OF_STOCK") return false;
      throw error;
    }
  }

  async returnToStock(vendorId: number, lines: readonly StockLine[]): Promise<void> {
    await this.changeStock(vendorId, lines, 1);
  }

  /** Updates the status of a locked product after its stock was set. */
  async syncStatus(vendorId: number, product: ProductRecord): Promise<void> {
    const combinations = product.useCombination
      ? await this.deps.offerRepository.combinationsOf(vendorId, [product.id])
      : [];
    const isOut = product.useCombination ? areSoldOut(combinations) : product.quantity === 0;
    const status = stockStatusOf(product, isOut);
    if (status !== product.status) await this.saveStock(vendorId, product, { status });
  }

  private async changeStock(vendorId: number, lines: readonly StockLine[], sign: 1 | -1): Promise<void> {
    const orderedIds = [...new Set(lines.map(({ productId }) => productId))];
    if (orderedIds.length === 0) return;
    const products = await this.deps.offerRepository.lockCounted(vendorId, orderedIds);
    if (products.length === 0) return;
    const productIds = products.map(({ id }) => id);
    const options = groupBy(
      await this.deps.offerRepository.optionsOf(vendorId, productIds),
      ({ productId }) => productId,
    );
    const combinations = groupBy(
      await this.deps.offerRepository.combinationsOf(vendorId, productIds),
      ({ productId }) => productId,
    );
    const writes: (() => Promise<void>)[] = [];
    for (const product of products) {
      const productLines = lines.filter(({ productId }) => productId === product.id);
      const change = { vendorId, product, lines: productLines, sign, writes };
      if (product.useCombination) this.changeCombinations(change, combinations.get(product.id) ?? []);
      else this.changeProduct(change, options.get(product.id) ?? []);
    }
    for (const write of writes) await write();
  }

  private changeProduct({ vendorId, product, lines, sign, writes }: StockChange, options: readonly OptionRecord[]) {
    for (const option of options) {
      const optionLines = lines.filter(({ optionIds }) => optionIds.includes(option.id));
      if (option.quantity === null || optionLines.length === 0) continue;
      const difference =
        remainingStock(option.quantity, optionLines, sign, `${product.name} (${option.name})`) - option.quantity;
      writes.push(() => this.deps.offerRepository.adjustOptionStock(vendorId, option.id, difference));
    }
    if (product.quantity === null) return;
    const quantity = remainingStock(product.quantity, lines, sign, product.name);
    const status = stockStatusOf(product, quantity === 0);
    writes.push(() => this.saveStock(vendorId, product, { quantity, status }));
  }

  /** Saves the stock of a product, and records that it sold out or is available again. */
  private async saveStock(
    vendorId: number,
    product: ProductRecord,
    values: Pick<ProductRecord, "status"> & Partial<Pick<ProductRecord, "quantity">>,
  ): Promise<void> {
    await this.deps.offerRepository.updateStock(vendorId, product.id, values);
    if (values.status === product.status) return;
    const trigger = values.status === "OUT_OF_STOCK" ? "sellOut" : "restockProduct";
    await this.deps.events.recordModuleEvents(
      vendorId,
      toProductUpdatedEvent({ ...product, ...values }, trigger, product.status, "SYSTEM"),
    );
  }

  /** Each combination has its stock; what was bought without a choice is taken from that of the product, if it has one. */
  private changeCombinations(change: StockChange, combinations: readonly CombinationRecord[]) {
    const { vendorId, product, lines, sign, writes } = change;
    const linesByChoice = groupBy(lines, ({ optionIds }) => optionChoiceKey(optionIds));
    const after: CombinationRecord[] = [];
    for (const combination of combinations) {
      const combinationLines = linesByChoice.get(optionChoiceKey(combination.optionIds)) ?? [];
      linesByChoice.delete(optionChoiceKey(combination.optionIds));
      after.push(this.changeCombination({ ...change, lines: combinationLines }, combination));
    }
    const unchosen = linesByChoice.get("") ?? [];
    linesByChoice.delete("");
    // Returned units of a deleted combination have no stock to return to.
    const [unavailable] = [...linesByChoice.values()].flat();
    if (unavailable && sign < 0)
      throw outOfStock(
        `${product.name}: this combination of options is not offered any more.`,
        unavailable.path,
        "optionIds",
      );
    const quantity = product.quantity === null ? null : remainingStock(product.quantity, unchosen, sign, product.name);
    const status = stockStatusOf(product, areSoldOut(after));
    writes.push(() => this.saveStock(vendorId, product, { quantity, status }));
  }

  private changeCombination(
    { vendorId, product: { name }, lines, sign, writes }: StockChange,
    combination: CombinationRecord,
  ): CombinationRecord {
    if (combination.quantity === null || lines.length === 0) return combination;
    const quantity = remainingStock(combination.quantity, lines, sign, name);
    // One that the merchant took from sale stays so.
    const status = combination.status === "UNSOLD" ? "UNSOLD" : quantity === 0 ? "OUT_OF_STOCK" : "SALE";
    writes.push(() => this.deps.offerRepository.updateCombinationStock(vendorId, combination, { quantity, status }));
    return { ...combination, quantity, status };
  }
}

/** A product is sold out if no combination on sale has stock. */
function areSoldOut(combinations: readonly CombinationRecord[]): boolean {
  const offered = combinations.filter(({ status }) => status !== "UNSOLD");
  return offered.length > 0 && offered.every(({ quantity }) => quantity === 0);
}

/** The remaining stock. @throws a Refusal OUT_OF_STOCK if it would be negative. */
function remainingStock(stock: number, lines: readonly StockLine[], sign: 1 | -1, name: string): number {
  const after = stock + sign * lines.reduce((sum, { quantity }) => sum + quantity, 0);
  if (after >= 0) return after;
  const shortageMessage = `Only ${stock} of ${name} are in stock; order a smaller quantity, or wait until stock is added.`;
  throw outOfStock(shortageMessage, firstOf(lines).path, firstOf(lines).quantityName ?? "minimumQuantity");
}

/** Only a product on sale runs out of stock, and only one that ran out becomes available again. */
function stockStatusOf({ status, type }: ProductRecord, isOut: boolean): ProductRecord["status"] {
  const states = productStatesOf(type);
  if (status === "SALE" && isOut) return states.transition(status, "sellOut");
  if (status === "OUT_OF_STOCK" && !isOut) return states.transition(status, "restockProduct");
  return status;
}

const outOfStock = (message: string, path: string | undefined, field: string) =>
  invalid(
    "OUT_OF_STOCK",
    message,
    path === undefined ? undefined : { fields: [{ path: `${path}.${field}`, code: "INVALID_VALUE", message }] },
  );
