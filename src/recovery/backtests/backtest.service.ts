import { NoSlotError } from "../../kernel/fair-semaphore.ts";
import { invalid, invalidField, overLimit } from "../../kernel/refusals.ts";
import { lastOf } from "../../kernel/required-values.ts";
import { isKnownCode, normalizeCode } from "../engine/decline.ts";
import { toStoredJson } from "../engine/decision-record.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import { requireModelOf, selectModel } from "../models/model-selection.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import { publishedPrior } from "../models/published-prior.ts";
import type {
  CasePeriod,
  CasePosition,
  RecordedCaseRepository,
  RecordedCaseRow,
} from "../models/recorded-case.repository.ts";
import type { RecoveryPolicyRepository } from "../policies/recovery-policy.repository.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { MIN_CASES } from "./backtest.ts";
import type { BacktestJob, BacktestReport, ProposedMeaning } from "./backtest-job.ts";
import { BacktestTimeoutError, runInThread } from "./backtest-thread.ts";

/** A backtest with what it is about. */
export interface Backtest extends BacktestReport {
  from: Date;
  until: Date;
  /** When it was computed, by the vendor's clock. */
  madeAt: Date;
  /** The model that the proposed policy chose by; null without one. */
  modelVersion: string | null;
}

/** How much one backtest may take. */
export interface BacktestLimits {
  maxCases: number;
  timeoutMs: number;
}

/** What the command line may take. */
export const COMMAND_LIMITS: BacktestLimits = { maxCases: 50_000, timeoutMs: 3_600_000 };
/** What a request may take: an answer within about a minute on one core. */
const REQUEST_LIMITS: BacktestLimits = { maxCases: 5_000, timeoutMs: 120_000 };

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 731;
const PAGE_SIZE = 100;
const RETRY_AFTER_SECONDS = 60;

/** Estimates what another policy, or another meaning of a code, would have recovered of the family's recorded cases. */
export class BacktestService {
  constructor(
    private readonly deps: {
      recordedCaseRepository: RecordedCaseRepository;
      recoveryPolicyRepository: RecoveryPolicyRepository;
      recoveryModelRepository: RecoveryModelRepository;
      vendor: { id: number; currency: string };
      now: Date;
      limits?: BacktestLimits;
    },
  ) {}

  /**
   * Backtests terms. @throws a Refusal INVALID_ARGUMENT, MODEL_NOT_FOUND, BACKTEST_TOO_LARGE or BACKTEST_BUSY
   */
  async backtestPolicy(policy: Policy, requested: Partial<CasePeriod>): Promise<Backtest> {
    await requireModelOf(this.deps.recoveryModelRepository, this.deps.vendor.id, policy);
    return this.run({ policy: toStoredJson(policy) }, await this.modelOf(policy), requested);
  }

  /**
   * Backtests a meaning of a code on the cases with this code, each under the policy that it ran under.
   * @throws a Refusal as above, or DECLINE_CODE_KNOWN
   */
  async backtestMeaning(
    { code: sentCode, ...meaning }: ProposedMeaning,
    requested: Partial<CasePeriod>,
  ): Promise<Backtest> {
    const code = normalizeCode(sentCode);
    if (code === "") throw invalidField("errorCode", "must not be blank.");
    if (isKnownCode(code, { gateway: meaning.gateway }))
      throw invalid(
        "DECLINE_CODE_KNOWN",
        "The gateway or the card networks define the meaning of this code, so it cannot be mapped.",
      );
    const { vendor, recoveryPolicyRepository } = this.deps;
    const record = await recoveryPolicyRepository.findActive(vendor.id);
    const model = await this.modelOf(record ? policyOfRecord(record) : defaultPolicy);
    return this.run({ meaning: { ...meaning, code } }, model, requested);
  }

  /** The model that the policy would choose its times by from now on. */
  private async modelOf(policy: Policy): Promise<RetryModel | null> {
    const { vendor, recoveryModelRepository: models } = this.deps;
    const { model } = await selectModel(models, vendor.id, policy, () => models.standing(vendor.id));
    return model;
  }

