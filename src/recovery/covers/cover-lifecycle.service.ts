import type { AttemptKind, CoverEndReason, ReasonClass } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import type { CoverDecisionService } from "../decisions/cover-decision.service.ts";
import { toRecoveryCase, type RecoveryVendor, type ChargedOrder } from "./cover.facts.ts";
import { toAttemptValues, toEndedValues, toCoverValues, type CoverFailure } from "./cover.values.ts";
import { toStoredPolicy, readPolicyOfCover } from "../policies/cover.policy.ts";
import type { CoverAttemptRecord, CoverRecord, CoverRepository } from "./cover.repository.ts";
import type { OtherAttempt } from "../engine/recovery-case.ts";
import type { Decision } from "../engine/decision.ts";
import { classifyDecline, endReasonOf } from "../engine/decline.ts";
import { toLocalDay } from "../engine/local-time.ts";
import type { ReportReading } from "../engine/failure-report-reading.ts";
import { toCaseAttempt, toCaseAttemptFromRecord } from "./failure-report.ts";
import type { RecoveryCountService } from "../analytics/recovery-count.service.ts";

/** What a cover is about: a registered order or that of a renewal, who is to pay it, and whose it is. */
export interface RecoveryContext {
  vendor: RecoveryVendor;
  order: ChargedOrder;
  payer: { country: string | null; timeZone?: string | null } | undefined;
  /** Other tries with its card than these payments, where the card is known. */
  findOtherAttempts?: (own: readonly number[]) => Promise<readonly OtherAttempt[]>;
}

/** A matter that a cover begins on. */
export interface NewRecoveryContext extends RecoveryContext {
  /** The columns that say which order and subscription it is. */
  subjectIds: Pick<CoverRecord, "orderId" | "subscriptionId" | "renewalOrderId" | "renewalSubscriptionId">;
  /** What there is to be recovered, in the vendor's currency. */
  recoverableAmount: Amount;
  /** What the last cover of the order was about; a new method has declined nothing yet. */
  previousReasonClass?: ReasonClass | null | undefined;
}

/** A try that failed, and what was decided then. */
export interface FailedAttempt {
  number: number;
  kind: AttemptKind;
  decision: Decision;
}

/** Tells of a step to whoever follows the order; it is sent together with the rows of the step. */
type RecordStep<Step extends unknown[]> = (cover: CoverRecord, ...step: Step) => Promise<unknown>;

/**
 * The course of covers, whatever they stand on: the engine is asked, what it was told and said is kept, and what comes of
 * it is counted. The caller holds the order and its cover.
 */
export class CoverLifecycleService {
  constructor(
    private readonly covers: CoverRepository,
    private readonly decisions: CoverDecisionService,
    private readonly counts: RecoveryCountService,
    private readonly now: Date,
  ) {}

