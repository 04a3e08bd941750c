import { ledgerEntries, payments, refundItems, refunds } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { captured, givenBack } from "../../payments/ledger/ledger.entries.ts";
import type { OrderDraft } from "./order-draft.ts";
import type { PaymentDraft, RefundDraft } from "./demo-payments.ts";
import { fill, number } from "./bulk-rows.ts";

/** Keeps what was charged and given back, and the ledger of both. */
export async function keepPayments(handle: Handle, vendorId: number, drafts: readonly OrderDraft[]): Promise<void> {
  const paid = drafts.flatMap((order) => order.payments.map((payment) => ({ order, payment })));
  const returned = paid.flatMap(({ order, payment }) => payment.refunds.map((refund) => ({ order, payment, refund })));
  await number(
    handle,
    payments,
    paid.map(({ payment }) => payment),
  );
  await number(
    handle,
    refunds,
    returned.map(({ refund }) => refund),
  );
  await fill(
    handle,
    payments,
    paid.map(({ order, payment }) => {
      const {
        id,
        state,
        key,
        method,
        gateway,
        stored,
        network,
        cardNumber,
        byMerchant,
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
          idempotencyKey: key,
          amount,
          discount: discountedAmount,
          currency,
        },
        ...{ paymentMethod: method, methodId: stored?.id ?? null, paymentGateway: gateway, network, cardNumber, vbank },
        ...{ customerName, customerEmail, customerPhone, errorCode, errorMessage, adviceCode },
        ...{ createdAt, settledAt, paymentReturn },
        initiator: byMerchant ? ("MERCHANT" as const) : ("CUSTOMER" as const),
        paymentDate: state === "SUCCEEDED" ? settledAt : null,
        gatewayReference: settledAt && `demo-${id}`,
        paymentReceiptUrl: state === "SUCCEEDED" ? `https://receipts.example.com/${order.values.idKey}` : "",
      };
    }),
  );
  await fill(
    handle,
    refunds,
    returned.map(({ order, payment, refund: { id, state, amount, reason, createdAt } }) => ({
      ...{ vendorId, id, orderId: order.id, paymentId: payment.id, amount, reason, createdAt },
      state,
      errorCode: state === "FAILED" ? "REFUND_REFUSED" : null,
      errorMessage: state === "FAILED" ? "The gateway has too little money to give back." : null,
      idempotencyKey: `demo-refund-${payment.key}-${id}`,
      gatewayReference: `demo-refund-${id}`,
      actor: "MANAGER" as const,
      settledAt: createdAt,
    })),
  );
  await fill(
    handle,
    refundItems,
    returned.flatMap(({ refund: { id, parts } }) =>
      parts.map(({ line, amount }) => ({ vendorId, refundId: id, itemId: line.id, amount })),
    ),
  );
  await keepLedger(handle, vendorId, paid, returned);
}

async function keepLedger(
  handle: Handle,
  vendorId: number,
  paid: readonly { order: OrderDraft; payment: PaymentDraft }[],
  returned: readonly { order: OrderDraft; payment: PaymentDraft; refund: RefundDraft }[],
): Promise<void> {
  const movement = (order: OrderDraft, payment: PaymentDraft, amount: Amount, createdAt: Date) => {
    return { orderId: order.id, paymentId: payment.id, amount, currency: order.values.currency, createdAt };
  };
  const captures = paid
    .filter(({ payment }) => payment.state === "SUCCEEDED")
    .flatMap(({ order, payment }) => captured(movement(order, payment, order.values.amount, payment.settledAt!)));
  const payouts = returned
    .filter(({ refund }) => refund.state === "SUCCEEDED")
    .flatMap(({ order, payment, refund: { id: refundId, amount, createdAt } }) =>
      givenBack({ ...movement(order, payment, amount, createdAt), refundId }),
    );
  const entries = [...captures, ...payouts].map((entry) => ({ vendorId, id: 0, refundId: null, ...entry }));
  await number(handle, ledgerEntries, entries);
  await fill(handle, ledgerEntries, entries);
}
