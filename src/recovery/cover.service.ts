import type { AttemptKind, CoverEndReason, CoverState, Initiator, Network } from "../../schema/vocabulary.ts";
import { invalid, missing, unknownReference } from "../kernel/errors.ts";
import type { CoverCustomerRepository } from "./cover-customer.repository.ts";
import type { CoverOrderRecord, CoverOrderRepository } from "./cover-order.repository.ts";
import type { CoverSubscriptionRecord, CoverSubscriptionRepository } from "./cover-subscription.repository.ts";
import type { CoverAttemptRecord, CoverRecord, CoverRepository } from "./cover.repository.ts";
import { classify } from "./engine/decline.ts";
import { decide, type CaseAttempt, type Decision, type RecoveryCase } from "./engine/decide.ts";
import { defaultPolicy, policyOf, type Policy } from "./engine/policy.ts";
import { currentRulebook } from "./engine/rulebook.ts";
import { readReport } from "./engine/scenario.ts";
import type { TimelineService } from "./timeline.service.ts";

/** The vendor as far as a scenario needs it. */
export interface ScenarioVendor {
  id: number;
  /** Where the payer's zone is not known, the vendor's holds. */
  zoneId: string;
}

/** What a merchant tells of a failed payment. */
export interface FailureReport {
  errorCode?: string | null;
  errorMessage?: string | null;
  adviceCode?: string | null;
  network?: Network | null;
  initiator?: Initiator | null;
}

/** A failure of the renewal of a subscription. */
export interface RecoveryStart extends FailureReport {
  subscriptionId: number;
  orderId: number;
}

/** The states in which something is still to be recovered. */
const RECOVERABLE = ["CREATED", "PAYMENT_FAILURE"];

/**
 * Runs the recovery scenario of an order: starts a cover, reads what is reported to it, ends it.
 * Locks are taken in one order, subscription before order before cover, so that a cancellation and a report that race
 * wait for each other and the cancellation wins.
 */
export class CoverService {
  constructor(
    private readonly covers: CoverRepository,
    private readonly orders: CoverOrderRepository,
    private readonly subscriptions: CoverSubscriptionRepository,
    private readonly customers: CoverCustomerRepository,
    private readonly timeline: TimelineService,
    private readonly now: Date,
  ) {}

  /** Starts the scenario of a failed payment, or takes the report of a retry that failed. */
  async start(vendor: ScenarioVendor, { subscriptionId, orderId, ...failure }: RecoveryStart): Promise<CoverRecord> {
    const subscription = await this.subscriptions.lock(vendor.id, subscriptionId);
    if (!subscription) throw unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription");
    const order = await this.orders.lock(vendor.id, orderId);
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    if ((order.subscriptionId ?? subscription.id) !== subscription.id || order.customerId !== subscription.customerId) {
      throw invalid("SUBSCRIPTION_MISMATCH", "The order belongs to another subscription or customer.");
    }
    return this.reportFailure(vendor, order, subscription, failure);
  }

  /** Takes the report of a failed payment of an order that the caller holds, together with its subscription. */
  async reportFailure(
    vendor: ScenarioVendor,
    order: CoverOrderRecord,
    subscription: CoverSubscriptionRecord | undefined,
    failure: FailureReport,
  ): Promise<CoverRecord> {
    const cover = await this.covers.lockLatestOf(vendor.id, order.id);
    if (!cover) {
      refuseUnrecoverable(order, subscription);
      await this.bind(vendor.id, order, undefined, subscription);
      return this.begin(vendor, order, subscription, failure);
    }
    if (cover.state !== "IN_PROGRESS") return cover;
    await this.bind(vendor.id, order, cover, subscription);
    return this.goOn(vendor.id, cover, failure);
  }

  /** Starts a new cover on an open order whose payer has renewed the payment method; a cover in progress goes on. */
  async methodChanged(vendor: ScenarioVendor, orderId: number): Promise<CoverRecord> {
    const { order, subscription } = await this.lockOrder(vendor.id, orderId);
    const latest = await this.covers.lockLatestOf(vendor.id, order.id);
    if (!latest) throw invalid("ORDER_NOT_RECOVERABLE", "No payment of the order has failed, so there is nothing to recover.");
    if (latest.state !== "IN_PROGRESS") refuseUnrecoverable(order, subscription);
    await this.timeline.record(vendor.id, { type: "PAYMENT_METHOD_CHANGED", orderId, subscriptionId: order.subscriptionId, actor: "CUSTOMER" });
    return latest.state === "IN_PROGRESS" ? latest : this.begin(vendor, order, subscription, null);
  }

