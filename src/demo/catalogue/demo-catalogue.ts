import { eq } from "drizzle-orm";
import { pricePlans } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { invariant } from "../../kernel/refusals.ts";
import { group } from "../../kernel/group-by.ts";
import { OfferRepository, type CombinationRecord, type OptionRecord } from "../../products/offer.repository.ts";
import { OfferService, type Orderable } from "../../products/offer.service.ts";
import type { Calendar } from "../calendar.ts";

/** What a vendor sells, each with the options that can be chosen: all that the arithmetic of an order needs. */
export class Shelves {
  private constructor(private readonly offers: ReadonlyMap<string, Orderable[]>) {}

  static async of(handle: Handle, calendar: Calendar, vendorId: number): Promise<Shelves> {
    const repository = new OfferRepository(handle);
    const rows = await handle.select({ id: pricePlans.id }).from(pricePlans).where(eq(pricePlans.vendorId, vendorId));
    const ids = rows.map(({ id }) => id);
    const plans = await repository.offers(vendorId, ids);
    const productIds = plans.map(({ product }) => product.id);
    const options = group(await repository.optionsOf(vendorId, productIds), ({ productId }) => productId);
    const combinations = group(await repository.combinationsOf(vendorId, productIds), ({ productId }) => productId);
    const held = plans.flatMap(({ plan, product: { id, useCombination } }) => {
      const choices = useCombination ? inStock(combinations.get(id) ?? []) : pathsOf(options.get(id) ?? []);
      return choices.map((optionIds) => ({ priceId: plan.id, optionIds }));
    });
    const offers = group(
      await new OfferService(repository, calendar.present).sold(vendorId, held),
      ({ plan }) => plan.code,
    );
    for (const { bundlePlanId, plan } of await repository.membersOf(vendorId, ids)) {
      const bundle = [...offers.values()].flat().find((offer) => offer.plan.id === bundlePlanId)!;
      Object.assign(bundle, { members: [...bundle.members, offers.get(plan.code)![0]!] });
    }
    return new Shelves(offers);
  }

  /** A plan by the end of its code, `HouseBea1`; of its choices the one at a place that goes round. */
  of(end: string, choice = 0): Orderable {
    const choices = this.offers.get(`price_${end}`);
    invariant(choices, `the demo sells ${end}`);
    return choices[choice % choices.length]!;
  }
}

const inStock = (combinations: readonly CombinationRecord[]) =>
  combinations.filter(({ quantity }) => quantity !== 0).map(({ optionIds }) => optionIds);

/** The ways through the groups: an option that goes with one of the group before follows that one only. */
function pathsOf(options: readonly OptionRecord[]): number[][] {
  const depths = [...group(options, ({ depth }) => depth).entries()].sort(([a], [b]) => a - b);
  return depths.reduce<number[][]>(
    (paths, [, own]) =>
      paths.flatMap((path) =>
        own.filter(({ parentId }) => parentId === null || path.includes(parentId)).map(({ id }) => [...path, id]),
      ),
    [[]],
  );
}
