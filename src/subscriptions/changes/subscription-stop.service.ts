import type { Actor, SubscriptionStatus } from "../../../schema/vocabulary.ts";
import type { Asked, Cancellation, Pause, SubscriptionMovesService } from "../subscription-transitions.service.ts";
import type { SubscriptionRecord, SubscriptionService } from "../subscription.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import type { OrderRecord } from "../../orders/order-writer.service.ts";
import type { RenewalOrderService } from "../renewal-orders/renewal-order.service.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** In these time passes that a postpaid subscription is charged for. */
const running: ReadonlySet<SubscriptionStatus> = new Set(["ACTIVE", "PENDING_PAUSE", "PENDING_CANCEL"]);

/**
 * Stops subscriptions, for a while or for good. A postpaid one is charged before for what was used until then: its last
 * order is made, to be charged at once.
 */
export class SubscriptionEndingService {
  constructor(
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly orderItems: OrderItemService,
    private readonly subscriptions: SubscriptionService,
    private readonly moves: SubscriptionMovesService,
    private readonly renewals: RenewalOrderService,
    private readonly now: Date,
  ) {}

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION, INVALID_ARGUMENT. @returns its last order, if it has one. */
  async pause(vendorId: number, id: number, pause: Pause): Promise<OrderRecord | null> {
    const record = await this.subscriptions.held(vendorId, id);
    const order = pause.when === "NOW" ? await this.last(vendorId, record, this.now, pause.actor) : null;
    await this.moves.pause(vendorId, record, pause);
    return order;
  }

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION, INVALID_ARGUMENT. @returns its last order, if it has one. */
  async cancel(vendorId: number, id: number, cancellation: Cancellation): Promise<OrderRecord | null> {
    const record = await this.subscriptions.held(vendorId, id);
    return this.cancelHeld(vendorId, record, cancellation);
  }

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION. */
  async activate(vendorId: number, id: number, asked: Asked): Promise<void> {
    await this.moves.activate(vendorId, await this.subscriptions.held(vendorId, id), asked);
  }

  /** Cancels now every subscription that an order started. */
  async cancelStartedBy(vendorId: number, orderId: number, asked: Asked): Promise<void> {
    for (const record of await this.moves.startedBy(vendorId, orderId))
      await this.cancelHeld(vendorId, record, { ...asked, when: "NOW" });
  }

  /**
   * Does to some subscriptions of a vendor what happens by itself besides charges: pauses and cancellations whose date has
   * come, ends, pauses that are over. @returns how many there were; none when all is done.
   */
  async actOnDue(vendorId: number, most: number): Promise<number> {
    const due = await this.moves.acting(vendorId, most);
    for (const { record, act } of due) {
      const stops = act === "EXPIRE" || act === "CANCEL" || act === "PAUSE";
      if (stops) await this.last(vendorId, record, record.actAt!, "SYSTEM");
      await this.moves.act(vendorId, record, act);
      if (act === "EXPIRE" || act === "CANCEL") await this.ended(vendorId, record, { actor: "SYSTEM" });
    }
    return due.length;
  }

  /** What was to join a prepaid subscription that is over is not paid any more, nor what could not be charged of it. */
  async ended(vendorId: number, { id, claimMethodType }: SubscriptionRecord, { actor, reason }: Asked): Promise<void> {
    if (claimMethodType === "POST") return;
    for (const orderId of await this.subscriptionOrders.unpaidChanges(vendorId, id))
      await this.orderItems.moveWhole(vendorId, orderId, { trigger: "cancelOrder", actor, reason: reason ?? null });
  }

  private async cancelHeld(vendorId: number, record: SubscriptionRecord, cancellation: Cancellation) {
    const order = cancellation.when === "NOW" ? await this.last(vendorId, record, this.now, cancellation.actor) : null;
    await this.moves.cancel(vendorId, record, cancellation);
    if (cancellation.when === "NOW") await this.ended(vendorId, record, cancellation);
    return order;
  }

  private async last(
    vendorId: number,
    record: SubscriptionRecord,
    stopsAt: Date,
    actor: Actor,
  ): Promise<OrderRecord | null> {
    if (record.claimMethodType === "PRE" || !running.has(record.status)) return null;
    return this.renewals.makeLast(vendorId, record, stopsAt, actor);
  }
}
