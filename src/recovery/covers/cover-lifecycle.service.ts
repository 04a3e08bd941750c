import type { CoverEndReason, CoverState, MessageArm, ReasonClass } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { lastOf, required } from "../../kernel/required-values.ts";
import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import type { CoverDecisionService } from "../decisions/cover-decision.service.ts";
import type { ExperimentAssignmentService } from "../experiments/experiment-assignment.service.ts";
import { toRecoveryCase, type RecoveryVendor, type ChargedOrder } from "./cover.facts.ts";
import { toAttemptValues, toEndedValues, toCoverValues, type CoverFailure } from "./cover.values.ts";
import { toStoredPolicy } from "../policies/cover.policy.ts";
import type { CoverAttemptRecord, CoverRecord, CoverRepository } from "./cover.repository.ts";
import type { OtherAttempt, RecoveryCase } from "../engine/recovery-case.ts";
import type { Decision } from "../engine/decision.ts";
import { drawsUnder } from "../engine/exploration.ts";
import type { Policy } from "../engine/policy.ts";
import { classifyDecline, endReasonOf } from "../engine/decline.ts";
import { toLocalDay } from "../engine/local-time.ts";
import { interpretReport, interpretShadowReport, type ReportReading } from "../engine/failure-report-reading.ts";
import { toCaseAttempt, toCaseAttemptFromRecord, toReportedFailure } from "./failure-report.ts";

/** The facts of a cover that lie outside it: the order, registered or of a renewal, who is to pay it, and whose it is. */
export interface RecoveryContext {
  vendor: RecoveryVendor;
  order: ChargedOrder;
  payer: { country: string | null; timeZone?: string | null } | undefined;
  /** Other attempts on its card, besides the cover's own. Defaults to none: the card is not known. */
  otherAttempts?: readonly OtherAttempt[];
}

/** The facts that a new cover starts from. */
export interface NewRecoveryContext extends RecoveryContext {
  /** The columns that identify the order and the subscription. */
  subjectIds: Pick<CoverRecord, "orderId" | "subscriptionId" | "renewalOrderId" | "renewalSubscriptionId">;
  /** The amount that can be recovered, in the vendor's currency. */
  recoverableAmount: Amount;
  /** The payer among all of the vendor, registered or billed here: experiments keep each payer in one arm. */
  payerKey: `${"registered" | "billed"}-${number}`;
  /** Whether the payer of a renewal gets messages, where that is compared. */
  messageArm?: MessageArm | null;
  /** The reason class of the order's last cover; null for a new method, which has no declines yet. */
  previousReasonClass?: ReasonClass | null | undefined;
  /** The date of the first retry, which only a rule of a network defers. Defaults to the policy's. */
  firstRetryAt?: Date;
}

/** A failed attempt of a cover in progress. */
export interface AttemptReport {
  failure: CoverFailure;
  /** The cover's attempts before it, in order of time. */
  previousAttempts: readonly CoverAttemptRecord[];
  /** The date that it was the attempt of; null where the report has to be compared with the dates. */
  scheduledAt: Date | null;
  /** The payer's last renewal of the payment method since the cover started; null if unknown. */
  methodChangedAt: Date | null;
}

/** The cause of another date of a retry. */
export type ReschedulingCause = "RULE" | "NEW_METHOD" | "PROMISE";

/** An attempt that failed, as it was saved. */
export type FailedAttempt = ReturnType<typeof toAttemptValues>;

/** The end of a cover. */
interface CoverEnd {
  type: Exclude<CoverState, "IN_PROGRESS">;
  reason: CoverEndReason;
}

/** Something that happened to a cover, with its facts. */
export type CoverStepEvent =
  /** `attempt` is null where the payer's new payment method started the cover. */
  | { type: "STARTED"; decision: Decision; attempt: FailedAttempt | null }
  | { type: "ATTEMPT_FAILED"; decision: Decision; attempt: FailedAttempt }
  /** The next retry has another date: the rulebook blocked it, the payer stored a new method, or asked for the date. */
  | { type: "RETRY_SCHEDULED"; decision: Decision; cause: ReschedulingCause }
  | CoverEnd;