  /** Ends the cover in progress of an order that the caller holds, if there is one. */
  async finish(vendorId: number, orderId: number, reason: "PAID" | "CANCELED", notify = false): Promise<void> {
    const cover = await this.covers.lockLatestOf(vendorId, orderId);
    if (cover?.state === "IN_PROGRESS") await this.end(vendorId, cover, reason, notify);
  }

  /** Stops every cover in progress of a subscription that the caller holds, and answers them. */
  async stopAll(vendorId: number, subscriptionId: number): Promise<CoverRecord[]> {
    const running = await this.covers.lockRunningOf(vendorId, subscriptionId);
    const stopped: CoverRecord[] = [];
    for (const cover of running) stopped.push(await this.end(vendorId, cover, "CANCELED"));
    return stopped;
  }

  private async begin(
    vendor: ScenarioVendor,
    order: CoverOrderRecord,
    subscription: CoverSubscriptionRecord | undefined,
    failure: FailureReport | null,
  ): Promise<CoverRecord> {
    const [customer] = await this.customers.byIds(vendor.id, [order.customerId]);
    const zoneId = customer?.timeZone ?? vendor.zoneId;
    const attempts = failure ? [attemptOf(failure, this.now)] : [];
    const decision = this.decide({ windowStart: this.now, zoneId, attempts, promised: null, used: null }, defaultPolicy);
    const cover = await this.covers.add(vendor.id, {
      orderId: order.id,
      subscriptionId: order.subscriptionId ?? subscription?.id,
      windowStart: this.now,
      zoneId,
      policyVersion: defaultPolicy.version,
      startedAt: this.now,
      ...this.outcome(decision),
    });
    await Promise.all([
      this.timeline.record(vendor.id, { ...subjectsOf(cover), type: "RECOVERY_STARTED", actor: "SYSTEM", facts: datesOf(decision) }),
      failure && this.covers.addAttempt(vendor.id, this.attemptRow(cover, 1, "FIRST_FAILURE", failure, decision)),
      this.keep(vendor.id, cover, decision),
      this.failOrder(vendor.id, order),
    ]);
    return cover;
  }

  private async goOn(vendorId: number, cover: CoverRecord, failure: FailureReport): Promise<CoverRecord> {
    const past = await this.covers.attemptsOf(vendorId, cover.id);
    const due = cover.retryAt!;
    const reading = readReport(due, lastOf(past), { code: failure.errorCode ?? null, message: failure.errorMessage ?? null }, this.now);
    if (reading === "REPEAT") return cover;
    const decision = this.decide(
      {
        windowStart: cover.windowStart,
        zoneId: cover.zoneId,
        attempts: [...past.map(attemptOfRecord), attemptOf(failure, this.now)],
        promised: reading === "UNSCHEDULED" ? due : null,
        used: reading === "SCHEDULED" ? due : null,
      },
      policyOf(cover.policyVersion),
    );
    const after = await this.covers.change(vendorId, cover.id, this.outcome(decision));
    const number = past.length + 1;
    const facts = { attempt: number, kind: reading, ...datesOf(decision) };
    await Promise.all([
      this.covers.addAttempt(vendorId, this.attemptRow(cover, number, reading, failure, decision)),
      this.timeline.record(vendorId, { ...subjectsOf(cover), type: "RECOVERY_ATTEMPT_FAILED", facts }),
      this.keep(vendorId, after, decision),
    ]);
    return after;
  }

  private decide(facts: RecoveryCase, policy: Policy): Decision {
    return decide(facts, policy, currentRulebook, null, this.now);
  }

  /** Stores a decision and, where it ended the cover, tells so. */
  private async keep(vendorId: number, cover: CoverRecord, { budget, modelVersion: _none, ...decision }: Decision): Promise<void> {
    await Promise.all([
      this.covers.addDecision(vendorId, {
        ...decision,
        coverId: cover.id,
        decidedAt: this.now,
        budgetUsed: budget.used,
        budgetLimit: budget.limit,
        windowEnds: budget.windowEnds,
      }),
      cover.endReason && this.timeline.record(vendorId, endingEvent(cover, false)),
    ]);
  }

  private async end(vendorId: number, cover: CoverRecord, endReason: CoverEndReason, notify = false): Promise<CoverRecord> {
    const ended = await this.covers.change(vendorId, cover.id, this.endedFor(endReason));
    await this.timeline.record(vendorId, endingEvent(ended, notify));
    return ended;
  }

