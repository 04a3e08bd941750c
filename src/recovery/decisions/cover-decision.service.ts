import type { CoverRepository } from "../covers/cover.repository.ts";
import { withDeclineMappings } from "../policies/decline-mappings.ts";
import type { RecoveryCase } from "../engine/recovery-case.ts";
import { attemptsUnderMethod, decideRetry } from "../engine/decide-retry.ts";
import type { Decision } from "../engine/decision.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import { toDecisionInputs, toStoredJson, type DecisionInputs } from "../engine/decision-record.ts";
import { currentRulebook, earliestLegalTime } from "../engine/rulebook.ts";
import type { RecoveryPolicyRepository } from "../policies/recovery-policy.repository.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { selectModel, type SelectedModel } from "../models/model-selection.ts";
import type { ModelTrustRepository } from "../model-trust/model-trust.repository.ts";
import type { ModelStanding, RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import { toDecisionColumns } from "./retry-decision.mapping.ts";

/** A decision, and everything that it follows from. */
export interface DecisionWithInputs {
  decision: Decision;
  inputs: DecisionInputs;
}

/** Runs the decision engine for covers, and saves its input and its decision. */
export class CoverDecisionService {
  constructor(
    private readonly deps: {
      coverRepository: CoverRepository;
      recoveryPolicyRepository: RecoveryPolicyRepository;
      recoveryModelRepository: RecoveryModelRepository;
      modelTrustRepository: ModelTrustRepository;
      now: Date;
    },
  ) {}

  /** The vendor's active policy, else its parent's, else the default. */
  async activePolicy(vendorId: number): Promise<Policy> {
    const record = await this.deps.recoveryPolicyRepository.findActive(vendorId);
    return record ? policyOfRecord(record) : defaultPolicy;
  }

  /**
   * The model that a cover's policy chooses its times by; null where it needs none. `standing` has the models that may decide for the
   * vendor, where they were read before.
   */
  async selectModel(vendorId: number, policy: Policy, standing?: ModelStanding): Promise<SelectedModel> {
    const models = this.deps.recoveryModelRepository;
    const selected = await selectModel(models, vendorId, policy, () =>
      standing ? Promise.resolve(standing) : models.standing(vendorId),
    );
    // From its first choice on, a model is tested by the results.
    if (selected.model && !selected.isWatched) await this.deps.modelTrustRepository.addWatch(vendorId, this.deps.now);
    return selected;
  }

  /** The facts with the vendor's mappings of otherwise unknown codes. */
  withDeclineMappings(vendorId: number, facts: RecoveryCase): Promise<RecoveryCase> {
    return withDeclineMappings(this.deps.recoveryPolicyRepository, vendorId, facts);
  }

  /** Whether the rulebook allows an attempt now, independent of the policy. */
  isRetryAllowedNow(facts: RecoveryCase): boolean {
    const attempts = attemptsUnderMethod(facts);
    return earliestLegalTime(attempts, this.deps.now, currentRulebook, facts).at?.getTime() === this.deps.now.getTime();
  }

  decideRetry(facts: RecoveryCase, policy: Policy, { model, fallback }: SelectedModel): DecisionWithInputs {
    return {
      decision: decideRetry(facts, policy, currentRulebook, model, this.deps.now, fallback),
      inputs: toDecisionInputs(facts, policy, this.deps.now, fallback),
    };
  }

  /** Keeps a decision with everything that it follows from. */
  saveDecision(vendorId: number, coverId: number, { decision, inputs }: DecisionWithInputs): Promise<void> {
    return this.deps.coverRepository.addDecision(vendorId, {
      coverId,
      decidedAt: this.deps.now,
      ...toDecisionColumns(decision),
      inputs: toStoredJson(inputs),
      outcome: toStoredJson(decision),
    });
  }
}
