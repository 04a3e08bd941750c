import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import { CancelOrderInput, CancelOrderPayload, CreateOrderInput, CreateOrderPayload } from "./order-input.type.ts";

/** Makes and cancels orders. */
@Resolver()
export class OrderWriteResolver {
  @Mutation(() => CreateOrderPayload, {
    description:
      "Creates an order, prices its lines and reserves its stock. Nothing is charged yet. Refused with CUSTOMER_NOT_FOUND, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED, OUT_OF_STOCK, NO_EXCHANGE_RATE or AMOUNT_TOO_HIGH.",
  })
  async createOrder(
    @Arg("input", () => CreateOrderInput, { description: "The order." }) input: CreateOrderInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const customerId = optionalDatabaseIdOf("Customer", input.customerId, "customerId");
    const { id } = await write(({ orders }) => orders.create(vendor, { ...input, customerId }, "MANAGER"));
    return { order: recordOf(read.orders.created, id) };
  }

  @Mutation(() => CancelOrderPayload, {
    description:
      "Cancels an unpaid order and releases its stock. If only the part of an invoice that was due at once is paid, that part is refunded. Refused with ORDER_NOT_FOUND. Refused with ILLEGAL_TRANSITION for a paid order, whose lines are refunded instead, and for a failed renewal, which is cancelled with its subscription.",
  })
  async cancelOrder(
    @Arg("input", () => CancelOrderInput, { description: "The order and the reason." })
    { orderId, reason }: CancelOrderInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const id = databaseIdOf("Order", orderId, "orderId");
    await write(async ({ orderItems, refunds }) => {
      await orderItems.transitionOrder(vendor.id, id, { trigger: "cancelOrder", actor: "MANAGER", reason });
      await refunds.claimCancelledOrderRefund(vendor.id, id, reason);
    });
    return { order: recordOf(read.orders.list, id) };
  }
}
