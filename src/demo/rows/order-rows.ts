import {
  orderItemHistories,
  orderItems,
  orderLogs,
  orders,
  orderSubscriptions,
  renewals,
} from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { OrderTotalsRepository } from "../../orders/order-totals.repository.ts";
import { nextTransitionTime } from "../../orders/order.states.ts";
import { lineHistoryOf, type LineDraft, type OrderDraft } from "./order-draft.ts";
import { insertRowsAsJson, assignIds } from "./bulk-rows.ts";

/** Saves orders with their lines, histories and logs. Their ids follow the order of `drafts`. */
export async function saveOrders(handle: Handle, vendorId: number, drafts: readonly OrderDraft[]): Promise<void> {
  const lines = drafts.flatMap((order) => order.lines.map((line) => ({ order, line })));
  await assignIds(handle, orders, drafts);
  await assignIds(
    handle,
    orderItems,
    lines.map(({ line }) => line),
  );
  await insertRowsAsJson(
    handle,
    orders,
    drafts.map(({ id, customer, values, paidAmount, returnedAmount, paymentDate, modifiedAt, renewal, parent }) => ({
      ...{ vendorId, id, customerId: customer.id, ...values, paidAmount, returnedAmount, paymentDate, modifiedAt },
      parentSubscriptionId: renewal?.subscription.id ?? null,
      ...{ parentVendorId: parent?.vendorId ?? null, parentOrderId: parent?.order.id ?? null },
    })),
  );
  await insertRowsAsJson(
    handle,
    orderItems,
    lines.map(({ order, line: { id, values, related, parent, subscriptionItem, ...line } }) => {
      const { status, paidAmount, returnedAmount, canceledAt, modifiedAt } = line;
      const arrivedAt = arrivedAtOf(line);
      const transitionAt = arrivedAt && nextTransitionTime(status, arrivedAt, modifiedAt, defaultFinishTimes);
      return {
        ...{ vendorId, id, orderId: order.id, arrivedAt, transitionAt },
        ...{ ...values, status, paidAmount, returnedAmount, canceledAt, modifiedAt },
        relatedItemId: related?.id ?? null,
        parentItemId: parent?.id ?? null,
        relatedSubscriptionItemId: subscriptionItem?.id ?? null,
      };
    }),
  );
  await new OrderTotalsRepository(handle).addOrders(
    vendorId,
    drafts.map(({ id, values: { createdAt }, lines: ofOrder }) => ({
      ...{ id, createdAt },
      lines: ofOrder.map(({ status, values: { type } }) => ({ type, status })),
    })),
  );
  await saveHistories(handle, vendorId, drafts);
  await insertRowsAsJson(
    handle,
    orderSubscriptions,
    drafts.flatMap(({ id: orderId, subscriptions }) =>
      subscriptions.map(({ id: subscriptionId }) => ({ vendorId, orderId, subscriptionId })),
    ),
  );
  await insertRowsAsJson(
    handle,
    renewals,
    drafts.flatMap(({ id: orderId, renewal, values: { createdAt } }) =>
      renewal ? [{ vendorId, subscriptionId: renewal.subscription.id, dueAt: renewal.dueAt, orderId, createdAt }] : [],
    ),
  );
}

/** The default settings of a new vendor. */
const defaultFinishTimes = { finishedAfterHours: 24, exchangeUntilHours: 168, returnUntilHours: 720 };

/** The time at which the goods, or the goods sent in exchange, arrived. */
const arrivedAtOf = ({ events }: Pick<LineDraft, "events">): Date | null =>
  events.findLast(({ statusAfter }) => /^(?:ORDER|EXCHANGE)_DELIVERY_COMPLETED$/.test(statusAfter))?.occurredAt ?? null;

/** Saves the histories of lines and the logs of orders. */
async function saveHistories(handle: Handle, vendorId: number, drafts: readonly OrderDraft[]): Promise<void> {
  const histories = drafts
    .flatMap(({ lines }) => lines)
    .flatMap((line) => lineHistoryOf(line).map((entry) => ({ vendorId, id: 0, itemId: line.id, ...entry })));
  await assignIds(handle, orderItemHistories, histories);
  await insertRowsAsJson(handle, orderItemHistories, histories);
  const logs = drafts.flatMap(({ id: orderId, logs: logsOfOrder }) =>
    logsOfOrder.map((log) => ({ vendorId, id: 0, orderId, ...log })),
  );
  await assignIds(handle, orderLogs, logs);
  await insertRowsAsJson(handle, orderLogs, logs);
}
