import type { AttemptKind, CoverEndReason, ReasonClass } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { zoneRules } from "../../kernel/zone-rules.ts";
import type { CoverDecisionService } from "../decisions/cover-decision.service.ts";
import { caseOf, type ScenarioVendor, type Charged } from "./cover.facts.ts";
import { attemptRow, endedFor, outcomeOf, type Failure } from "./cover.values.ts";
import { keptPolicy, policyOfCover } from "../policies/cover.policy.ts";
import type { CoverAttemptRecord, CoverRecord, CoverRepository } from "./cover.repository.ts";
import type { CardTry } from "../engine/recovery-case.ts";
import type { Decision } from "../engine/decision.ts";
import { classify, endingOf } from "../engine/decline.ts";
import { localDay } from "../engine/local-time.ts";
import type { Reading } from "../engine/failure-report-reading.ts";
import { attemptOf, attemptOfRecord } from "./failure-report.ts";
import type { RecoveryCountService } from "../analytics/recovery-count.service.ts";

/** What a cover is about: a registered order or that of a renewal, who is to pay it, and whose it is. */
export interface CoverMatter {
  vendor: ScenarioVendor;
  order: Charged;
  payer: { country: string | null; timeZone?: string | null } | undefined;
  /** Other tries with its card than these payments, where the card is known. */
  alongside?: (own: readonly number[]) => Promise<readonly CardTry[]>;
}

/** A matter that a cover begins on. */
export interface NewMatter extends CoverMatter {
  /** The columns that say which order and subscription it is. */
  on: Pick<CoverRecord, "orderId" | "subscriptionId" | "renewalOrderId" | "renewalSubscriptionId">;
  /** What there is to be recovered, in the vendor's currency. */
  worth: Amount;
  /** What the last cover of the order was about; a new method has declined nothing yet. */
  before?: ReasonClass | null | undefined;
}

/** A try that failed, and what was decided then. */
export interface FailedTry {
  number: number;
  kind: AttemptKind;
  decision: Decision;
}

/** Tells of a step to whoever follows the order; it is sent together with the rows of the step. */
type Tell<Step extends unknown[]> = (cover: CoverRecord, ...step: Step) => Promise<unknown>;

/**
 * The course of covers, whatever they stand on: the engine is asked, what it was told and said is kept, and what comes of
 * it is counted. The caller holds the order and its cover.
 */
export class CoverCourseService {
  constructor(
    private readonly covers: CoverRepository,
    private readonly decisions: CoverDecisionService,
    private readonly counts: RecoveryCountService,
    private readonly now: Date,
  ) {}

  /** Starts a cover, which may end with that. Without a failure the payer has a new method. */
  async begin(
    { on, worth, before, ...matter }: NewMatter,
    failure: Failure | null,
    tell: Tell<[decision: Decision]>,
  ): Promise<CoverRecord> {
    const { vendor, order, payer } = matter;
    const zoneId = payer?.timeZone ?? vendor.zoneId;
    const attempts = failure ? [attemptOf(failure, this.now)] : [];
    const alongside = await othersOf(matter, [failure]);
    const told = caseOf({ ...matter, windowStart: this.now, zoneId }, { attempts, alongside });
    const [policy, facts] = await Promise.all([
      this.decisions.policyInForce(vendor.id),
      this.decisions.understood(vendor.id, told),
    ]);
    const decision = this.decisions.decide(facts, policy);
    const { reasonClass } = decision;
    const cover = await this.covers.add(vendor.id, {
      ...on,
      windowStart: this.now,
      zoneId,
      policyVersion: policy.version,
      policy: keptPolicy(policy),
      startedAt: this.now,
      startedOn: localDay(this.now, zoneRules(vendor.zoneId, this.now)),
      reasonClass: reasonClass ?? before ?? "UNKNOWN",
      gateway: order.paymentGateway,
      country: facts.country,
      amount: worth,
      ...outcomeOf(decision, this.now),
    });
    const row = failure && attemptRow(cover.id, 1, "FIRST_FAILURE", failure, reasonClass!, this.now);
    await Promise.all([
      tell(cover, decision),
      row && this.covers.addAttempt(vendor.id, row),
      this.decisions.keep(vendor.id, cover.id, facts, policy, decision),
      this.counts.started(vendor.id, cover, row),
    ]);
    return cover;
  }

