import { sql } from "drizzle-orm";
import { queryRows } from "../../hostile/query-rows.ts";
import type { DataOf } from "../answers.ts";
import type { ModelMerchant } from "./model-merchant.ts";

/** An order as the service shows it, with its ledger and the gateway's own books. */
export interface ObservedOrder {
  id: number;
  code: string;
  type: string;
  createdAt: number;
  amount: number;
  paid: number;
  returned: number;
  remaining: number;
  /** Sums of the accounts of its ledger. */
  ledger: Readonly<Record<string, number>>;
  /** By the gateway: the charges that succeeded and failed, in order of time, and its refunds. */
  approved: { at: number; amount: number }[];
  declined: number[];
  refundedByGateway: number;
  /** The child's part of it. */
  child: { amount: number; paid: number; returned: number } | null;
}

/** A subscription as the service shows it. */
export interface ObservedSubscription {
  id: string;
  status: string;
  nextPayment: number | null;
  endAt: number | null;
  /** Units of its item; null if nothing was used, or any number is allowed. */
  used: number | null;
  allowed: number | null;
  orders: ObservedOrder[];
  /** Its transitions from state to state. */
  transitions: { from: string | null; to: string; at: number }[];
}

const SUBSCRIPTION_QUERY = `query ($id: ID!) { subscription(id: $id) { status nextPaymentDate endDate items { usedUnits allowedUnits }
  timeline(last: 100) { nodes { subject statusBefore statusAfter occurredAt } }
  latestOrders { databaseId code idKey type createdAt amount paidAmount returnedAmount leftAmount
    childOrders { amount paidAmount returnedAmount } } } }`;

type OrderData = NonNullable<DataOf<typeof SUBSCRIPTION_QUERY>["subscription"]>["latestOrders"][number];

/** Reads the state of a merchant's subscriptions, in the order of their places. */
export async function readObservedState({
  gateway,
  vendor,
  subscriptions,
}: ModelMerchant): Promise<ObservedSubscription[]> {
  const id = sql`${vendor.id}::bigint`;
  const charges = await queryRows<{ order: string; status: string; amount: string; at: string }>(
    gateway,
    sql`select order_reference as "order", status, amount, created_at as at from simulated_charges where vendor_id = ${id} and amount > 0`,
  );
  const refunds = await queryRows<{ order: string; amount: string }>(
    gateway,
    sql`select c.order_reference as "order", sum(r.amount) as amount from simulated_refunds r join simulated_charges c
      on c.vendor_id = r.vendor_id and c.reference = r.charge_reference where r.vendor_id = ${id} group by 1`,
  );
  const ledger = await queryRows<{ order: string; account: string; amount: string }>(
    gateway,
    sql`select order_id as "order", account, sum(amount) as amount from ledger_entries where vendor_id = ${id} group by 1, 2`,
  );
  const toObservedOrder = (order: OrderData): ObservedOrder => {
    const [child] = order.childOrders;
    const orderCharges = charges.filter((charge) => charge.order === order.idKey);
    const entries = ledger.filter((entry) => Number(entry.order) === order.databaseId);
    return {
      id: order.databaseId,
      code: order.code,
      type: order.type,
      createdAt: Date.parse(order.createdAt),
      amount: Number(order.amount),
      paid: Number(order.paidAmount),
      returned: Number(order.returnedAmount),
      remaining: Number(order.leftAmount),
      ledger: Object.fromEntries(entries.map(({ account, amount }) => [account, Number(amount)])),
      approved: orderCharges
        .filter(({ status }) => status === "APPROVED")
        .map(({ at, amount }) => ({ at: Date.parse(at), amount: Number(amount) })),
      declined: orderCharges.filter(({ status }) => status === "DECLINED").map(({ at }) => Date.parse(at)),
      child: child
        ? {
            amount: Number(child.amount),
            paid: Number(child.paidAmount),
            returned: Number(child.returnedAmount),
          }
        : null,
      refundedByGateway: Number(refunds.find((refund) => refund.order === order.idKey)?.amount ?? 0),
    };
  };
  const observed: ObservedSubscription[] = [];
  for (const { id: subscriptionId } of subscriptions) {
    const { subscription } = await gateway.queryData(
      SUBSCRIPTION_QUERY,
      { id: subscriptionId },
      { token: vendor.token },
    );
    const { status, nextPaymentDate, endDate, items, timeline, latestOrders } = subscription!;
    const { usedUnits, allowedUnits } = items[0]!;
    const moves = timeline.nodes.filter(
      ({ subject, statusBefore, statusAfter }) => subject === "SUBSCRIPTION" && statusBefore !== statusAfter,
    );
    observed.push({
      id: subscriptionId,
      status,
      nextPayment: nextPaymentDate === null ? null : Date.parse(nextPaymentDate),
      endAt: endDate === null ? null : Date.parse(endDate),
      used: usedUnits === null ? null : Number(usedUnits),
      allowed: allowedUnits === null ? null : Number(allowedUnits),
      orders: latestOrders.map(toObservedOrder).sort((one, other) => one.id - other.id),
      transitions: moves.map(({ statusBefore: from, statusAfter: to, occurredAt }) => ({
        from,
        to,
        at: Date.parse(occurredAt),
      })),
    });
  }
  return observed;
}
