import { and, desc, eq, inArray, ne } from "drizzle-orm";
import { orderItems, orders, orderSubscriptions, pricePlans } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import type { Amount } from "../kernel/amounts.ts";

const itsLines = and(eq(orderItems.vendorId, orders.vendorId), eq(orderItems.orderId, orders.id));

/** Queries that relate the lines of orders at child vendors to those of their parents. */
export class ChildOfferRepository {
  constructor(private readonly db: Handle) {}

  /**
   * The unit price of each plan in the vendor's last charge for a subscription of its parent, by the choice of options.
   * Charges for more metered units are excluded: their price is not a unit price.
   */
  pricesChargedThroughParent(
    vendorId: number,
    parentId: number,
    subscriptionId: number,
  ): Promise<{ priceId: number | null; optionIds: number[]; unitPrice: Amount }[]> {
    return this.db
      .selectDistinctOn([orderItems.priceId, orderItems.optionIds], {
        priceId: orderItems.priceId,
        optionIds: orderItems.optionIds,
        unitPrice: orderItems.unitPrice,
      })
      .from(orderSubscriptions)
      .innerJoin(
        orders,
        and(
          eq(orders.parentVendorId, orderSubscriptions.vendorId),
          eq(orders.parentOrderId, orderSubscriptions.orderId),
        ),
      )
      .innerJoin(orderItems, itsLines)
      .where(
        and(
          eq(orders.vendorId, vendorId),
          eq(orderItems.vendorId, vendorId),
          eq(orderSubscriptions.vendorId, parentId),
          eq(orderSubscriptions.subscriptionId, subscriptionId),
          inArray(orderItems.type, ["SKU", "ADDS"]),
          ne(orderItems.status, "CANCELLED"),
          ne(orders.type, "ADD_USAGE"),
        ),
      )
      .orderBy(orderItems.priceId, orderItems.optionIds, desc(orders.id), desc(orderItems.unitPrice));
  }

  /**
   * The offer keys of an order's products, by line: parents and children share codes, options and the order of lines,
   * so that the second of two equal lines is the second in both.
   */
  async offerKeysByLine(vendorId: number, orderId: number): Promise<Map<number, string>> {
    const rows = await this.db
      .select({ id: orderItems.id, code: pricePlans.code, optionIds: orderItems.optionIds })
      .from(orderItems)
      .innerJoin(pricePlans, and(eq(pricePlans.vendorId, orderItems.vendorId), eq(pricePlans.id, orderItems.priceId)))
      .where(
        and(
          eq(orderItems.vendorId, vendorId),
          eq(pricePlans.vendorId, vendorId),
          eq(orderItems.orderId, orderId),
          inArray(orderItems.type, ["SKU", "ADDS"]),
        ),
      )
      .orderBy(orderItems.position);
    const occurrences = new Map<string, number>();
    return new Map(
      rows.map(({ id, code, optionIds }) => {
        const offerKey = `${code} ${optionIds.join(" ")}`;
        const occurrence = (occurrences.get(offerKey) ?? 0) + 1;
        occurrences.set(offerKey, occurrence);
        return [id, `${offerKey} ${occurrence}`];
      }),
    );
  }
}
