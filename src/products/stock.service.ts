import { invalid } from "../kernel/errors.ts";
import { group } from "../kernel/group.ts";
import type { CombinationRecord, OfferRepository, OptionRecord, ProductRecord } from "./offer.repository.ts";
import { productStatesOf } from "./product.states.ts";

/** So many of a product, with the options that were chosen. */
export interface StockLine {
  productId: number;
  optionIds: readonly number[];
  quantity: number;
}

/** Takes stock and gives it back. Products are held in the order of their numbers, so that orders never wait crosswise. */
export class StockService {
  constructor(private readonly offers: OfferRepository) {}

  /** @throws a Refusal OUT_OF_STOCK where there is less than is wanted; nothing is taken then. */
  async take(vendorId: number, lines: readonly StockLine[]): Promise<void> {
    await this.change(vendorId, lines, -1);
  }

  async giveBack(vendorId: number, lines: readonly StockLine[]): Promise<void> {
    await this.change(vendorId, lines, 1);
  }

  /** Brings the state of a product that is held in line with a stock that was set. */
  async settle(vendorId: number, product: ProductRecord): Promise<void> {
    const combinations = product.useCombination ? await this.offers.combinationsOf(vendorId, [product.id]) : [];
    const isOut = product.useCombination
      ? areOut(combinations.map(({ quantity }) => quantity))
      : product.quantity === 0;
    const status = statusOf(product, isOut);
    if (status !== product.status) await this.offers.changeStock(vendorId, product.id, { status });
  }

  private async change(vendorId: number, lines: readonly StockLine[], sign: 1 | -1): Promise<void> {
    const productIds = [...new Set(lines.map(({ productId }) => productId))];
    if (productIds.length === 0) return;
    const products = await this.offers.lock(vendorId, productIds);
    const options = group(await this.offers.optionsOf(vendorId, productIds), ({ productId }) => productId);
    const combinations = group(await this.offers.combinationsOf(vendorId, productIds), ({ productId }) => productId);
    for (const product of products) {
      const own = lines.filter(({ productId }) => productId === product.id);
      if (product.useCombination)
        await this.changeCombinations(vendorId, product, combinations.get(product.id) ?? [], own, sign);
      else await this.changeProduct(vendorId, product, options.get(product.id) ?? [], own, sign);
    }
  }

  private async changeProduct(
    vendorId: number,
    product: ProductRecord,
    options: readonly OptionRecord[],
    lines: readonly StockLine[],
    sign: 1 | -1,
  ): Promise<void> {
    for (const option of options) {
      const by = sign * quantityOf(lines.filter(({ optionIds }) => optionIds.includes(option.id)));
      if (option.quantity === null || by === 0) continue;
      if (option.quantity + by < 0) throw outOfStock(`${product.name} (${option.name})`, option.quantity);
      await this.offers.changeOptionStock(vendorId, option.id, by);
    }
    if (product.quantity === null) return;
    const quantity = product.quantity + sign * quantityOf(lines);
    if (quantity < 0) throw outOfStock(product.name, product.quantity);
    await this.offers.changeStock(vendorId, product.id, { quantity, status: statusOf(product, quantity === 0) });
  }

  private async changeCombinations(
    vendorId: number,
    product: ProductRecord,
    combinations: readonly CombinationRecord[],
    lines: readonly StockLine[],
    sign: 1 | -1,
  ): Promise<void> {
    const after = await Promise.all(
      combinations.map(async (combination) => {
        const own = lines.filter(({ optionIds }) => optionIds.join() === combination.optionIds.join());
        if (combination.quantity === null || own.length === 0) return combination.quantity;
        const quantity = combination.quantity + sign * quantityOf(own);
        if (quantity < 0) throw outOfStock(product.name, combination.quantity);
        const status = quantity === 0 ? "OUT_OF_STOCK" : "SALE";
        await this.offers.changeCombinationStock(vendorId, combination, { quantity, status });
        return quantity;
      }),
    );
    await this.offers.changeStock(vendorId, product.id, { status: statusOf(product, areOut(after)) });
  }
}

const areOut = (quantities: readonly (number | null)[]): boolean =>
  quantities.length > 0 && quantities.every((quantity) => quantity === 0);

const quantityOf = (lines: readonly StockLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** Only what is on sale runs out of stock, and only what ran out comes back. */
function statusOf({ status, type }: ProductRecord, isOut: boolean): ProductRecord["status"] {
  const states = productStatesOf(type);
  if (status === "SALE" && isOut) return states.move(status, "sellOut");
  if (status === "OUT_OF_STOCK" && !isOut) return states.move(status, "restockProduct");
  return status;
}

const outOfStock = (name: string, left: number) =>
  invalid("OUT_OF_STOCK", `There are only ${left} left of ${name}; order fewer, or wait until there are more.`);
