import type { Actor, OrderItemStatus, OrderLogType } from "../../../schema/vocabulary.ts";
import { rounded, sum, ZERO, type Amount } from "../../kernel/amounts.ts";
import {
  categoryOf,
  logTypeOf,
  orderItemStates,
  serviceItemStates,
  type OrderItemTrigger,
} from "../../orders/order.states.ts";
import type { OrderRecord } from "../../orders/order.repository.ts";
import type { LineValues } from "../order-factory.ts";
import type { PaymentDraft } from "./demo-payments.ts";
import type { Person } from "../customers.ts";
import type { ItemDraft, SubscriptionDraft } from "./subscription-draft.ts";

/** A change of a state, as the timeline tells it. */
export interface Happening {
  happening: string;
  statusBefore: string | null;
  statusAfter: string;
  actor: Actor;
  reason: string | null;
  facts?: Record<string, unknown>;
  occurredAt: Date;
}

/** A line that is not kept yet. */
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
  happenings: Happening[];
}

/** What an order says of itself, apart from what happens to it. */
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

/** Who moves lines, and when. */
export interface Turn {
  trigger: OrderItemTrigger;
  at: Date;
  reason?: string | null;
}

/** An order that is not kept yet. It moves as the service would move it. */
export class OrderDraft {
  id = 0;
  paidAmount: Amount = ZERO;
  returnedAmount: Amount = ZERO;
  paymentDate: Date | null = null;
  modifiedAt: Date;
  readonly logs: { type: OrderLogType; content: string; createdAt: Date }[] = [];
  readonly payments: PaymentDraft[] = [];
  /** Those that it belongs to, and the one that it renews with the time at which that was due. */
  readonly subscriptions: SubscriptionDraft[] = [];
  renews: { subscription: SubscriptionDraft; dueAt: Date } | null = null;
  /** The parent vendor's order that it came of. */
  parent: { vendorId: number; order: OrderDraft } | null = null;

  constructor(
    readonly person: Person,
    readonly values: OrderValues,
    readonly lines: readonly LineDraft[],
    /** Decimals of what is charged. */
    readonly scale: number,
  ) {
    this.modifiedAt = values.createdAt;
  }

  /** The product lines that are shipped; all product lines where nothing is. */
  get goods(): LineDraft[] {
    const products = this.lines.filter(({ values }) => values.type === "SKU");
    const shipped = products.filter(isShipped);
    return shipped.length > 0 ? shipped : products;
  }

  /** Moves some lines, and what follows of itself. */
  move(lines: readonly LineDraft[], { trigger, at, reason = null }: Turn): void {
    const isRenewal = this.values.type === "RECURRING" && trigger === "payOrder";
    const actor = isRenewal ? "SYSTEM" : orderItemStates.machine.by[trigger][0];
    for (const line of lines) {
      const table = tableOf(line);
      const occurredAt = at;
      const step = (by: OrderItemTrigger, who: Actor, why: string | null) => {
        const statusAfter = table.move(line.status, by);
        line.happenings.push({
          ...{ happening: by, statusBefore: line.status, statusAfter },
          ...{ actor: who, reason: why, occurredAt },
        });
        line.status = statusAfter;
      };
      step(trigger, actor, reason);
      if (trigger === "payOrder") line.paidAmount = line.values.amount;
      if (line.status === "CANCELLED" || line.status === "CANCELLATION_REFUNDED") line.canceledAt = at;
      line.modifiedAt = at;
    }
    const told = lines.map(({ values, status }) => `${values.orderedProductName}: ${status}`).join(", ");
    this.logs.push({
      type: logTypeOf(this.values.type, { trigger, actor }),
      content: reason ? `${told} (${reason})` : told,
      createdAt: at,
    });
    this.modifiedAt = at;
    if (trigger !== "payOrder") return;
    const paid = sum(lines.map(({ values }) => values.amount));
    this.paidAmount = this.paidAmount.plus(paid);
    if (paid.gt(0)) this.paymentDate = at;
  }

  /** What was paid for a line, less its discounts and with its taxes. */
  private netOf(line: LineDraft): Amount {
    return sum([line, ...this.lines.filter(({ related }) => related === line)].map(({ paidAmount }) => paidAmount));
  }

  /** Gives back a line whole, with its discount and its tax, or the half of it. @returns what of which line. */
  giveBack(line: LineDraft, isWhole: boolean): { line: LineDraft; amount: Amount }[] {
    const all = [line, ...this.lines.filter(({ related }) => related === line)];
    const parts = isWhole
      ? all.map((one) => ({ line: one, amount: one.paidAmount.minus(one.returnedAmount) }))
      : [{ line, amount: rounded(this.netOf(line).div(2), this.scale) }];
    for (const part of parts) {
      part.line.returnedAmount = part.line.returnedAmount.plus(part.amount);
      this.returnedAmount = this.returnedAmount.plus(part.amount);
    }
    return parts;
  }
}

const isShipped = ({ values }: LineDraft): boolean => values.orderedProductType === "BOX";

/** The table that a line moves by. */
const tableOf = (line: LineDraft) => (isShipped(line) ? orderItemStates : serviceItemStates);

/** The history of a line, from what happened to it. */
export const historyOf = ({ happenings }: LineDraft) =>
  happenings.map(({ actor, statusAfter, reason, occurredAt }) => {
    const status = statusAfter as OrderItemStatus;
    return { actor, category: categoryOf(status), status, reason, createdAt: occurredAt };
  });
