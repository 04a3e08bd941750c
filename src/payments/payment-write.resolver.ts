import { Arg, Mutation, Resolver } from "type-graphql";
import type { GatewayContext, PaymentContext } from "../graphql/context.ts";
import { databaseIdOf, recordNumberOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import { PaymentCtx } from "../graphql/payment-context.ts";
import { invalidField } from "../kernel/refusals.ts";
import { parseCard } from "./payment.card.ts";
import {
  ConfirmDepositInput,
  PayOrderInput,
  PayOrderPayload,
  ConfirmDepositPayload,
  RefundOrderInput,
  RefundOrderPayload,
} from "./payment-input.type.ts";

/** Mutations that move money. Each calls a payment gateway, so none can be part of a larger transaction. */
@Resolver()
export class PaymentWriteResolver {
  @Mutation(() => PayOrderPayload, {
    description:
      "Pays an order: with a card, with a stored method, or with any other method that the vendor's gateways accept. A decline is not an error; it is a payment that FAILED. Refused with ORDER_NOT_FOUND, ORDER_ALREADY_PAID, ORDER_NOT_PAYABLE, PRICE_CHANGED, ALREADY_SUBSCRIBED, PAYMENT_IN_PROGRESS, PAYMENT_METHOD_NOT_ALLOWED, PAYMENT_METHOD_NOT_FOUND, NO_PAYMENT_GATEWAY, CHARGES_AWAIT_OPERATOR or OUT_OF_STOCK.",
  })
  async payOrder(
    @Arg("input", () => PayOrderInput, { description: "The order and the payment method." }) input: PayOrderInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const { orderId, method, storedMethodId, card, storeMethod } = input;
    const id = databaseIdOf("Order", orderId, "orderId");
    if (card) context.markSensitive();
    const paymentId = await context.paymentProcessor.payOrder(context.vendor.id, {
      orderId: id,
      method,
      storedMethodId: storedMethodId == null ? null : recordNumberOf(storedMethodId, "storedMethodId"),
      card: card && parseCard(card),
      storeMethod,
      initiator: "MERCHANT",
      actor: "MANAGER",
      request: context.chargingRequest,
    });
    return toPayload(context, id, paymentId);
  }

  @Mutation(() => ConfirmDepositPayload, {
    description:
      "Confirms that a deposit arrived. For the merchant's own account the merchant's report counts; for a virtual account the gateway is asked. Refused with ORDER_NOT_FOUND, NO_DEPOSIT_AWAITED or DEPOSIT_NOT_ARRIVED.",
  })
  async confirmDeposit(
    @Arg("input", () => ConfirmDepositInput, { description: "The order." }) { orderId }: ConfirmDepositInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const id = databaseIdOf("Order", orderId, "orderId");
    const paymentId = await context.paymentConfirmation.confirmDeposit(context.vendor.id, id, context.chargingRequest);
    return toPayload(context, id, paymentId);
  }

  @Mutation(() => RefundOrderPayload, {
    description:
      "Refunds an order in whole or in part. A line without a price is returned without money. Paid services are cancelled at the same time; goods must be cancelled or returned first, or not sent yet. Refused with ORDER_NOT_FOUND, ORDER_ITEM_NOT_FOUND, REFUND_TOO_HIGH, REFUND_IN_PROGRESS or ILLEGAL_TRANSITION.",
  })
  async refundOrder(
    @Arg("input", () => RefundOrderInput, { description: "The order and the amount." }) input: RefundOrderInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const { orderId, items, amount, reason } = input;
    const id = databaseIdOf("Order", orderId, "orderId");
    if (items && amount)
      throw invalidField("amount", "cannot be used together with items: each item has its own amount.");
    const intent = {
      orderId: id,
      items: items?.map((item, index) => ({
        ...item,
        itemId: databaseIdOf("OrderItem", item.itemId, `items[${index}].itemId`),
      })),
      amount,
      reason,
      actor: "MANAGER" as const,
    };
    await context.refundProcessor.refundOrder(context.vendor.id, intent, context.chargingRequest);
    return { order: recordOf(context.read.orders.list, id) };
  }
}

const toPayload = ({ read }: GatewayContext, orderId: number, paymentId: number) => ({
  order: recordOf(read.orders.list, orderId),
  payment: recordOf(read.payments.list, paymentId),
});
