import { invalid, Refusal } from "../kernel/refusals.ts";
import { group } from "../kernel/group-by.ts";
import type { CombinationRecord, OfferRepository, OptionRecord, ProductRecord } from "./offer.repository.ts";
import { choiceKey } from "./product.options.ts";
import { productStatesOf } from "./product.states.ts";

/** So many of a product, with the options that were chosen. */
export interface StockLine {
  productId: number;
  optionIds: readonly number[];
  quantity: number;
  /** How a refusal names what of the request wants it: `items[0]`. */
  path?: string;
  /** The field of the line that says how much is ordered. */
  quantityName?: string;
}

/** What is taken of a product, or given back; it is written once all of it is known to be possible. */
interface ProductChange {
  vendorId: number;
  product: ProductRecord;
  lines: readonly StockLine[];
  sign: 1 | -1;
  writes: (() => Promise<void>)[];
}

/** Takes stock and gives it back. Products are held in the order of their numbers, so that orders never wait crosswise. */
export class StockService {
  constructor(private readonly offers: OfferRepository) {}

  /** @throws a Refusal OUT_OF_STOCK where there is less than is wanted, of a combination also where it is gone; nothing is taken then. */
  async take(vendorId: number, lines: readonly StockLine[]): Promise<void> {
    await this.change(vendorId, lines, -1);
  }

  /** Takes stock if there is enough of all, else none. @returns whether it was taken. */
  async takeIfThere(vendorId: number, lines: readonly StockLine[]): Promise<boolean> {
    try {
      await this.take(vendorId, lines);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === "OUT_OF_STOCK") return false;
      throw error;
    }
  }

  async giveBack(vendorId: number, lines: readonly StockLine[]): Promise<void> {
    await this.change(vendorId, lines, 1);
  }

  /** Brings the state of a product that is held in line with a stock that was set. */
  async settle(vendorId: number, product: ProductRecord): Promise<void> {
    const combinations = product.useCombination ? await this.offers.combinationsOf(vendorId, [product.id]) : [];
    const isOut = product.useCombination ? areOut(combinations) : product.quantity === 0;
    const status = statusOf(product, isOut);
    if (status !== product.status) await this.offers.changeStock(vendorId, product.id, { status });
  }

  private async change(vendorId: number, lines: readonly StockLine[], sign: 1 | -1): Promise<void> {
    const productIds = [...new Set(lines.map(({ productId }) => productId))];
    if (productIds.length === 0) return;
    const products = await this.offers.lock(vendorId, productIds);
    const options = group(await this.offers.optionsOf(vendorId, productIds), ({ productId }) => productId);
    const combinations = group(await this.offers.combinationsOf(vendorId, productIds), ({ productId }) => productId);
    const writes: (() => Promise<void>)[] = [];
    for (const product of products) {
      const own = lines.filter(({ productId }) => productId === product.id);
      const change = { vendorId, product, lines: own, sign, writes };
      if (product.useCombination) this.changeCombinations(change, combinations.get(product.id) ?? []);
      else this.changeProduct(change, options.get(product.id) ?? []);
    }
    for (const write of writes) await write();
  }

  private changeProduct({ vendorId, product, lines, sign, writes }: ProductChange, options: readonly OptionRecord[]) {
    for (const option of options) {
      const own = lines.filter(({ optionIds }) => optionIds.includes(option.id));
      if (option.quantity === null || own.length === 0) continue;
      const by = left(option.quantity, own, sign, `${product.name} (${option.name})`) - option.quantity;
      writes.push(() => this.offers.changeOptionStock(vendorId, option.id, by));
    }
    if (product.quantity === null) return;
    const quantity = left(product.quantity, lines, sign, product.name);
    const status = statusOf(product, quantity === 0);
    writes.push(() => this.offers.changeStock(vendorId, product.id, { quantity, status }));
  }

  /** Each combination has its stock; what was bought without a choice is taken from that of the product, if it has one. */
  private changeCombinations(change: ProductChange, combinations: readonly CombinationRecord[]) {
    const { vendorId, product, lines, sign, writes } = change;
    const chosen = group(lines, ({ optionIds }) => choiceKey(optionIds));
    const after: CombinationRecord[] = [];
    for (const combination of combinations) {
      const own = chosen.get(choiceKey(combination.optionIds)) ?? [];
      chosen.delete(choiceKey(combination.optionIds));
      after.push(this.changeCombination({ ...change, lines: own }, combination));
    }
    const unchosen = chosen.get("") ?? [];
    chosen.delete("");
    // What is given back of a combination that is gone has no stock to return to.
    const [gone] = [...chosen.values()].flat();
    if (gone && sign < 0) throw outOfStock(`${product.name}: it is no longer made so.`, gone.path, "optionIds");
    const quantity = product.quantity === null ? null : left(product.quantity, unchosen, sign, product.name);
    const status = statusOf(product, areOut(after));
    writes.push(() => this.offers.changeStock(vendorId, product.id, { quantity, status }));
  }

  private changeCombination(
    { vendorId, product: { name }, lines, sign, writes }: ProductChange,
    combination: CombinationRecord,
  ): CombinationRecord {
    if (combination.quantity === null || lines.length === 0) return combination;
    const quantity = left(combination.quantity, lines, sign, name);
    // One that the merchant took from sale stays so.
    const status = combination.status === "UNSOLD" ? "UNSOLD" : quantity === 0 ? "OUT_OF_STOCK" : "SALE";
    writes.push(() => this.offers.changeCombinationStock(vendorId, combination, { quantity, status }));
    return { ...combination, quantity, status };
  }
}

/** A product is out once no combination that is on sale has any left. */
function areOut(combinations: readonly CombinationRecord[]): boolean {
  const offered = combinations.filter(({ status }) => status !== "UNSOLD");
  return offered.length > 0 && offered.every(({ quantity }) => quantity === 0);
}

/** What is left of a stock. @throws a Refusal OUT_OF_STOCK where that is less than nothing. */
function left(stock: number, lines: readonly StockLine[], sign: 1 | -1, name: string): number {
  const after = stock + sign * lines.reduce((sum, { quantity }) => sum + quantity, 0);
  if (after >= 0) return after;
  const few = `There are only ${stock} left of ${name}; order fewer, or wait until there are more.`;
  throw outOfStock(few, lines[0]!.path, lines[0]!.quantityName ?? "minimumQuantity");
}

/** Only what is on sale runs out of stock, and only what ran out comes back. */
function statusOf({ status, type }: ProductRecord, isOut: boolean): ProductRecord["status"] {
  const states = productStatesOf(type);
  if (status === "SALE" && isOut) return states.move(status, "sellOut");
  if (status === "OUT_OF_STOCK" && !isOut) return states.move(status, "restockProduct");
  return status;
}

const outOfStock = (message: string, path: string | undefined, field: string) =>
  invalid(
    "OUT_OF_STOCK",
    message,
    path === undefined ? undefined : { fields: [{ path: `${path}.${field}`, code: "INVALID_VALUE", message }] },
  );