  /**
   * Takes a failed try of a cover in progress, by the policy that it began with. A repeat of a report changes nothing.
   * `methodChanged` is when the payer renewed the payment method meanwhile, where that is told.
   */
  async goOn(
    matter: CoverMatter,
    cover: CoverRecord,
    failure: Failure,
    methodChanged: Promise<Date | null> | null,
    read: (last: CoverAttemptRecord | undefined) => Reading,
    tell: Tell<[failed: FailedTry]>,
  ): Promise<CoverRecord> {
    const vendorId = matter.vendor.id;
    const [past, methodChangedAt] = await Promise.all([this.covers.attemptsOf(vendorId, cover.id), methodChanged]);
    const reading = read(past.at(-1));
    const attempt = attemptOf(failure, this.now);
    const told = caseOf(
      { ...matter, windowStart: cover.windowStart, zoneId: cover.zoneId },
      {
        attempts: [...past.map(attemptOfRecord), attempt],
        alongside: await othersOf(matter, [...past, failure]),
        methodChangedAt,
        ...(reading.kind === "SCHEDULED" ? { used: reading.tried } : { promised: cover.retryAt }),
      },
    );
    const facts = await this.decisions.understood(vendorId, told);
    const reasonClass = classify(facts.attempts.at(-1)!, facts);
    // Words that forbid another try end the scenario at any time.
    if (reading.kind === "REPEAT" && endingOf(reasonClass) === undefined) return cover;
    const policy = policyOfCover(cover);
    const decision = this.decisions.decide(facts, policy);
    const after = await this.covers.change(vendorId, cover.id, outcomeOf(decision, this.now));
    const number = past.length + 1;
    const kind = reading.kind === "SCHEDULED" ? "SCHEDULED" : "UNSCHEDULED";
    const row = attemptRow(cover.id, number, kind, failure, reasonClass, this.now);
    await Promise.all([
      this.covers.addAttempt(vendorId, row),
      tell(after, { number, kind, decision }),
      this.decisions.keep(vendorId, after.id, facts, policy, decision),
      this.counts.failed(vendorId, after, row),
    ]);
    return after;
  }

  /**
   * Holds the try of a date that has come to the rulebook once more: since the date was told, other tries with the card may
   * have used a limit up. @returns the cover as another decision left it; undefined where the try may be made.
   */
  async reconsider(
    matter: CoverMatter,
    cover: CoverRecord,
    tell: Tell<[decision: Decision]>,
  ): Promise<CoverRecord | undefined> {
    const vendorId = matter.vendor.id;
    const past = await this.covers.attemptsOf(vendorId, cover.id);
    const told = caseOf(
      { ...matter, windowStart: cover.windowStart, zoneId: cover.zoneId },
      { attempts: past.map(attemptOfRecord), alongside: await othersOf(matter, past), due: this.now },
    );
    if (this.decisions.mayTry(told)) return undefined;
    const facts = await this.decisions.understood(vendorId, told);
    const policy = policyOfCover(cover);
    const decision = this.decisions.decide(facts, policy);
    const after = await this.covers.change(vendorId, cover.id, outcomeOf(decision, this.now));
    await Promise.all([
      tell(after, decision),
      this.decisions.keep(vendorId, after.id, facts, policy, decision),
      after.state !== "IN_PROGRESS" && this.counts.ended(vendorId, after),
    ]);
    return after;
  }

  /** Ends a cover in progress without a further try. */
  async end(vendorId: number, cover: CoverRecord, reason: CoverEndReason, tell: Tell<[]>): Promise<CoverRecord> {
    const ended = await this.covers.change(vendorId, cover.id, endedFor(reason, this.now));
    await Promise.all([tell(ended), this.counts.ended(vendorId, ended)]);
    return ended;
  }
}

/** What the networks count besides a cover's own attempts. */
async function othersOf(
  { alongside }: Pick<CoverMatter, "alongside">,
  own: readonly (Pick<Failure, "paymentId"> | null)[],
): Promise<readonly CardTry[]> {
  return alongside ? alongside(own.flatMap((one) => one?.paymentId ?? [])) : [];
}
