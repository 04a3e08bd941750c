import type { Actor, SubscriptionStatus } from "../../../schema/vocabulary.ts";
import { required } from "../../kernel/required-values.ts";
import type {
  RequestOrigin,
  CancellationRequest,
  PauseRequest,
  SubscriptionTransitionsService,
} from "../subscription-transitions.service.ts";
import type { SubscriptionRecord, SubscriptionService } from "../subscription.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import type { OrderRecord } from "../../orders/order-record.service.ts";
import type { RenewalOrderService } from "../renewal-orders/renewal-order.service.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** In these time passes that a postpaid subscription is charged for. */
const runningStatuses: ReadonlySet<SubscriptionStatus> = new Set(["ACTIVE", "PENDING_PAUSE", "PENDING_CANCEL"]);

/**
 * Stops subscriptions, temporarily or finally. A postpaid one is charged before for its usage until then: its last
 * order is created, to be charged at once.
 */
export class SubscriptionStopService {
  constructor(
    private readonly deps: {
      subscriptionOrderRepository: SubscriptionOrderRepository;
      orderItems: OrderItemService;
      subscriptions: SubscriptionService;
      subscriptionTransitions: SubscriptionTransitionsService;
      renewalOrders: RenewalOrderService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION, INVALID_ARGUMENT. @returns its last order, if it has one. */
  async pause(vendorId: number, id: number, pause: PauseRequest): Promise<OrderRecord | null> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    const order =
      pause.when === "NOW" ? await this.createFinalOrder(vendorId, record, this.deps.now, pause.actor) : null;
    await this.deps.subscriptionTransitions.pause(vendorId, record, pause);
    return order;
  }

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION, INVALID_ARGUMENT. @returns its last order, if it has one. */
  async cancel(vendorId: number, id: number, cancellation: CancellationRequest): Promise<OrderRecord | null> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    return this.cancelLocked(vendorId, record, cancellation);
  }

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION. */
  async activate(vendorId: number, id: number, origin: RequestOrigin): Promise<void> {
    await this.deps.subscriptionTransitions.activate(
      vendorId,
      await this.deps.subscriptions.lockSubscription(vendorId, id),
      origin,
    );
  }

  /** Cancels now every subscription that an order started. */
  async cancelStartedBy(vendorId: number, orderId: number, origin: RequestOrigin): Promise<void> {
    for (const record of await this.deps.subscriptionTransitions.lockStartedBy(vendorId, orderId))
      await this.cancelLocked(vendorId, record, { ...origin, when: "NOW" });
  }

  /**
   * Applies due transitions other than charges to some subscriptions of a vendor: scheduled pauses and cancellations,
   * ends, and ends of pauses. @returns their number; 0 when all are done.
   */
  async applyDueTransitions(vendorId: number, limit: number): Promise<number> {
    const due = await this.deps.subscriptionTransitions.lockDueTransitions(vendorId, limit);
    for (const { record, act: transition } of due) {
      const stops = transition === "EXPIRE" || transition === "CANCEL" || transition === "PAUSE";
      if (stops) await this.createFinalOrder(vendorId, record, required(record.actAt, "actAt"), "SYSTEM");
      await this.deps.subscriptionTransitions.applyDueTransition(vendorId, record, transition);
      if (transition === "EXPIRE" || transition === "CANCEL")
        await this.cancelUnpaidChanges(vendorId, record, { actor: "SYSTEM" });
    }
    return due.length;
  }

  /** Items that were to join an ended prepaid subscription, and its failed charges, are not paid any more. */
  async cancelUnpaidChanges(
    vendorId: number,
    { id, claimMethodType }: SubscriptionRecord,
    { actor, reason }: RequestOrigin,
  ): Promise<void> {
    if (claimMethodType === "POST") return;
    for (const orderId of await this.deps.subscriptionOrderRepository.unpaidChanges(vendorId, id))
      await this.deps.orderItems.transitionOrder(vendorId, orderId, {
        trigger: "cancelOrder",
        actor,
        reason: reason ?? null,
      });
  }

  private async cancelLocked(vendorId: number, record: SubscriptionRecord, cancellation: CancellationRequest) {
    const order =
      cancellation.when === "NOW"
        ? await this.createFinalOrder(vendorId, record, this.deps.now, cancellation.actor)
        : null;
    await this.deps.subscriptionTransitions.cancel(vendorId, record, cancellation);
    if (cancellation.when === "NOW") await this.cancelUnpaidChanges(vendorId, record, cancellation);
    return order;
  }

  private async createFinalOrder(
    vendorId: number,
    record: SubscriptionRecord,
    stopsAt: Date,
    actor: Actor,
  ): Promise<OrderRecord | null> {
    if (record.claimMethodType === "PRE" || !runningStatuses.has(record.status)) return null;
    return this.deps.renewalOrders.createFinalOrder(vendorId, record, stopsAt, actor);
  }
}
