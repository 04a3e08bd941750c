import { ledgerEntries, payments, refundItems, refunds } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { required } from "../../kernel/required-values.ts";
import { toChargeEntries, toRefundEntries } from "../../payments/ledger/ledger.repository.ts";
import type { OrderDraft } from "./order-draft.ts";
import type { PaymentDraft, RefundDraft } from "./demo-payments.ts";
import { insertRowsAsJson, assignIds } from "./bulk-rows.ts";

/** Saves charges and refunds, and the ledger entries of both. */
export async function savePayments(handle: Handle, vendorId: number, drafts: readonly OrderDraft[]): Promise<void> {
  const orderPayments = drafts.flatMap((order) => order.payments.map((payment) => ({ order, payment })));
  const orderRefunds = orderPayments.flatMap(({ order, payment }) =>
    payment.refunds.map((refund) => ({ order, payment, refund })),
  );
  await assignIds(
    handle,
    payments,
    orderPayments.map(({ payment }) => payment),
  );
  await assignIds(
    handle,
    refunds,
    orderRefunds.map(({ refund }) => refund),
  );
  await insertRowsAsJson(
    handle,
    payments,
    orderPayments.map(({ order, payment }) => {
      const {
        id,
        state,
        idempotencyKey,
        method,
        gateway,
        storedMethod,
        network,
        cardNumber,
        isMerchantInitiated,
        vbank,
        errorCode,
        errorMessage,
      } = payment;
      const { adviceCode } = payment;
      const { createdAt, settledAt, paymentReturn } = payment;
      const { amount, discountedAmount, currency, customerName, customerEmail, customerPhone } = order.values;
      return {
        ...{
          vendorId,
          id,
          orderId: order.id,
          state,
          idempotencyKey: idempotencyKey,
          amount,
          discount: discountedAmount,
          currency,
        },
        ...{
          paymentMethod: method,
          methodId: storedMethod?.id ?? null,
          paymentGateway: gateway,
          network,
          cardNumber,
          vbank,
        },
        ...{ customerName, customerEmail, customerPhone, errorCode, errorMessage, adviceCode },
        ...{ createdAt, settledAt, paymentReturn },
        initiator: isMerchantInitiated ? ("MERCHANT" as const) : ("CUSTOMER" as const),
        paymentDate: state === "SUCCEEDED" ? settledAt : null,
        gatewayReference: settledAt && `demo-${id}`,
        paymentReceiptUrl: state === "SUCCEEDED" ? `https://receipts.example.com/${order.values.idKey}` : "",
      };
    }),
  );
  await insertRowsAsJson(
    handle,
    refunds,
    orderRefunds.map(({ order, payment, refund: { id, state, amount, reason, createdAt } }) => ({
      ...{ vendorId, id, orderId: order.id, paymentId: payment.id, amount, reason, createdAt },
      state,
      errorCode: state === "FAILED" ? "REFUND_REFUSED" : null,
      errorMessage: state === "FAILED" ? "The gateway has insufficient funds for the refund." : null,
      idempotencyKey: `demo-refund-${payment.idempotencyKey}-${id}`,
      gatewayReference: `demo-refund-${id}`,
      actor: "MANAGER" as const,
      settledAt: createdAt,
    })),
  );
  await insertRowsAsJson(
    handle,
    refundItems,
    orderRefunds.flatMap(({ refund: { id, parts } }) =>
      parts.map(({ line, amount }) => ({ vendorId, refundId: id, itemId: line.id, amount })),
    ),
  );
  await saveLedger(handle, vendorId, orderPayments, orderRefunds);
}

async function saveLedger(
  handle: Handle,
  vendorId: number,
  orderPayments: readonly { order: OrderDraft; payment: PaymentDraft }[],
  orderRefunds: readonly { order: OrderDraft; payment: PaymentDraft; refund: RefundDraft }[],
): Promise<void> {
  const toMovement = (order: OrderDraft, payment: PaymentDraft, amount: Amount, createdAt: Date) => {
    return { orderId: order.id, paymentId: payment.id, amount, currency: order.values.currency, createdAt };
  };
  const captures = orderPayments
    .filter(({ payment }) => payment.state === "SUCCEEDED")
    .flatMap(({ order, payment }) =>
      toChargeEntries(toMovement(order, payment, order.values.amount, required(payment.settledAt, "settledAt"))),
    );
  const refundEntries = orderRefunds
    .filter(({ refund }) => refund.state === "SUCCEEDED")
    .flatMap(({ order, payment, refund: { id: refundId, amount, createdAt } }) =>
      toRefundEntries({ ...toMovement(order, payment, amount, createdAt), refundId }),
    );
  const entries = [...captures, ...refundEntries].map((entry) => ({ vendorId, id: 0, refundId: null, ...entry }));
  await assignIds(handle, ledgerEntries, entries);
  await insertRowsAsJson(handle, ledgerEntries, entries);
}
