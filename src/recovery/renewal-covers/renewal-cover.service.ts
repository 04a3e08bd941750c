import type { PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { invariant } from "../../kernel/refusals.ts";
import type { OrderPaymentService, OrderRecord } from "../../orders/order-payment.service.ts";
import type { SubscriptionEndingService } from "../../subscriptions/changes/subscription-stop.service.ts";
import type { PutOff, SubscriptionRenewalsService } from "../../subscriptions/subscription-renewals.service.ts";
import type { CardTryService } from "../../payments/card-attempt.service.ts";
import type { CoverCourseService, CoverMatter } from "../covers/cover-lifecycle.service.ts";
import type { ScenarioVendor } from "../covers/cover.facts.ts";
import type { Failure } from "../covers/cover.values.ts";
import type { CoverRecord, CoverRepository } from "../covers/cover.repository.ts";
import { countedMs, currentRulebook } from "../engine/rulebook.ts";
import { finalActionOf } from "../covers/final-action.ts";
import { endingOf, moveOf, retryOf, startOf } from "./renewal-cover.events.ts";
import { matterOf, worthOf } from "./renewal.context.ts";
import type { RenewalCoverRecord, RenewalCoverRepository } from "./renewal-cover.repository.ts";

/** A charge of a renewal that failed. */
export interface FailedCharge extends Failure {
  orderId: number;
  subscriptionId: number;
  /** The date of a cover that it was the try of; null for the first charge. */
  retryAt: Date | null;
  /** Who declined it, and how it was to be paid; null where there was nothing to charge. */
  paymentGateway: PaymentGateway | null;
  paymentMethod: PaymentMethod | null;
  /** The stored method that was charged; null where there was none. */
  methodId: number | null;
}

/** A retry that is about to be made. */
type Retry = Pick<FailedCharge, "subscriptionId" | "paymentGateway" | "paymentMethod" | "methodId"> & { retryAt: Date };

/** Covers renewals that failed, as those of registered orders are, only that the service itself makes the tries. */
export class RenewalCoverService {
  constructor(
    private readonly covers: CoverRepository,
    private readonly renewalCovers: RenewalCoverRepository,
    private readonly course: CoverCourseService,
    private readonly subscriptions: SubscriptionRenewalsService,
    private readonly endings: SubscriptionEndingService,
    private readonly orders: OrderPaymentService,
    private readonly cards: CardTryService,
    private readonly events: EventService,
    private readonly now: Date,
  ) {}

  /** Claims the next try of a cover: nobody else makes it until the lease is over. */
  async claim(vendorId: number, leaseUntil: Date): Promise<RenewalCoverRecord | undefined> {
    const cover = await this.renewalCovers.lockDue(vendorId, this.now);
    if (cover) await this.covers.change(vendorId, cover.id, { leaseUntil });
    return cover;
  }

  /**
   * Whether a retry may be made now: it is still awaited, and no network's limit was used up since its date was told. Where one
   * was, the cover gets another date or ends. The caller holds the order, and the card until the retry counts.
   */
  async mayTry(vendor: ScenarioVendor, order: OrderRecord, { retryAt, ...retry }: Retry): Promise<boolean> {
    const cover = await this.renewalCovers.lockLatestOf(vendor.id, order.id);
    if (cover?.retryAt?.getTime() !== retryAt.getTime()) return false;
    const after = await this.course.reconsider(this.matterOf(vendor, order, retry), cover, (told, decision) =>
      this.tell(vendor.id, order, told, moveOf(told, decision)),
    );
    if (after) await this.conclude(vendor.id, { ...retry, orderId: order.id }, after);
    return after === undefined;
  }

  /**
   * Takes a charge that failed: the first one leaves the subscription UNPAID and starts a cover, the others lead on to the
   * next date or the end. A charge that was taken already changes nothing.
   */
  async failed(vendor: ScenarioVendor, charge: FailedCharge): Promise<void> {
    const order = await this.orders.lock(vendor.id, charge.orderId);
    invariant(order, "what was charged has an order");
    const cover = await this.renewalCovers.lockLatestOf(vendor.id, charge.orderId);
    if (!cover) return this.begin(vendor, order, charge);
    const { retryAt } = cover;
    if (retryAt === null || retryAt.getTime() !== charge.retryAt?.getTime()) return;
    const matter = this.matterOf(vendor, order, charge);
    const scheduled = { kind: "SCHEDULED" as const, tried: retryAt };
    const after = await this.course.goOn(
      matter,
      cover,
      charge,
      null,
      () => scheduled,
      (told, failed) => this.tell(vendor.id, order, told, retryOf(told, failed)),
    );
    await this.conclude(vendor.id, charge, after);
  }

  /**
   * Takes a charge that nobody could make, and not for want of money: no bank declined anything. It uses no try up and is
   * made later, the first one by its subscription's lease, a retry by that of its cover.
   */
  async putOff(
    vendorId: number,
    { subscriptionId, retryAt }: Pick<FailedCharge, "subscriptionId" | "retryAt">,
    putOff: PutOff,
  ): Promise<void> {
    await this.orders.lock(vendorId, putOff.orderId);
    const cover = await this.renewalCovers.lockLatestOf(vendorId, putOff.orderId);
    const isAwaited = cover
      ? cover.retryAt !== null && cover.retryAt.getTime() === retryAt?.getTime()
      : retryAt === null;
    if (!isAwaited) return;
    if (cover) await this.covers.change(vendorId, cover.id, { leaseUntil: putOff.until });
    await this.subscriptions.putOff(vendorId, subscriptionId, putOff);
  }

  /** Ends the cover in progress of an order: the money came, or the subscription is over. */
  async finish(vendorId: number, orderId: number, endReason: "PAID" | "CANCELED"): Promise<void> {
    const order = await this.orders.lock(vendorId, orderId);
    const cover = await this.renewalCovers.lockLatestOf(vendorId, orderId);
    if (!order || cover?.state !== "IN_PROGRESS") return;
    await this.course.end(vendorId, cover, endReason, (ended) => this.tell(vendorId, order, ended, endingOf(ended)));
  }

  /** Covers in progress of which nothing is left to be recovered. */
  settled(vendorId: number, most: number): Promise<{ orderId: number; isPaid: boolean }[]> {
    return this.renewalCovers.settled(vendorId, most);
  }

  private async begin(vendor: ScenarioVendor, order: OrderRecord, charge: FailedCharge): Promise<void> {
    const { orderId, subscriptionId, errorMessage } = charge;
    const { status } = await this.subscriptions.failed(vendor.id, subscriptionId, orderId, errorMessage);
    if (status !== "UNPAID") return;
    const registered = { orderId: null, subscriptionId: null };
    const on = { ...registered, renewalOrderId: orderId, renewalSubscriptionId: subscriptionId };
    const cover = await this.course.begin(
      { ...this.matterOf(vendor, order, charge), on, worth: worthOf(order) },
      charge,
      (started, decision) => this.tell(vendor.id, order, started, startOf(started, decision)),
    );
    await this.conclude(vendor.id, charge, cover);
  }

  /** With what else its card was tried with, as far back as a network counts. */
  private matterOf(
    vendor: ScenarioVendor,
    order: OrderRecord,
    { methodId, ...charge }: Pick<FailedCharge, "methodId" | "paymentGateway" | "paymentMethod">,
  ): CoverMatter {
    const matter = matterOf(vendor, order, charge);
    if (methodId === null) return matter;
    const counted = countedMs(currentRulebook);
    return { ...matter, alongside: (own) => this.cards.triesOf(vendor.id, methodId, counted, own) };
  }

  /** Where only the payer can help, the subscription stays UNPAID for the payer. */
  private async conclude(
    vendorId: number,
    { subscriptionId, orderId }: Pick<FailedCharge, "subscriptionId" | "orderId">,
    cover: CoverRecord,
  ): Promise<void> {
    if (cover.state === "IN_PROGRESS") return;
    const left = await this.subscriptions.exhausted(vendorId, subscriptionId, orderId, finalActionOf(cover));
    if (left.status === "EXPIRED" || left.status === "CANCELED")
      await this.endings.ended(vendorId, left, { actor: "SYSTEM" });
  }

  private tell(
    vendorId: number,
    { customerId }: OrderRecord,
    { id: subjectId, renewalOrderId: orderId, renewalSubscriptionId: subscriptionId }: CoverRecord,
    told: ReturnType<typeof endingOf>,
  ): Promise<void> {
    const of = { subject: "COVER" as const, subjectId, orderId, subscriptionId, customerId };
    return this.events.record(vendorId, ...told.map((one) => ({ ...of, ...one })));
  }
}
