import type { Actor, OrderItemStatus, OrderLogType } from "../../../schema/vocabulary.ts";
import type { EventTrigger } from "../../events/event.titles.ts";
import { roundAmount, sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import {
  historyCategoryOf,
  orderLogTypeOf,
  orderItemStates,
  serviceItemStates,
  type AnyOrderItemTrigger,
} from "../../orders/order.states.ts";
import type { OrderRecord } from "../../orders/order.repository.ts";
import type { LineValues } from "../order-factory.ts";
import type { PaymentDraft } from "./demo-payments.ts";
import type { CustomerDraft } from "../customers.ts";
import type { ItemDraft, SubscriptionDraft } from "./subscription-draft.ts";

/** An unsaved transition in the timeline. */
export interface EventDraft {
  trigger: EventTrigger;
  statusBefore: string | null;
  statusAfter: string;
  actor: Actor;
  reason: string | null;
  facts?: Record<string, unknown>;
  occurredAt: Date;
}

/** An unsaved order line. */
export interface LineDraft {
  id: number;
  values: LineValues;
  status: OrderItemStatus;
  paidAmount: Amount;
  returnedAmount: Amount;
  canceledAt: Date | null;
  modifiedAt: Date;
  related: LineDraft | null;
  parent: LineDraft | null;
  subscriptionItem: ItemDraft | null;
  events: EventDraft[];
}

/** The fields of an order, apart from its status and history. */
export type OrderValues = Omit<
  OrderRecord,
  | "vendorId"
  | "searchText"
  | "id"
  | "codeRepeat"
  | "customerId"
  | "paidAmount"
  | "returnedAmount"
  | "paymentDate"
  | "modifiedAt"
  | "parentSubscriptionId"
  | "parentVendorId"
  | "parentOrderId"
>;

/** The trigger, the time and the reason of a transition. */
export interface LineTransition {
  trigger: AnyOrderItemTrigger;
  at: Date;
  reason?: string | null;
}

/** An unsaved order. Its transitions follow the service's state tables. */
export class OrderDraft {
  id = 0;
  paidAmount: Amount = ZERO;
  returnedAmount: Amount = ZERO;
  paymentDate: Date | null = null;
  modifiedAt: Date;
  readonly logs: { type: OrderLogType; content: string; createdAt: Date }[] = [];
  readonly payments: PaymentDraft[] = [];
  /** The subscriptions that the order belongs to. */
  readonly subscriptions: SubscriptionDraft[] = [];
  /** The renewed subscription and the due time of the renewal. Null for other orders. */
  renewal: { subscription: SubscriptionDraft; dueAt: Date } | null = null;
  /** The parent vendor's order that this child order belongs to. */
  parent: { vendorId: number; order: OrderDraft } | null = null;

  constructor(
    readonly customer: CustomerDraft,
    readonly values: OrderValues,
    readonly lines: readonly LineDraft[],
    /** Decimals of the currency that is charged. */
    readonly scale: number,
  ) {
    this.modifiedAt = values.createdAt;
  }

  /** The product lines that are shipped; all product lines where nothing is. */
  get shippedLines(): LineDraft[] {
    const products = this.lines.filter(({ values }) => values.type === "SKU");
    const shipped = products.filter(isShipped);
    return shipped.length > 0 ? shipped : products;
  }

  /** Applies a trigger to some lines, and updates the order's log and paid totals. */
  transition(lines: readonly LineDraft[], { trigger, at, reason = null }: LineTransition): void {
    const isRenewal = this.values.type === "RECURRING" && trigger === "payOrder";
    const actor = isRenewal ? "SYSTEM" : orderItemStates.definition.actors[trigger][0];
    for (const line of lines) {
      const table = statesOf(line);
      const occurredAt = at;
      const transitionLine = (lineTrigger: AnyOrderItemTrigger, lineActor: Actor, lineReason: string | null) => {
        const statusAfter = table.transition(line.status, lineTrigger);
        line.events.push({
          ...{ trigger: lineTrigger, statusBefore: line.status, statusAfter },
          ...{ actor: lineActor, reason: lineReason, occurredAt },
        });
        line.status = statusAfter;
      };
      transitionLine(trigger, actor, reason);
      if (trigger === "payOrder") line.paidAmount = line.values.amount;
      if (line.status === "CANCELLED" || line.status === "CANCELLATION_REFUNDED") line.canceledAt = at;
      line.modifiedAt = at;
    }
    const summary = lines.map(({ values, status }) => `${values.orderedProductName}: ${status}`).join(", ");
    this.logs.push({
      type: orderLogTypeOf(this.values.type, { trigger, actor }),
      content: reason ? `${summary} (${reason})` : summary,
      createdAt: at,
    });
    this.modifiedAt = at;
    if (trigger !== "payOrder") return;
    const paid = sumAmounts(lines.map(({ values }) => values.amount));
    this.paidAmount = this.paidAmount.plus(paid);
    if (paid.gt(0)) this.paymentDate = at;
  }

  /** The amount paid for a line, with its discounts and taxes. */
  private netPaidOf(line: LineDraft): Amount {
    return sumAmounts(
      [line, ...this.lines.filter(({ related }) => related === line)].map(({ paidAmount }) => paidAmount),
    );
  }

  /** Refunds a line with its discount and its tax, or half of that amount. @returns the refunded amount of each line. */
  refundLine(line: LineDraft, isWhole: boolean): { line: LineDraft; amount: Amount }[] {
    const all = [line, ...this.lines.filter(({ related }) => related === line)];
    const parts = isWhole
      ? all.map((each) => ({ line: each, amount: each.paidAmount.minus(each.returnedAmount) }))
      : [{ line, amount: roundAmount(this.netPaidOf(line).div(2), this.scale) }];
    for (const part of parts) {
      part.line.returnedAmount = part.line.returnedAmount.plus(part.amount);
      this.returnedAmount = this.returnedAmount.plus(part.amount);
    }
    return parts;
  }
}

const isShipped = ({ values }: LineDraft): boolean => values.orderedProductType === "BOX";

/** The state table of a line: services have no delivery. */
const statesOf = (line: LineDraft) => (isShipped(line) ? orderItemStates : serviceItemStates);

/** The history entries of a line, built from its events. */
export const lineHistoryOf = ({ events }: LineDraft) =>
  events.map(({ actor, statusAfter, reason, occurredAt }) => {
    const status = statusAfter as OrderItemStatus;
    return { actor, category: historyCategoryOf(status), status, reason, createdAt: occurredAt };
  });