  private async run(
    proposed: BacktestJob["proposed"],
    model: RetryModel | null,
    requested: Partial<CasePeriod>,
  ): Promise<Backtest> {
    const { vendor, now, limits = REQUEST_LIMITS } = this.deps;
    const period = toPeriod(requested, now);
    const about = { ...period, madeAt: now, modelVersion: model?.version ?? null };
    const pages = this.pages(period, limits.maxCases);
    const first = await takeCases(pages, MIN_CASES);
    if (first.length < MIN_CASES) return { ...about, ...tooFew(first.length) };
    const job: BacktestJob = {
      proposed,
      model,
      prior: publishedPrior(),
      currency: vendor.currency,
      now,
    };
    try {
      return { ...about, ...(await runInThread(vendor.id, pagesFrom(first, pages), job, limits.timeoutMs)) };
    } catch (error) {
      if (error instanceof NoSlotError)
        throw overLimit(
          "BACKTEST_BUSY",
          `Other backtests are being computed; wait ${RETRY_AFTER_SECONDS} seconds.`,
          RETRY_AFTER_SECONDS,
        );
      if (error instanceof BacktestTimeoutError)
        throw invalid("BACKTEST_TOO_LARGE", "The backtest took too long. Choose a shorter period.");
      throw error;
    }
  }

  /** The cases of the vendor and its children, a page a statement. */
  private async *pages(period: CasePeriod, maxCases: number): AsyncGenerator<RecordedCaseRow[]> {
    const { recordedCaseRepository, vendor } = this.deps;
    let count = 0;
    for (const id of await recordedCaseRepository.familyWithCases(vendor.id, period)) {
      let after: CasePosition | undefined;
      for (;;) {
        const rows = await recordedCaseRepository.page(id, period, PAGE_SIZE, after);
        count += rows.length;
        if (count > maxCases)
          throw invalid("BACKTEST_TOO_LARGE", `The period has more than ${maxCases} cases. Choose a shorter period.`);
        // Numbers of customers are unique within a vendor only.
        yield rows.map((row) => ({ ...row, payer: row.payer && `${id} ${row.payer}` }));
        if (rows.length < PAGE_SIZE) break;
        after = lastOf(rows);
      }
    }
  }
}

/** @throws a Refusal INVALID_ARGUMENT */
function toPeriod({ from: requestedFrom, until: requestedUntil }: Partial<CasePeriod>, now: Date): CasePeriod {
  const until = requestedUntil ?? now;
  const from = requestedFrom ?? new Date(until.getTime() - DEFAULT_DAYS * DAY_MS);
  if (from >= until) throw invalidField("from", "must be before `until`.");
  if (until.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalidField("from", `must be at most ${MAX_DAYS} days before \`until\`.`);
  return { from, until };
}

/** The pages until they have so many cases; the rest stays to be read. */
async function takeCases(pages: AsyncGenerator<RecordedCaseRow[]>, wanted: number): Promise<RecordedCaseRow[]> {
  const taken: RecordedCaseRow[] = [];
  while (taken.length < wanted) {
    const page: IteratorResult<RecordedCaseRow[], unknown> = await pages.next();
    if (page.done) break;
    taken.push(...page.value);
  }
  return taken;
}

async function* pagesFrom(
  first: RecordedCaseRow[],
  rest: AsyncGenerator<RecordedCaseRow[]>,
): AsyncGenerator<RecordedCaseRow[]> {
  yield first;
  yield* rest;
}

const tooFew = (cases: number): BacktestReport => ({
  ...{ cases, noFigureReason: "TOO_FEW_CASES", effectiveSampleSize: 0, unsupported: 0 },
  ...{ current: null, proposed: null, difference: null, differenceByWeights: null },
  skipped: { running: 0, unreported: 0, unreadable: 0 },
});