/** The result of one step of a cover's lifecycle: the cover as it is now, and what happened, in order. Empty for a repeat. */
export interface CoverStep {
  cover: CoverRecord;
  events: readonly CoverStepEvent[];
}

/**
 * The lifecycle of a cover, for registered orders and for renewals alike. Runs the engine, saves the cover with its
 * attempts and decisions, and returns the events: the caller records them in its timeline and in the counts. The caller
 * has locked the order and its cover.
 */
export class CoverLifecycleService {
  constructor(
    private readonly deps: {
      coverRepository: CoverRepository;
      coverDecisions: CoverDecisionService;
      experimentAssignments: ExperimentAssignmentService;
      now: Date;
    },
  ) {}

  /** Starts a cover, which may end at once. `failure` is null if the payer has a new payment method. */
  async startCover(
    {
      subjectIds,
      recoverableAmount,
      payerKey,
      messageArm,
      previousReasonClass,
      firstRetryAt,
      ...context
    }: NewRecoveryContext,
    failure: CoverFailure | null,
  ): Promise<CoverStep> {
    const { vendor, order, payer } = context;
    const zoneId = payer?.timeZone ?? vendor.zoneId;
    const attempts = failure ? [toCaseAttempt(failure, this.deps.now)] : [];
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: this.deps.now, zoneId },
      { attempts, due: firstRetryAt ?? null },
    );
    const [{ policy, model, assignment, inShadowMode }, mappedFacts] = await Promise.all([
      this.deps.experimentAssignments.policyForNewCover(vendor.id, payerKey),
      this.deps.coverDecisions.withDeclineMappings(vendor.id, reportedFacts),
    ]);
    // Recoup charges renewals itself, so nobody else's schedule could be kept.
    const shadow = inShadowMode && subjectIds.renewalOrderId === null;
    const facts = withDraws(mappedFacts, policy, vendor.id, { ...subjectIds, shadow, windowStart: this.deps.now });
    const decided = this.deps.coverDecisions.decideRetry(facts, policy, model);
    const { decision } = decided;
    const { reasonClass } = decision;
    const cover = await this.deps.coverRepository.add(vendor.id, {
      ...subjectIds,
      windowStart: this.deps.now,
      zoneId,
      shadow,
      policyVersion: policy.version,
      policy: toStoredPolicy(policy),
      // The caller of a shadow keeps its own schedule: what it recovers is no result of an arm.
      ...(!shadow && assignment),
      startedAt: this.deps.now,
      startedOn: toLocalDay(this.deps.now, zoneRulesAround(vendor.zoneId, this.deps.now)),
      reasonClass: reasonClass ?? previousReasonClass ?? "UNKNOWN",
      gateway: order.paymentGateway,
      country: facts.country,
      amount: recoverableAmount,
      messageArm: messageArm ?? null,
      ...toCoverValues(decision, this.deps.now, { shadow, renewalOrderId: subjectIds.renewalOrderId }),
    });
    const attempt =
      failure &&
      toAttemptValues(cover.id, 1, "FIRST_FAILURE", failure, required(reasonClass, "reasonClass"), this.deps.now);
    await Promise.all([
      attempt && this.deps.coverRepository.addAttempt(vendor.id, attempt),
      this.deps.coverDecisions.saveDecision(vendor.id, cover.id, decided),
    ]);
    return { cover, events: [{ type: "STARTED", decision, attempt }, ...toEndEvent(cover)] };
  }

  /**
   * Records a failed attempt of a cover in progress, by the policy that it started with. A repeated report changes
   * nothing.
   */
  async recordFailedAttempt(
    context: RecoveryContext,
    cover: CoverRecord,
    { failure, previousAttempts, scheduledAt, methodChangedAt }: AttemptReport,
  ): Promise<CoverStep> {
    const vendorId = context.vendor.id;
    const reading = scheduledAt ? toScheduledReading(scheduledAt) : this.readReport(cover, previousAttempts, failure);
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: cover.windowStart, zoneId: cover.zoneId },
      {
        attempts: [...previousAttempts.map(toCaseAttemptFromRecord), toCaseAttempt(failure, this.deps.now)],
        methodChangedAt: methodChangedAt ?? cover.methodChangedAt,
        ...(reading.kind === "SCHEDULED" ? { used: reading.tried } : { promised: cover.retryAt }),
      },
    );
    const facts = await this.deps.coverDecisions.withDeclineMappings(vendorId, reportedFacts);
    const reasonClass = classifyDecline(lastOf(facts.attempts), facts);
    // A decline that forbids another attempt ends the cover, repeated or not.
    if (reading.kind === "REPEAT" && (cover.shadow || endReasonOf(reasonClass) === undefined))
      return { cover, events: [] };
    const kind = reading.kind === "SCHEDULED" ? "SCHEDULED" : "UNSCHEDULED";
    const attempt = toAttemptValues(cover.id, previousAttempts.length + 1, kind, failure, reasonClass, this.deps.now);
    const [{ updatedCover, decision }] = await Promise.all([
      this.decideAgain(vendorId, cover, facts),
      this.deps.coverRepository.addAttempt(vendorId, attempt),
    ]);
    return {
      cover: updatedCover,
      events: [{ type: "ATTEMPT_FAILED", decision, attempt }, ...toEndEvent(updatedCover)],
    };
  }

  /**
   * Checks a due retry against the rulebook again: since its date was set, other attempts on the card may have used up
   * a limit. @returns the step with a new decision; undefined if the retry may be made.
   */
  async recheckDueRetry(
    context: RecoveryContext,
    cover: CoverRecord,
    previousAttempts: readonly CoverAttemptRecord[],
  ): Promise<CoverStep | undefined> {
    const vendorId = context.vendor.id;
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: cover.windowStart, zoneId: cover.zoneId },
      {
        attempts: previousAttempts.map(toCaseAttemptFromRecord),
        due: this.deps.now,
        methodChangedAt: cover.methodChangedAt,
      },
    );
    if (this.deps.coverDecisions.isRetryAllowedNow(reportedFacts)) return undefined;
    const facts = await this.deps.coverDecisions.withDeclineMappings(vendorId, reportedFacts);
    const { updatedCover, decision } = await this.decideAgain(vendorId, cover, facts);
    const [end] = toEndEvent(updatedCover);
    return { cover: updatedCover, events: [end ?? { type: "RETRY_SCHEDULED", decision, cause: "RULE" }] };
  }

  /**
   * Gives the next retry the date that the payer asked for, or another one because of the payer's new payment method: now,
   * unless the payer has asked for a date. Only a rule of a network defers either date.
   */
  async rescheduleForPayer(
    context: RecoveryContext,
    cover: CoverRecord,
    previousAttempts: readonly CoverAttemptRecord[],
    request: { cause: "NEW_METHOD"; changedAt: Date } | { cause: "PROMISE"; promisedAt: Date },
  ): Promise<CoverStep> {
    const vendorId = context.vendor.id;
    const promisedAt = request.cause === "PROMISE" ? request.promisedAt : futureDate(cover.promisedAt, this.deps.now);
    const methodChangedAt = request.cause === "NEW_METHOD" ? request.changedAt : cover.methodChangedAt;
    const reportedFacts = toRecoveryCase(
      { ...context, windowStart: cover.windowStart, zoneId: cover.zoneId },
      {
        attempts: previousAttempts.map(toCaseAttemptFromRecord),
        methodChangedAt,
        ...(promisedAt ? { promised: promisedAt } : { due: this.deps.now }),
      },
    );
    const facts = await this.deps.coverDecisions.withDeclineMappings(vendorId, reportedFacts);
    const { updatedCover, decision } = await this.decideAgain(vendorId, cover, facts, { promisedAt, methodChangedAt });
    const [end] = toEndEvent(updatedCover);
    return { cover: updatedCover, events: [end ?? { type: "RETRY_SCHEDULED", decision, cause: request.cause }] };
  }

  /** Ends a cover in progress without a further attempt. */
  async endCover(vendorId: number, { id }: CoverRecord, reason: CoverEndReason): Promise<CoverStep> {
    const cover = await this.deps.coverRepository.change(vendorId, id, toEndedValues(reason, this.deps.now));
    return { cover, events: toEndEvent(cover) };
  }

  /** Decides about a cover in progress by its policy, and saves the decision and its effect. */
  private async decideAgain(
    vendorId: number,
    cover: CoverRecord,
    factsWithoutDraws: RecoveryCase,
    payerValues: Partial<Pick<CoverRecord, "promisedAt" | "methodChangedAt">> = { promisedAt: null },
  ) {
    const policy = await this.deps.experimentAssignments.policyOfRunningCover(vendorId, cover);
    const policyValues = { policyVersion: policy.version, policy: toStoredPolicy(policy) };
    const facts = withDraws(factsWithoutDraws, policy, vendorId, cover);
    const model = await this.deps.coverDecisions.selectModel(vendorId, policy);
    const decided = this.deps.coverDecisions.decideRetry(facts, policy, model);
    const { decision } = decided;
    const [updatedCover] = await Promise.all([
      this.deps.coverRepository.change(vendorId, cover.id, {
        ...toCoverValues(decision, this.deps.now, cover),
        ...payerValues,
        ...(policy.version !== cover.policyVersion && policyValues),
      }),
      this.deps.coverDecisions.saveDecision(vendorId, cover.id, decided),
    ]);
    return { updatedCover, decision };
  }

  private readReport(
    { planned, shadow }: CoverRecord,
    previousAttempts: readonly CoverAttemptRecord[],
    failure: CoverFailure,
  ): ReportReading {
    const last = previousAttempts.at(-1);
    const [lastFailure, report] = [last && toReportedFailure(last), toReportedFailure(failure)];
    return shadow
      ? interpretShadowReport(last && { ...toReportedFailure(last), at: last.attemptedAt }, report, this.deps.now)
      : interpretReport(planned, lastFailure, report, this.deps.now);
  }
}

