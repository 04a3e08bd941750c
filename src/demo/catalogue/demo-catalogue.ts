import { eq } from "drizzle-orm";
import { pricePlans } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { createServices } from "../../graphql/services.ts";
import { invariant } from "../../kernel/refusals.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { firstOf, getOrThrow, itemAt, required } from "../../kernel/required-values.ts";
import { OfferRepository, type CombinationRecord, type OptionRecord } from "../../products/offer.repository.ts";
import type { Orderable } from "../../products/offer.service.ts";
import type { DemoCalendar } from "../calendar.ts";

/** A vendor's plans with their options, in the form that the pricing of orders needs. */
export class DemoCatalogue {
  private constructor(private readonly offers: ReadonlyMap<string, Orderable[]>) {}

  static async load(handle: Handle, calendar: DemoCalendar, vendorId: number): Promise<DemoCatalogue> {
    const repository = new OfferRepository(handle);
    const rows = await handle.select({ id: pricePlans.id }).from(pricePlans).where(eq(pricePlans.vendorId, vendorId));
    const ids = rows.map(({ id }) => id);
    const plans = await repository.offersByPlanIds(vendorId, ids);
    const productIds = plans.map(({ product }) => product.id);
    const options = groupBy(await repository.optionsOf(vendorId, productIds), ({ productId }) => productId);
    const combinations = groupBy(await repository.combinationsOf(vendorId, productIds), ({ productId }) => productId);
    const selections = plans.flatMap(({ plan, product: { id, useCombination } }) => {
      const choices = useCombination
        ? optionIdsInStock(combinations.get(id) ?? [])
        : optionPathsOf(options.get(id) ?? []);
      return choices.map((optionIds) => ({ priceId: plan.id, optionIds }));
    });
    const offers = groupBy(
      await createServices(handle, calendar.present).offers.findSold(vendorId, selections),
      ({ plan }) => plan.code,
    );
    for (const { bundlePlanId, plan } of await repository.membersOf(vendorId, ids)) {
      const bundle = required(
        [...offers.values()].flat().find((offer) => offer.plan.id === bundlePlanId),
        "the bundle",
      );
      Object.assign(bundle, { members: [...bundle.members, firstOf(getOrThrow(offers, plan.code))] });
    }
    return new DemoCatalogue(offers);
  }

  /** Finds a plan by the end of its code, such as `HouseBea1`. `choice` selects one of its options, modulo their number. */
  findOffer(codeEnd: string, choice = 0): Orderable {
    const choices = this.offers.get(`price_${codeEnd}`);
    invariant(choices, `the demo sells ${codeEnd}`);
    return itemAt(choices, choice % choices.length);
  }
}

const optionIdsInStock = (combinations: readonly CombinationRecord[]) =>
  combinations.filter(({ quantity }) => quantity !== 0).map(({ optionIds }) => optionIds);

/** All combinations of one option from each group. An option with a parent is only combined with this parent. */
function optionPathsOf(options: readonly OptionRecord[]): number[][] {
  const depths = [...groupBy(options, ({ depth }) => depth).entries()].sort(([a], [b]) => a - b);
  return depths.reduce<number[][]>(
    (paths, [, levelOptions]) =>
      paths.flatMap((path) =>
        levelOptions
          .filter(({ parentId }) => parentId === null || path.includes(parentId))
          .map(({ id }) => [...path, id]),
      ),
    [[]],
  );
}
