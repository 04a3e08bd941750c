import type { CoverOrderStatus, PaymentGateway } from "../../schema/vocabulary.ts";
import { amountOf, type Amount } from "../kernel/amounts.ts";
import { invalid, invalidField, invalidFields, missing, unknownReference } from "../kernel/errors.ts";
import { sent } from "../kernel/sent.ts";
import type { CoverCustomerRepository } from "./cover-customer.repository.ts";
import type { CoverOrderLine, CoverOrderRecord, CoverOrderRepository } from "./cover-order.repository.ts";
import { isPaid, movesOf, statusAfter, statusOf } from "./cover-order.states.ts";
import type { CoverPriceRepository } from "./cover-price.repository.ts";
import type { CoverSubscriptionRecord, CoverSubscriptionRepository } from "./cover-subscription.repository.ts";
import type { CoverRepository } from "./cover.repository.ts";
import type { CoverService, ScenarioVendor } from "./cover.service.ts";
import type { FailureReport } from "./failure-report.ts";
import { register } from "./registration.ts";
import type { TimelineService } from "./timeline.service.ts";

/** An order as a merchant registers one. */
export interface CoverOrderRegistration extends FailureReport {
  customerId: number;
  amount: Amount;
  items: readonly CoverOrderLine[];
  partnerOrderId: string;
  amountReturned?: Amount | null;
  paymentDate?: Date | null;
  canceledDate?: Date | null;
  idKey?: string | null;
  subscriptionId?: number | null;
  paymentInfo?: string | null;
  paymentGateway?: PaymentGateway | null;
  paymentFailed?: boolean | null;
  replaceIfExists?: boolean | null;
}

/** A move of a registered order by its merchant. */
export interface CoverOrderMove {
  orderId: number;
  status: CoverOrderStatus;
  /** For PARTIAL_REFUND: how much was returned. */
  amountReturned?: Amount | null;
}

/** More lines than any order has; each is a row of one statement. */
const MOST_ITEMS = 1_000;

/** Keeps the orders of the recovery module, and tells their covers what the merchant reports of them. */
export class CoverOrderService {
  constructor(
    private readonly orders: CoverOrderRepository,
    private readonly customers: CoverCustomerRepository,
    private readonly prices: CoverPriceRepository,
    private readonly subscriptions: CoverSubscriptionRepository,
    private readonly covers: CoverRepository,
    private readonly recovery: CoverService,
    private readonly timeline: TimelineService,
    private readonly now: Date,
  ) {}

  /** Registers an order and, where its payment failed, starts or continues its recovery. */
  async register(vendor: ScenarioVendor, input: CoverOrderRegistration): Promise<CoverOrderRecord> {
    const {
      items,
      replaceIfExists,
      paymentFailed,
      errorCode,
      errorMessage,
      adviceCode,
      network,
      initiator,
      ...fields
    } = input;
    const failure = paymentFailed ? { errorCode, errorMessage, adviceCode, network, initiator } : null;
    if (items.length === 0)
      throw invalidFields([{ path: "items", code: "REQUIRED", message: "must have at least one line." }]);
    if (items.length > MOST_ITEMS) throw invalidField("items", `must have at most ${MOST_ITEMS} lines.`);
    await this.refuseUnknown(vendor.id, input);
    const subscription = await this.lockSubscription(vendor.id, input);
    const { record, before } = await register(this.orders, vendor.id, {
      noun: "order",
      partnerId: fields.partnerOrderId,
      replaceIfExists: replaceIfExists ?? false,
      fresh: () => this.fresh(fields, failure !== null),
      replacing: (existing) => this.replacing(vendor.id, existing, subscription, fields, failure !== null),
    });
    await Promise.all([
      before ? this.orders.setItems(vendor.id, record.id, items) : this.orders.addItems(vendor.id, record.id, items),
      this.tellRegistration(vendor.id, record, before),
    ]);
    if (failure && record.status === "PAYMENT_FAILURE")
      await this.recovery.reportFailure(vendor, record, subscription, failure);
    else if (before && subscription) await this.recovery.adopt(vendor.id, record, subscription);
    if (input.canceledDate || record.status === "FULL_REFUND")
      await this.recovery.finish(vendor.id, record.id, "CANCELED");
    else if (!failure && input.paymentDate && isPaid(record.status))
      await this.recovery.finish(vendor.id, record.id, "PAID");
    return (await this.orders.byId(vendor.id, record.id))!;
  }