/**
 * The facts with the chance by which the cover explores. Its key is the order and the start of the cover, because a cover has its number
 * only after its first decision.
 */
function withDraws(
  facts: RecoveryCase,
  policy: Policy,
  vendorId: number,
  {
    orderId,
    renewalOrderId,
    shadow,
    windowStart,
  }: Pick<CoverRecord, "orderId" | "renewalOrderId" | "shadow" | "windowStart">,
): RecoveryCase {
  // Nobody tries at the times of a shadow, so there is nothing to learn from drawing them.
  if (shadow) return facts;
  const order = renewalOrderId === null ? `order ${String(orderId)}` : `renewal order ${renewalOrderId}`;
  const draws = drawsUnder(policy, facts, `${vendorId} ${order} ${windowStart.toISOString()}`);
  return draws ? { ...facts, draws } : facts;
}

const futureDate = (date: Date | null, now: Date): Date | null => (date && date > now ? date : null);

const toScheduledReading = (tried: Date): ReportReading => ({ kind: "SCHEDULED", tried });

/** The end of a cover as an event; none while it is in progress. */
const toEndEvent = ({ state, endReason }: CoverRecord): CoverEnd[] =>
  state === "IN_PROGRESS" ? [] : [{ type: state, reason: required(endReason, "endReason") }];
