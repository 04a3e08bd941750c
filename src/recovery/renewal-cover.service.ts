import type { CoverEndReason, Network } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { invariant } from "../kernel/errors.ts";
import type { OrderPaymentService, OrderRecord } from "../orders/order-payment.service.ts";
import type { FinalAction, SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import { caseOf, type ScenarioVendor } from "./cover.case.ts";
import type { CaseAttempt } from "./engine/case.ts";
import type { Decision } from "./engine/decision.ts";
import { decide } from "./engine/decide.ts";
import { defaultPolicy, policyOf } from "./engine/policy.ts";
import { currentRulebook } from "./engine/rulebook.ts";
import type { RenewalAttemptRecord, RenewalCoverRecord, RenewalRepository } from "./renewal.repository.ts";

/** A charge of a renewal that failed. */
export interface FailedCharge {
  orderId: number;
  subscriptionId: number;
  /** Null where there was nothing to charge. */
  paymentId: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  adviceCode: string | null;
  network: Network | null;
}

/** What becomes of the subscription when trying is over; where only the payer can help it stays UNPAID for the payer. */
const finalActions: Readonly<Partial<Record<CoverEndReason, FinalAction>>> = {
  NO_TRIES_LEFT: "EXPIRE",
  WINDOW_OVER: "EXPIRE",
  MUST_NOT_RETRY: "EXPIRE",
};

/**
 * Covers renewals that failed, as covers of registered orders are run: the same engine decides, only the tries are made by
 * the service itself.
 */
export class RenewalCoverService {
  constructor(
    private readonly renewals: RenewalRepository,
    private readonly subscriptions: SubscriptionRenewalsService,
    private readonly orders: OrderPaymentService,
    private readonly events: EventService,
    private readonly now: Date,
  ) {}

  /** Claims the next try of a cover: nobody else makes it until the lease is over. */
  async claim(vendorId: number, leaseUntil: Date): Promise<RenewalCoverRecord | undefined> {
    const cover = await this.renewals.lockDue(vendorId, this.now);
    return cover && this.renewals.changeCover(vendorId, cover.id, { leaseUntil });
  }

  /**
   * Takes a charge that failed: the first one leaves the subscription UNPAID and starts a cover, the others lead on to the
   * next date or the end. A charge that was taken already changes nothing.
   */
  async failed(vendor: ScenarioVendor, charge: FailedCharge): Promise<void> {
    const order = await this.orders.lock(vendor.id, charge.orderId);
    invariant(order, "what was charged has an order");
    const cover = await this.renewals.lockCoverOf(vendor.id, charge.orderId);
    if (!cover) return this.begin(vendor, order, charge);
    if (cover.state !== "IN_PROGRESS") return;
    const past = await this.renewals.attemptsOf(vendor.id, cover.id);
    if (charge.paymentId !== null && past.some(({ paymentId }) => paymentId === charge.paymentId)) return;
    const attempts = [...past.map(attemptOf), this.attempt(charge)];
    const decision = this.decide(vendor, order, cover, attempts, cover.retryAt);
    const after = await this.renewals.changeCover(vendor.id, cover.id, { ...this.outcome(decision), leaseUntil: null });
    await this.keep(vendor.id, after, past.length + 1, charge, decision);
    await this.tell(vendor.id, order, after, "failRetry", cover.state);
    await this.finishUp(vendor.id, after);
  }

  /** Ends the cover in progress of an order: the money came, or the subscription is over. */
  async finish(vendorId: number, orderId: number, endReason: "PAID" | "CANCELED"): Promise<void> {
    const order = await this.orders.lock(vendorId, orderId);
    const cover = await this.renewals.lockCoverOf(vendorId, orderId);
    if (!order || cover?.state !== "IN_PROGRESS") return;
    const ended = await this.renewals.changeCover(vendorId, cover.id, this.ended(endReason));
    await this.tell(vendorId, order, ended, "endRecovery", cover.state);
  }

  /** Covers in progress of which nothing is left to be recovered. */
  settled(vendorId: number, most: number): Promise<{ orderId: number; isPaid: boolean }[]> {
    return this.renewals.settledOf(vendorId, most);
  }

  private async begin(vendor: ScenarioVendor, order: OrderRecord, charge: FailedCharge): Promise<void> {
    const { orderId, subscriptionId, errorMessage } = charge;
    const { status } = await this.subscriptions.failed(vendor.id, subscriptionId, orderId, errorMessage);
    if (status !== "UNPAID") return;
    const ground = { windowStart: this.now, zoneId: vendor.zoneId, policyVersion: defaultPolicy.version };
    const decision = this.decide(vendor, order, ground, [this.attempt(charge)], null);
    const cover = await this.renewals.addCover(vendor.id, {
      orderId,
      subscriptionId,
      ...ground,
      startedAt: this.now,
      ...this.outcome(decision),
    });
    await this.keep(vendor.id, cover, 1, charge, decision);
    await this.tell(vendor.id, order, cover, "startRecovery", null);
    await this.finishUp(vendor.id, cover);
  }

  private decide(
    vendor: ScenarioVendor,
    { amount, currency, paymentGateway }: OrderRecord,
    { windowStart, zoneId, policyVersion }: Pick<RenewalCoverRecord, "windowStart" | "zoneId" | "policyVersion">,
    attempts: CaseAttempt[],
    used: Date | null,
  ): Decision {
    const order = { amount, paymentGateway: paymentGateway ?? ("UNKNOWN" as const) };
    const ground = { vendor: { ...vendor, currency }, order, payer: undefined, windowStart, zoneId };
    return decide(caseOf(ground, { attempts, used }), policyOf(policyVersion), currentRulebook, null, this.now);
  }

  private attempt({ errorCode, errorMessage, adviceCode, network }: FailedCharge): CaseAttempt {
    return { at: this.now, code: errorCode, message: errorMessage, adviceCode, network, initiator: "MERCHANT" };
  }

  private outcome({ retryAt, endReason, alternatives }: Decision) {
    return retryAt
      ? { state: "IN_PROGRESS" as const, retryAt, planned: [retryAt, ...alternatives.map(({ at }) => at)] }
      : this.ended(endReason!);
  }

  private ended(endReason: CoverEndReason) {
    const isSpent = endReason === "NO_TRIES_LEFT" || endReason === "WINDOW_OVER";
    const state =
      endReason === "PAID" ? ("RECOVERED" as const) : isSpent ? ("EXHAUSTED" as const) : ("STOPPED" as const);
    return { state, endReason, endedAt: this.now, retryAt: null, planned: [], leaseUntil: null };
  }

  private async finishUp(vendorId: number, { endReason, subscriptionId, orderId }: RenewalCoverRecord): Promise<void> {
    if (endReason === null) return;
    await this.subscriptions.exhausted(vendorId, subscriptionId, orderId, finalActions[endReason] ?? "NONE");
  }

  private async keep(
    vendorId: number,
    { id: coverId }: RenewalCoverRecord,
    number: number,
    { paymentId, errorCode, errorMessage, adviceCode, network }: FailedCharge,
    { reasonClass, retryAt, endReason, floorRow, rulebookVersion }: Decision,
  ): Promise<void> {
    const failure = { paymentId, attemptedAt: this.now, errorCode, errorMessage, adviceCode, network };
    const decision = { reasonClass, retryAt, endReason, floorRow, rulebookVersion };
    await this.renewals.addAttempt(vendorId, { coverId, number, ...failure, ...decision });
  }

  private tell(
    vendorId: number,
    { customerId }: OrderRecord,
    { id, orderId, subscriptionId, state, retryAt, endReason }: RenewalCoverRecord,
    happening: "startRecovery" | "failRetry" | "endRecovery",
    statusBefore: RenewalCoverRecord["state"] | null,
  ): Promise<void> {
    return this.events.record(vendorId, {
      subject: "COVER",
      subjectId: id,
      happening,
      statusBefore,
      statusAfter: state,
      orderId,
      subscriptionId,
      customerId,
      facts: { retryDate: retryAt, ...(endReason !== null && { reason: endReason }) },
    });
  }
}

const attemptOf = ({
  attemptedAt,
  errorCode,
  errorMessage,
  adviceCode,
  network,
}: RenewalAttemptRecord): CaseAttempt => ({
  at: attemptedAt,
  code: errorCode,
  message: errorMessage,
  adviceCode,
  network,
  initiator: "MERCHANT",
});
