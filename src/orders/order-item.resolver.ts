import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf } from "../graphql/record-ids.ts";
import { recordsOf } from "../graphql/execution/record-payload.ts";
import { NodeResolver } from "../graphql/node.ts";
import { invalidField } from "../kernel/refusals.ts";
import { MoveOrderItemsInput, MoveOrderItemsPayload } from "./order-input.type.ts";
import { OrderItem } from "./order-item.type.ts";

/** Maximum number of lines that one request can move. */
const MAX_TRANSITIONED_ITEMS = 100;

@Resolver(() => OrderItem)
export class OrderItemResolver extends NodeResolver(() => OrderItem, "OrderItem") {
  @Mutation(() => MoveOrderItemsPayload, {
    description:
      "Changes the state of order lines by a trigger; all lines change, or none. Payments, refunds and cancelOrder change lines by themselves. Refused with ORDER_ITEM_NOT_FOUND, and with ILLEGAL_TRANSITION if the state of a line does not allow the trigger.",
  })
  async moveOrderItems(
    @Arg("input", () => MoveOrderItemsInput, { description: "The lines, the trigger and the reason." })
    { itemIds, trigger, reason }: MoveOrderItemsInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    if (itemIds.length < 1 || itemIds.length > MAX_TRANSITIONED_ITEMS)
      throw invalidField("itemIds", `must have 1 to ${MAX_TRANSITIONED_ITEMS} entries.`);
    const ids = itemIds.map((id, index) => databaseIdOf("OrderItem", id, `itemIds[${index}]`));
    await write(({ orderItems }) => orderItems.transitionItems(vendor.id, ids, { trigger, actor: "MANAGER", reason }));
    return { items: recordsOf(read.orders.items, ids) };
  }
}