  /** Starts a cover, which may end with that. Without a failure the payer has a new method. */
  async startCover(
    { subjectIds, recoverableAmount, previousReasonClass, ...context }: NewRecoveryContext,
    failure: CoverFailure | null,
    recordStep: RecordStep<[decision: Decision]>,
  ): Promise<CoverRecord> {
    const { vendor, order, payer } = context;
    const zoneId = payer?.timeZone ?? vendor.zoneId;
    const attempts = failure ? [toCaseAttempt(failure, this.now)] : [];
    const otherAttempts = await loadOtherAttempts(context, [failure]);
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: this.now, zoneId },
      { attempts, alongside: otherAttempts },
    );
    const [policy, facts] = await Promise.all([
      this.decisions.activePolicy(vendor.id),
      this.decisions.withDeclineMappings(vendor.id, reportedFacts),
    ]);
    const decision = this.decisions.decideRetry(facts, policy);
    const { reasonClass } = decision;
    const cover = await this.covers.add(vendor.id, {
      ...subjectIds,
      windowStart: this.now,
      zoneId,
      policyVersion: policy.version,
      policy: toStoredPolicy(policy),
      startedAt: this.now,
      startedOn: toLocalDay(this.now, zoneRulesAround(vendor.zoneId, this.now)),
      reasonClass: reasonClass ?? previousReasonClass ?? "UNKNOWN",
      gateway: order.paymentGateway,
      country: facts.country,
      amount: recoverableAmount,
      ...toCoverValues(decision, this.now),
    });
    const firstAttempt = failure && toAttemptValues(cover.id, 1, "FIRST_FAILURE", failure, reasonClass!, this.now);
    await Promise.all([
      recordStep(cover, decision),
      firstAttempt && this.covers.addAttempt(vendor.id, firstAttempt),
      this.decisions.saveDecision(vendor.id, cover.id, facts, policy, decision),
      this.counts.countStart(vendor.id, cover, firstAttempt),
    ]);
    return cover;
  }

  /**
   * Takes a failed try of a cover in progress, by the policy that it began with. A repeat of a report changes nothing.
   * `recordMethodChange` is when the payer renewed the payment method meanwhile, where that is told.
   */
  async recordFailedAttempt(
    context: RecoveryContext,
    cover: CoverRecord,
    failure: CoverFailure,
    methodChangedAtPromise: Promise<Date | null> | null,
    interpretReport: (last: CoverAttemptRecord | undefined) => ReportReading,
    recordStep: RecordStep<[failed: FailedAttempt]>,
  ): Promise<CoverRecord> {
    const vendorId = context.vendor.id;
    const [previousAttempts, methodChangedAt] = await Promise.all([
      this.covers.attemptsOf(vendorId, cover.id),
      methodChangedAtPromise,
    ]);
    const reading = interpretReport(previousAttempts.at(-1));
    const attempt = toCaseAttempt(failure, this.now);
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: cover.windowStart, zoneId: cover.zoneId },
      {
        attempts: [...previousAttempts.map(toCaseAttemptFromRecord), attempt],
        alongside: await loadOtherAttempts(context, [...previousAttempts, failure]),
        methodChangedAt,
        ...(reading.kind === "SCHEDULED" ? { used: reading.tried } : { promised: cover.retryAt }),
      },
    );
    const facts = await this.decisions.withDeclineMappings(vendorId, reportedFacts);
    const reasonClass = classifyDecline(facts.attempts.at(-1)!, facts);
    // Words that forbid another try end the scenario at any time.
    if (reading.kind === "REPEAT" && endReasonOf(reasonClass) === undefined) return cover;
    const policy = readPolicyOfCover(cover);
    const decision = this.decisions.decideRetry(facts, policy);
    const updatedCover = await this.covers.change(vendorId, cover.id, toCoverValues(decision, this.now));
    const number = previousAttempts.length + 1;
    const kind = reading.kind === "SCHEDULED" ? "SCHEDULED" : "UNSCHEDULED";
    const failedAttempt = toAttemptValues(cover.id, number, kind, failure, reasonClass, this.now);
    await Promise.all([
      this.covers.addAttempt(vendorId, failedAttempt),
      recordStep(updatedCover, { number, kind, decision }),
      this.decisions.saveDecision(vendorId, updatedCover.id, facts, policy, decision),
      this.counts.countFailedAttempt(vendorId, updatedCover, failedAttempt),
    ]);
    return updatedCover;
  }

  /**
   * Holds the try of a date that has come to the rulebook once more: since the date was told, other tries with the card may
   * have used a limit up. @returns the cover as another decision left it; undefined where the try may be made.
   */
  async recheckDueRetry(
    context: RecoveryContext,
    cover: CoverRecord,
    recordStep: RecordStep<[decision: Decision]>,
  ): Promise<CoverRecord | undefined> {
    const vendorId = context.vendor.id;
    const previousAttempts = await this.covers.attemptsOf(vendorId, cover.id);
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: cover.windowStart, zoneId: cover.zoneId },
      {
        attempts: previousAttempts.map(toCaseAttemptFromRecord),
        alongside: await loadOtherAttempts(context, previousAttempts),
        due: this.now,
      },
    );
    if (this.decisions.isRetryAllowedNow(reportedFacts)) return undefined;
    const facts = await this.decisions.withDeclineMappings(vendorId, reportedFacts);
    const policy = readPolicyOfCover(cover);
    const decision = this.decisions.decideRetry(facts, policy);
    const updatedCover = await this.covers.change(vendorId, cover.id, toCoverValues(decision, this.now));
    await Promise.all([
      recordStep(updatedCover, decision),
      this.decisions.saveDecision(vendorId, updatedCover.id, facts, policy, decision),
      updatedCover.state !== "IN_PROGRESS" && this.counts.countEnd(vendorId, updatedCover),
    ]);
    return updatedCover;
  }

  /** Ends a cover in progress without a further try. */
  async endCover(
    vendorId: number,
    cover: CoverRecord,
    reason: CoverEndReason,
    recordStep: RecordStep<[]>,
  ): Promise<CoverRecord> {
    const ended = await this.covers.change(vendorId, cover.id, toEndedValues(reason, this.now));
    await Promise.all([recordStep(ended), this.counts.countEnd(vendorId, ended)]);
    return ended;
  }
}

/** What the networks count besides a cover's own attempts. */
async function loadOtherAttempts(
  { findOtherAttempts: findAttempts }: Pick<RecoveryContext, "findOtherAttempts">,
  ownAttempts: readonly (Pick<CoverFailure, "paymentId"> | null)[],
): Promise<readonly OtherAttempt[]> {
  return findAttempts ? findAttempts(ownAttempts.flatMap((one) => one?.paymentId ?? [])) : [];
}