  /** The money came: by a retry, or late. Said again, it changes nothing. */
  async markPaid(vendorId: number, orderId: number, notify: boolean): Promise<CoverOrderRecord> {
    const order = await this.lock(vendorId, orderId);
    if (isPaid(order.status)) {
      // A refund in part leaves a recovery running until the rest is told to have come.
      await this.recovery.finish(vendorId, orderId, "PAID", notify);
      return order;
    }
    const paid = await this.orders.change(vendorId, orderId, {
      status: "PAID",
      paymentDate: order.paymentDate ?? this.now,
      canceledDate: null,
      modifiedAt: this.now,
    });
    await this.timeline.record(vendorId, {
      ...subjectsOf(order),
      type: order.status === "CANCELED" ? "LATE_PAYMENT" : "ORDER_PAID",
      facts: { from: order.status, to: "PAID", ...(order.canceledDate && { canceledDate: order.canceledDate }) },
    });
    await this.recovery.finish(vendorId, orderId, "PAID", notify);
    return paid;
  }

  /** The order will not be paid any more. Said again, it changes nothing. */
  async cancel(vendorId: number, orderId: number): Promise<CoverOrderRecord> {
    const order = await this.lock(vendorId, orderId);
    if (order.status === "CANCELED") return order;
    if (isPaid(order.status)) {
      throw invalid("ORDER_ALREADY_PAID", `The order is ${order.status}; refund it instead of cancelling it.`);
    }
    const canceled = await this.orders.change(vendorId, orderId, {
      status: "CANCELED",
      canceledDate: order.canceledDate ?? this.now,
      modifiedAt: this.now,
    });
    await this.timeline.record(vendorId, {
      ...subjectsOf(order),
      type: "ORDER_CANCELED",
      facts: { from: order.status, to: "CANCELED" },
    });
    await this.recovery.finish(vendorId, orderId, "CANCELED");
    return canceled;
  }

  /** Moves a paid order along its table of states. A move to the state it is in changes nothing. */
  async setStatus(vendorId: number, { orderId, status, amountReturned }: CoverOrderMove): Promise<CoverOrderRecord> {
    if (amountReturned != null && status !== "PARTIAL_REFUND")
      throw invalidField("amountReturned", "goes with PARTIAL_REFUND only.");
    const order = await this.lock(vendorId, orderId);
    if (order.status === status && !isFurtherRefund(order, amountReturned)) return order;
    const legal = movesOf(order.status, order.previousStatus);
    if (!legal.includes(status)) {
      const moves = legal.length > 0 ? `It can become ${legal.join(", ")}.` : "It has no move by name.";
      throw invalid("ILLEGAL_TRANSITION", `An order that is ${order.status} cannot become ${status}. ${moves}`, {
        legal,
      });
    }
    const moved = await this.orders.change(vendorId, orderId, {
      status,
      previousStatus: order.status,
      modifiedAt: this.now,
      ...(status === "CANCELED" && { canceledDate: this.now }),
      ...(status === "FULL_REFUND" && { amountReturned: order.amount }),
      ...(status === "PARTIAL_REFUND" && { amountReturned: partOf(order, amountReturned) }),
    });
    await this.timeline.record(vendorId, {
      ...subjectsOf(order),
      type: "ORDER_STATUS_CHANGED",
      facts: { from: order.status, to: status },
    });
    // A refund in part can leave a recovery running.
    if (status === "FULL_REFUND") await this.recovery.finish(vendorId, orderId, "CANCELED");
    return moved;
  }

  private async lock(vendorId: number, orderId: number): Promise<CoverOrderRecord> {
    const order = await this.orders.lock(vendorId, orderId);
    if (!order) throw missing("ORDER_NOT_FOUND", "There is no order with this id.");
    return order;
  }

  /** The subscription that a failure would concern is held before the order is, as everywhere. */
  private async lockSubscription(
    vendorId: number,
    input: CoverOrderRegistration,
  ): Promise<CoverSubscriptionRecord | undefined> {
    const known =
      input.subscriptionId ??
      (input.replaceIfExists ? await this.subscriptionOf(vendorId, input.partnerOrderId) : null);
    if (known == null) return undefined;
    const subscription = await this.subscriptions.lock(vendorId, known);
    if (!subscription) throw unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription");
    if (input.subscriptionId != null && subscription.customerId !== input.customerId) {
      throw mismatched();
    }
    return subscription;
  }

  private async subscriptionOf(vendorId: number, partnerOrderId: string): Promise<number | null> {
    return (await this.orders.byPartnerId(vendorId, partnerOrderId))?.subscriptionId ?? null;
  }