  private outcome({ retryAt, endReason, alternatives }: Decision) {
    if (retryAt) return { state: "IN_PROGRESS" as const, retryAt, planned: [retryAt, ...alternatives] };
    return this.endedFor(endReason!);
  }

  private endedFor(endReason: CoverEndReason) {
    return { state: stateAfter(endReason), endReason, endedAt: this.now, retryAt: null, planned: [] };
  }

  private attemptRow(cover: CoverRecord, number: number, kind: AttemptKind, failure: FailureReport, { reasonClass }: Decision) {
    return {
      coverId: cover.id,
      number,
      kind,
      attemptedAt: this.now,
      ...failure,
      initiator: failure.initiator ?? ("MERCHANT" as const),
      reasonClass: reasonClass ?? classify(attemptOf(failure, this.now)),
    };
  }

  private async failOrder(vendorId: number, order: CoverOrderRecord): Promise<void> {
    if (order.status === "PAYMENT_FAILURE") return;
    await this.orders.change(vendorId, order.id, { status: "PAYMENT_FAILURE", modifiedAt: this.now });
    await this.timeline.record(vendorId, {
      type: "ORDER_STATUS_CHANGED",
      orderId: order.id,
      facts: { from: order.status, to: "PAYMENT_FAILURE" },
    });
  }

  /** An order, and a cover on it, that had no subscription belong to the one that is named now. */
  private async bind(
    vendorId: number,
    order: CoverOrderRecord,
    cover: CoverRecord | undefined,
    subscription: CoverSubscriptionRecord | undefined,
  ): Promise<void> {
    if (!subscription) return;
    if (order.subscriptionId === null) {
      await this.orders.change(vendorId, order.id, { subscriptionId: subscription.id, modifiedAt: this.now });
    }
    if (cover && cover.subscriptionId === null) {
      await this.covers.change(vendorId, cover.id, { subscriptionId: subscription.id });
    }
  }

  /** The order and its subscription, locked in the right order although only the order tells which subscription it is. */
  private async lockOrder(vendorId: number, orderId: number) {
    const seen = await this.orders.byId(vendorId, orderId);
    if (!seen) throw missing("ORDER_NOT_FOUND", "There is no order with this id.");
    const subscription = seen.subscriptionId === null ? undefined : await this.subscriptions.lock(vendorId, seen.subscriptionId);
    const order = (await this.orders.lock(vendorId, orderId))!;
    return { order, subscription };
  }
}

function refuseUnrecoverable(order: CoverOrderRecord, subscription: CoverSubscriptionRecord | undefined): void {
  if (!RECOVERABLE.includes(order.status)) {
    throw invalid("ORDER_NOT_RECOVERABLE", `The order is ${order.status}, so there is nothing to recover.`);
  }
  if (subscription?.canceledAt) {
    throw invalid("SUBSCRIPTION_CANCELED", "The subscription is cancelled; activate it before starting a recovery.");
  }
}

function stateAfter(reason: CoverEndReason): CoverState {
  if (reason === "PAID") return "RECOVERED";
  return reason === "NO_TRIES_LEFT" || reason === "WINDOW_OVER" ? "EXHAUSTED" : "STOPPED";
}

const eventOfState = { RECOVERED: "RECOVERY_RECOVERED", EXHAUSTED: "RECOVERY_EXHAUSTED", STOPPED: "RECOVERY_STOPPED" } as const;

const endingEvent = (cover: CoverRecord, notify: boolean) => ({
  ...subjectsOf(cover),
  type: eventOfState[cover.state as Exclude<CoverState, "IN_PROGRESS">],
  actor: cover.endReason === "PAID" || cover.endReason === "CANCELED" ? ("MANAGER" as const) : ("SYSTEM" as const),
  facts: { reason: cover.endReason },
  notify,
});

const subjectsOf = ({ id, orderId, subscriptionId }: CoverRecord) => ({ coverId: id, orderId, subscriptionId });

const datesOf = ({ retryAt, reasonClass }: Decision) => ({ retryDate: retryAt, reasonClass });

const attemptOf = ({ errorCode, errorMessage, adviceCode, network }: FailureReport, at: Date): CaseAttempt => ({
  at,
  code: errorCode ?? null,
  message: errorMessage ?? null,
  adviceCode: adviceCode ?? null,
  network: network ?? null,
});

const attemptOfRecord = (record: CoverAttemptRecord): CaseAttempt => attemptOf(record, record.attemptedAt);

function lastOf(past: readonly CoverAttemptRecord[]) {
  const last = past.at(-1);
  return last && { code: last.errorCode, message: last.errorMessage };
}
