import { invalid, invalidField } from "../../kernel/refusals.ts";
import { isKnownCode, normalizeCode } from "../engine/decline.ts";
import { toStoredJson } from "../engine/decision-record.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import { requireModelOf, selectModel } from "../models/model-selection.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import { publishedPrior } from "../models/published-prior.ts";
import { computeInThread } from "../case-threads/case-computation.ts";
import {
  familyCasePages,
  REQUEST_LIMITS,
  takeFirstCases,
  toCasePeriod,
  type CaseLimits,
  type RequestedPeriod,
} from "../case-threads/family-cases.ts";
import type { CasePeriod, RecordedCaseRepository } from "../models/recorded-case.repository.ts";
import type { RecoveryPolicyRepository } from "../policies/recovery-policy.repository.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { MIN_CASES } from "./backtest.ts";
import type { BacktestJob, BacktestReport, ProposedMeaning } from "./backtest-job.ts";

/** A backtest with what it is about. */
export interface Backtest extends BacktestReport {
  from: Date;
  until: Date;
  /** When it was computed, by the vendor's clock. */
  madeAt: Date;
  /** The model that the proposed policy chose by; null without one. */
  modelVersion: string | null;
}

/** What the command line may take. */
export const COMMAND_LIMITS: CaseLimits = { maxCases: 50_000, timeoutMs: 3_600_000 };

/** Estimates what another policy, or another meaning of a code, would have recovered of the family's recorded cases. */
export class BacktestService {
  constructor(
    private readonly deps: {
      recordedCaseRepository: RecordedCaseRepository;
      recoveryPolicyRepository: RecoveryPolicyRepository;
      recoveryModelRepository: RecoveryModelRepository;
      vendor: { id: number; currency: string };
      now: Date;
      limits?: CaseLimits;
    },
  ) {}

  /**
   * Backtests terms. @throws a Refusal INVALID_ARGUMENT, MODEL_NOT_FOUND, BACKTEST_TOO_LARGE or BACKTEST_BUSY
   */
  async backtestPolicy(policy: Policy, requested: RequestedPeriod): Promise<Backtest> {
    await requireModelOf(this.deps.recoveryModelRepository, this.deps.vendor.id, policy);
    return this.run({ policy: toStoredJson(policy) }, await this.modelOf(policy), requested);
  }

  /**
   * Backtests a meaning of a code on the cases with this code, each under the policy that it ran under.
   * @throws a Refusal as above, or DECLINE_CODE_KNOWN
   */
  async backtestMeaning(
    { code: sentCode, ...meaning }: ProposedMeaning,
    requested: RequestedPeriod,
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
    requested: RequestedPeriod,
  ): Promise<Backtest> {
    const { vendor, now, limits = REQUEST_LIMITS } = this.deps;
    const period = toCasePeriod(requested, now);
    const about = { ...period, madeAt: now, modelVersion: model?.version ?? null };
    const { first, all } = await takeFirstCases(this.pages(period, limits.maxCases), MIN_CASES);
    if (first.length < MIN_CASES) return { ...about, ...tooFew(first.length) };
    const job: BacktestJob = {
      proposed,
      model,
      prior: publishedPrior(),
      currency: vendor.currency,
      now,
    };
    const report = await computeInThread<BacktestJob, BacktestReport>(vendor.id, {
      ...{ program: "backtests/backtest-thread", pages: all, job, timeoutMs: limits.timeoutMs },
      busyCode: "BACKTEST_BUSY",
      refuseSlow: () => invalid("BACKTEST_TOO_LARGE", "The backtest took too long. Choose a shorter period."),
    });
    return { ...about, ...report };
  }

  private pages(period: CasePeriod, maxCases: number) {
    const { recordedCaseRepository, vendor } = this.deps;
    return familyCasePages(recordedCaseRepository, vendor.id, period, maxCases, () =>
      invalid("BACKTEST_TOO_LARGE", `The period has more than ${maxCases} cases. Choose a shorter period.`),
    );
  }
}

const tooFew = (cases: number): BacktestReport => ({
  ...{ cases, noFigureReason: "TOO_FEW_CASES", effectiveSampleSize: 0, unsupported: 0 },
  ...{ current: null, proposed: null, difference: null, differenceByWeights: null },
  skipped: { running: 0, unreported: 0, unreadable: 0 },
});
