import {
  orderItemHistories,
  orderItems,
  orderLogs,
  orders,
  orderSubscriptions,
  renewals,
} from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { transitionTime } from "../../orders/order-item.timed-transitions.ts";
import { historyOf, type LineDraft, type OrderDraft } from "./order-draft.ts";
import { fill, number } from "./bulk-rows.ts";

/** Keeps orders in order of time, with their lines and what happened to them. */
export async function keepOrders(handle: Handle, vendorId: number, drafts: readonly OrderDraft[]): Promise<void> {
  const lines = drafts.flatMap((order) => order.lines.map((line) => ({ order, line })));
  await number(handle, orders, drafts);
  await number(
    handle,
    orderItems,
    lines.map(({ line }) => line),
  );
  await fill(
    handle,
    orders,
    drafts.map(({ id, person, values, paidAmount, returnedAmount, paymentDate, modifiedAt, renews, parent }) => ({
      ...{ vendorId, id, customerId: person.id, ...values, paidAmount, returnedAmount, paymentDate, modifiedAt },
      parentSubscriptionId: renews?.subscription.id ?? null,
      ...{ parentVendorId: parent?.vendorId ?? null, parentOrderId: parent?.order.id ?? null },
    })),
  );
  await fill(
    handle,
    orderItems,
    lines.map(({ order, line: { id, values, related, parent, subscriptionItem, ...line } }) => {
      const { status, paidAmount, returnedAmount, canceledAt, modifiedAt } = line;
      const arrivedAt = arrivalOf(line);
      const transitionAt = arrivedAt && transitionTime(status, arrivedAt, modifiedAt, finishTimes);
      return {
        ...{ vendorId, id, orderId: order.id, arrivedAt, transitionAt },
        ...{ ...values, status, paidAmount, returnedAmount, canceledAt, modifiedAt },
        relatedItemId: related?.id ?? null,
        parentItemId: parent?.id ?? null,
        relatedSubscriptionItemId: subscriptionItem?.id ?? null,
      };
    }),
  );
  await keepTales(handle, vendorId, drafts);
  await fill(
    handle,
    orderSubscriptions,
    drafts.flatMap(({ id: orderId, subscriptions }) =>
      subscriptions.map(({ id: subscriptionId }) => ({ vendorId, orderId, subscriptionId })),
    ),
  );
  await fill(
    handle,
    renewals,
    drafts.flatMap(({ id: orderId, renews, values: { createdAt } }) =>
      renews ? [{ vendorId, subscriptionId: renews.subscription.id, dueAt: renews.dueAt, orderId, createdAt }] : [],
    ),
  );
}

/** A new vendor's settings. */
const finishTimes = { finishedAfterHours: 24, exchangeUntilHours: 168, returnUntilHours: 720 };

/** When the goods, or what they were exchanged for, arrived. */
const arrivalOf = ({ happenings }: Pick<LineDraft, "happenings">): Date | null =>
  happenings.findLast(({ statusAfter }) => /^(?:ORDER|EXCHANGE)_DELIVERY_COMPLETED$/.test(statusAfter))?.occurredAt ??
  null;

/** Histories of lines, and logs of orders. */
async function keepTales(handle: Handle, vendorId: number, drafts: readonly OrderDraft[]): Promise<void> {
  const histories = drafts
    .flatMap(({ lines }) => lines)
    .flatMap((line) => historyOf(line).map((entry) => ({ vendorId, id: 0, itemId: line.id, ...entry })));
  await number(handle, orderItemHistories, histories);
  await fill(handle, orderItemHistories, histories);
  const logs = drafts.flatMap(({ id: orderId, logs: own }) => own.map((log) => ({ vendorId, id: 0, orderId, ...log })));
  await number(handle, orderLogs, logs);
  await fill(handle, orderLogs, logs);
}