  private async refuseUnknown(vendorId: number, { customerId, items }: CoverOrderRegistration): Promise<void> {
    const [customers, prices] = await Promise.all([
      this.customers.byIds(vendorId, [customerId]),
      this.prices.byIds(vendorId, [...new Set(items.map(({ priceId }) => priceId))]),
    ]);
    if (customers.length === 0) throw unknownReference("CUSTOMER_NOT_FOUND", "customerId", "customer");
    const known = new Set(prices.map(({ id }) => id));
    const unknown = items.findIndex(({ priceId }) => !known.has(priceId));
    if (unknown >= 0) throw unknownReference("PRICE_NOT_FOUND", `items[${unknown}].priceId`, "price plan");
  }

  private fresh(fields: Omit<CoverOrderRegistration, "items">, paymentFailed: boolean) {
    const amountReturned = fields.amountReturned ?? amountOf(0);
    const { paymentDate = null, canceledDate = null } = fields;
    return {
      ...fields,
      amountReturned,
      paymentGateway: fields.paymentGateway ?? ("UNKNOWN" as const),
      status: statusOf({ paymentFailed, amount: fields.amount, amountReturned, canceledDate, paymentDate }),
      createdAt: this.now,
      modifiedAt: this.now,
    };
  }

  private async replacing(
    vendorId: number,
    existing: CoverOrderRecord,
    subscription: CoverSubscriptionRecord | undefined,
    fields: Omit<CoverOrderRegistration, "items">,
    paymentFailed: boolean,
  ) {
    const cover = await this.covers.lockLatestOf(vendorId, existing.id);
    const subscriptionId = fields.subscriptionId ?? existing.subscriptionId;
    const elsewhere =
      fields.customerId !== existing.customerId ||
      (existing.subscriptionId !== null && subscriptionId !== existing.subscriptionId);
    if (cover?.state === "IN_PROGRESS" && elsewhere) {
      throw invalid(
        "COVER_IN_PROGRESS",
        "A recovery is running, so the order cannot move to another customer or subscription.",
      );
    }
    if (subscription && subscription.customerId !== fields.customerId) throw mismatched();
    const amountReturned = fields.amountReturned ?? existing.amountReturned;
    const { paymentDate = null, canceledDate = null } = fields;
    return {
      ...sent(fields),
      amountReturned,
      subscriptionId,
      paymentDate: paymentDate ?? existing.paymentDate,
      canceledDate: canceledDate ?? existing.canceledDate,
      paymentGateway: fields.paymentGateway ?? existing.paymentGateway,
      status: statusAfter(existing.status, {
        paymentFailed,
        amount: fields.amount,
        amountReturned,
        canceledDate,
        paymentDate,
      }),
      modifiedAt: this.now,
    };
  }

  private tellRegistration(
    vendorId: number,
    order: CoverOrderRecord,
    before: CoverOrderRecord | undefined,
  ): Promise<void> {
    const subjects = subjectsOf(order);
    if (!before)
      return this.timeline.record(vendorId, { ...subjects, type: "ORDER_REGISTERED", facts: { to: order.status } });
    const updated = { ...subjects, type: "ORDER_UPDATED" as const };
    if (before.status === order.status) return this.timeline.record(vendorId, updated);
    const facts = { from: before.status, to: order.status };
    return this.timeline.record(vendorId, updated, { ...subjects, type: "ORDER_STATUS_CHANGED", facts });
  }
}

/** Whose timelines tell of an order: its own, and that of its subscription. */
const subjectsOf = ({ id, subscriptionId }: CoverOrderRecord) => ({ orderId: id, subscriptionId });

const mismatched = () => invalid("SUBSCRIPTION_MISMATCH", "The subscription belongs to another customer.");

/** A second refund in part is another move, which the table does not have; said again, the first one is none. */
const isFurtherRefund = (order: CoverOrderRecord, amountReturned: Amount | null | undefined): boolean =>
  order.status === "PARTIAL_REFUND" && amountReturned != null && !amountReturned.eq(order.amountReturned);

function partOf(order: CoverOrderRecord, amountReturned: Amount | null | undefined): Amount {
  if (amountReturned == null) {
    const message = "is required for PARTIAL_REFUND: how much was returned.";
    throw invalidFields([{ path: "amountReturned", code: "REQUIRED", message }]);
  }
  if (!amountReturned.gt(0) || !amountReturned.lt(order.amount)) {
    throw invalidField("amountReturned", "must be more than 0 and less than the order's amount.");
  }
  return amountReturned;
}
