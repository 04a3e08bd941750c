import type { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { invalid, invalidField, invalidFields, notFound } from "../../kernel/refusals.ts";
import { toStatusChangedEvent, toOrderPaidEvent } from "./cover-order.events.ts";
import type { CoverOrderRecord, CoverOrderRepository } from "./cover-order.repository.ts";
import { isPaidStatus, transitionsOf } from "./cover-order.states.ts";
import type { CoverService, PaymentReport } from "../covers/cover.service.ts";
import type { CoverTimelineService } from "../covers/cover-timeline.service.ts";

/** A merchant's transition of a registered order. */
export interface CoverOrderTransition {
  orderId: number;
  status: CoverOrderStatus;
  /** For PARTIAL_REFUND: how much was returned. */
  amountReturned?: Amount | null;
}

/** Applies transitions to registered orders, and ends the covers of orders without an open amount. */
export class CoverOrderTransitionsService {
  constructor(
    private readonly deps: {
      coverOrderRepository: CoverOrderRepository;
      covers: CoverService;
      coverTimeline: CoverTimelineService;
      now: Date;
    },
  ) {}

  /** The order was paid: by a retry, by the payer in person, or late. Idempotent. */
  async markPaid(vendorId: number, orderId: number, payment: PaymentReport): Promise<CoverOrderRecord> {
    const order = await this.lock(vendorId, orderId);
    if (isPaidStatus(order.status)) {
      // A partial refund leaves a recovery running until the remainder is reported as paid.
      await this.deps.covers.endCoverOfOrder(vendorId, orderId, "PAID", payment);
      return order;
    }
    const paid = await this.deps.coverOrderRepository.update(vendorId, orderId, {
      status: "PAID",
      paymentDate: order.paymentDate ?? this.deps.now,
      canceledAt: null,
      modifiedAt: this.deps.now,
    });
    await this.deps.coverTimeline.recordEvents(vendorId, toOrderPaidEvent(order));
    await this.deps.covers.endCoverOfOrder(vendorId, orderId, "PAID", payment);
    return paid;
  }

  /** The order will not be paid any more. Idempotent. */
  async cancel(vendorId: number, orderId: number): Promise<CoverOrderRecord> {
    const order = await this.lock(vendorId, orderId);
    if (order.status === "CANCELED") return order;
    if (isPaidStatus(order.status)) {
      const advice =
        order.status === "FULL_REFUND" ? "there is nothing to cancel" : "refund it instead of cancelling it";
      throw invalid("ORDER_ALREADY_PAID", `The order is ${order.status}; ${advice}.`);
    }
    const canceled = await this.deps.coverOrderRepository.update(vendorId, orderId, {
      status: "CANCELED",
      canceledAt: order.canceledAt ?? this.deps.now,
      modifiedAt: this.deps.now,
    });
    await this.deps.coverTimeline.recordEvents(vendorId, toStatusChangedEvent(order, "CANCELED", "ORDER_CANCELED"));
    await this.deps.covers.endCoverOfOrder(vendorId, orderId, "CANCELED");
    return canceled;
  }

  /** Applies a transition of a paid order. A transition to its current state changes nothing. */
  async setStatus(
    vendorId: number,
    { orderId, status, amountReturned }: CoverOrderTransition,
  ): Promise<CoverOrderRecord> {
    if (amountReturned != null && status !== "PARTIAL_REFUND")
      throw invalidField("amountReturned", "can be used with PARTIAL_REFUND only.");
    const order = await this.lock(vendorId, orderId);
    if (order.status === status && !isFurtherRefund(order, amountReturned)) return order;
    const legal = transitionsOf(order.status, order.previousStatus);
    if (!legal.includes(status)) {
      const legalText = legal.length > 0 ? `It can become ${legal.join(", ")}.` : "It can be moved to no other status.";
      throw invalid("ILLEGAL_TRANSITION", `An order that is ${order.status} cannot become ${status}. ${legalText}`, {
        legal,
      });
    }
    const updated = await this.deps.coverOrderRepository.update(vendorId, orderId, {
      status,
      previousStatus: order.status,
      modifiedAt: this.deps.now,
      ...(status === "CANCELED" && { canceledAt: this.deps.now }),
      ...(status === "FULL_REFUND" && { amountReturned: order.amount }),
      ...(status === "PARTIAL_REFUND" && { amountReturned: requirePartialRefundAmount(order, amountReturned) }),
    });
    await this.deps.coverTimeline.recordEvents(vendorId, toStatusChangedEvent(order, status));
    // A partial refund can leave a recovery running.
    if (status === "FULL_REFUND") await this.deps.covers.endCoverOfOrder(vendorId, orderId, "CANCELED");
    return updated;
  }

  private async lock(vendorId: number, orderId: number): Promise<CoverOrderRecord> {
    const order = await this.deps.coverOrderRepository.lock(vendorId, orderId);
    if (!order) throw notFound("ORDER_NOT_FOUND", "There is no order with this id.");
    return order;
  }
}

/** A further partial refund is another transition, which the table does not have; a repeat of the first one is none. */
const isFurtherRefund = (order: CoverOrderRecord, amountReturned: Amount | null | undefined): boolean =>
  order.status === "PARTIAL_REFUND" && amountReturned != null && !amountReturned.eq(order.amountReturned);

function requirePartialRefundAmount(order: CoverOrderRecord, amountReturned: Amount | null | undefined): Amount {
  if (amountReturned == null) {
    const message = "is required for PARTIAL_REFUND: send the returned amount.";
    throw invalidFields([{ path: "amountReturned", code: "REQUIRED", message }]);
  }
  if (!amountReturned.gt(0) || !amountReturned.lt(order.amount)) {
    throw invalidField("amountReturned", "must be more than 0 and less than the order's amount.");
  }
  return amountReturned;
}
