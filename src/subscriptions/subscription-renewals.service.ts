import type { Actor, FinalAction } from "../../schema/vocabulary.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { SubscriptionQuotasService } from "./subscription-quotas.service.ts";
import type { SubscriptionItemRecord, SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { afterCharge, nextCharge, type Standing } from "./subscription.schedule.ts";
import type { SubscriptionService } from "./subscription.service.ts";
import type { SubscriptionTrigger } from "./subscription.states.ts";

/** A charge that is made later: until when it is left alone, why, and whether this is the first time. */
export interface PutOff {
  orderId: number;
  until: Date;
  reason: string;
  isFirst: boolean;
}

const finalTriggers = {
  EXPIRE: "expireAfterRecovery",
  PAUSE: "pauseAfterRecovery",
  CANCEL: "cancelAfterRecovery",
} as const;

/** The moves of a subscription around the charges of its periods. Whoever charges calls them; nothing is charged here. */
export class SubscriptionRenewalsService {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly keeper: SubscriptionService,
    private readonly vendors: VendorService,
    private readonly quotas: SubscriptionQuotasService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /** Those that have to be charged, or one of them if it has to, held; what another worker holds or has a lease of is passed over. */
  due(vendorId: number, most: number, onlyId?: number): Promise<SubscriptionRecord[]> {
    return this.subscriptions.lockDue(vendorId, this.now, most, onlyId);
  }

  /**
   * Claims one that is held for the charge of its period: it is QUEUEING until the charge has ended. One whose lease is
   * over is claimed again.
   */
  async claim(vendorId: number, record: SubscriptionRecord, leaseUntil: Date): Promise<SubscriptionRecord> {
    if (record.status === "QUEUEING") return this.keeper.settle(vendorId, { ...record, leaseUntil });
    return this.keeper.move(vendorId, record, { trigger: "claimRenewal" }, { leaseUntil });
  }

  /**
   * The charge of the period was paid; where it had failed before, it is recovered. One that is neither QUEUEING nor UNPAID,
   * because it was cancelled meanwhile, stays as it is.
   */
  async renewed(vendorId: number, id: number, orderId: number, actor: Actor = "SYSTEM"): Promise<SubscriptionRecord> {
    const { status } = await this.keeper.held(vendorId, id);
    if (status === "UNPAID") return this.recovered(vendorId, id, orderId, actor);
    return this.charged(vendorId, id, "completeRenewal", "SYSTEM", orderId);
  }

  /** A charge that was being recovered was paid. One that is not UNPAID any more stays as it is. */
  async recovered(vendorId: number, id: number, orderId: number, actor: Actor = "SYSTEM"): Promise<SubscriptionRecord> {
    return this.charged(vendorId, id, "recoverPayment", actor, orderId);
  }

  /** What is needed for its period is not there, such as stock: it is tried again later. It is held and was not claimed. */
  async postpone(vendorId: number, record: SubscriptionRecord, until: Date, reason: string): Promise<void> {
    await this.keeper.settle(vendorId, { ...record, leaseUntil: until });
    await this.keeper.tell(vendorId, record, "postponeRenewal", { reason, facts: { until } });
  }

  /**
   * Nobody could charge it, and not for want of money: it stays as it is, and the charge is made later. One that is being
   * charged is left alone until then. What lasts is told once.
   */
  async putOff(vendorId: number, id: number, { orderId, until, reason, isFirst }: PutOff): Promise<void> {
    const record = await this.keeper.held(vendorId, id);
    if (record.status === "QUEUEING") await this.keeper.settle(vendorId, { ...record, leaseUntil: until });
    const isOver = record.status === "CANCELED" || record.status === "EXPIRED";
    if (isFirst && !isOver)
      await this.keeper.tell(vendorId, record, "postponeRenewal", { orderId, reason, facts: { until } });
  }

  /** A charge besides its periods is made later. The subscription stays as it is, also where it has ended. */
  async wait(vendorId: number, id: number, { orderId, until, reason }: PutOff): Promise<void> {
    const record = await this.keeper.held(vendorId, id);
    await this.keeper.tell(vendorId, record, "postponeRenewal", { orderId, reason, facts: { until } });
  }

  /** The charge failed: it is UNPAID at once. A pause that was set is off, a cancellation is not. */
  async failed(vendorId: number, id: number, orderId: number, reason?: string | null): Promise<SubscriptionRecord> {
    const record = await this.keeper.held(vendorId, id);
    if (record.status !== "QUEUEING") return record;
    const changes = { leaseUntil: null, pauseAt: null, resumeAt: null };
    return this.keeper.move(vendorId, record, { trigger: "failRenewal", orderId, reason }, changes);
  }

  /** Trying to recover the charge is over; KEEP leaves it UNPAID. One that was ended or paid meanwhile stays as it is. */
  async exhausted(vendorId: number, id: number, orderId: number, action: FinalAction): Promise<SubscriptionRecord> {
    const record = await this.keeper.held(vendorId, id);
    if (record.status !== "UNPAID") return record;
    if (action === "KEEP") {
      await this.keeper.tell(vendorId, record, "exhaustRecovery", { orderId });
      return record;
    }
    const changes = {
      ...(action === "PAUSE" && { pausedAt: this.now }),
      ...(action === "CANCEL" && { canceledAt: this.now }),
    };
    return this.keeper.move(vendorId, record, { trigger: finalTriggers[action], orderId }, changes);
  }

  /** From now on it is charged to another stored method. One whose first method nobody confirmed becomes ACTIVE by it. */
  async changeMethod(
    vendorId: number,
    id: number,
    methodId: number,
    { orderId, actor = "CUSTOMER" }: { orderId: number; actor?: Actor },
  ): Promise<void> {
    const record = await this.keeper.held(vendorId, id);
    const settled = await this.keeper.settle(vendorId, { ...record, paymentMethodId: methodId });
    if (record.status === "INCOMPLETE") await this.keeper.move(vendorId, settled, { trigger: "confirmPaymentMethod" });
    await this.keeper.tell(vendorId, record, "changePaymentMethod", { orderId, actor, facts: { methodId } });
  }

  private async charged(
    vendorId: number,
    id: number,
    trigger: "completeRenewal" | "recoverPayment",
    actor: Actor,
    orderId: number,
  ): Promise<SubscriptionRecord> {
    const record = await this.keeper.held(vendorId, id);
    if (record.status !== (trigger === "completeRenewal" ? "QUEUEING" : "UNPAID")) {
      await this.keeper.tell(vendorId, record, "payBesides", { orderId, actor });
      return record;
    }
    const { zoneId } = await this.vendors.terms(vendorId);
    const advance = afterCharge(record, zoneId, this.now, trigger === "recoverPayment");
    await this.chargeItems(vendorId, record, nextCharge(record, zoneId).begins!.start, advance.currentPeriodStart);
    const first = (await this.subscriptions.itemsOf(vendorId, id)).find(({ removedAt }) => removedAt === null);
    const changes = {
      ...advance,
      priceId: first?.priceId ?? record.priceId,
      lastPaymentDate: this.now,
      leaseUntil: null,
    };
    const moved = await this.keeper.move(vendorId, record, { trigger, actor, orderId }, changes);
    const again = scheduledAgain(moved);
    return again ? this.keeper.move(vendorId, moved, { trigger: again }) : moved;
  }

  /** Items count the cycle; those that were added for the last one alone are gone, changed plans begin, usage is allowed anew. */
  private async chargeItems(vendorId: number, record: SubscriptionRecord, begins: Date, period: Date): Promise<void> {
    const items = (await this.subscriptions.itemsOf(vendorId, record.id)).filter(
      ({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null,
    );
    for (const item of items) {
      const isDropped = item.isAdditional && !item.keepWhenRenew;
      await this.subscriptions.changeItem(vendorId, item.id, {
        chargedCycles: item.chargedCycles + 1,
        ...(isDropped && { removedAt: begins }),
        ...(item.nextPriceId !== null && { priceId: item.nextPriceId, price: item.nextPrice!, nextPriceId: null }),
        ...(item.nextPriceId !== null && { nextPrice: null }),
        modifiedAt: this.now,
      });
    }
    await this.tellPlans(
      vendorId,
      record,
      items.filter(({ nextPriceId }) => nextPriceId !== null),
    );
    const kept = items.filter(({ isAdditional, keepWhenRenew }) => !isAdditional || keepWhenRenew);
    await this.quotas.begin(vendorId, record, kept, period);
  }

  private async tellPlans(vendorId: number, record: SubscriptionRecord, items: readonly SubscriptionItemRecord[]) {
    if (items.length === 0) return;
    const codes = await this.offers.codesOf(
      vendorId,
      items.flatMap(({ priceId, nextPriceId }) => [priceId, nextPriceId!]),
    );
    for (const { code: itemCode, priceId, nextPriceId } of items) {
      const [before, after] = [codes.get(priceId)!, codes.get(nextPriceId!)!];
      const facts = { itemCode, priceCode: after.priceCode, before: before.priceCode };
      await this.keeper.tell(vendorId, record, "changePlan", { facts });
    }
  }
}

/** What was scheduled before the charge is scheduled still. */
function scheduledAgain({ cancelAt, pauseAt }: Standing): SubscriptionTrigger | undefined {
  if (cancelAt !== null) return "scheduleCancellation";
  return pauseAt === null ? undefined : "schedulePause";
}
