import { required } from "../../kernel/required-values.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";
import type { CoverDecisionService } from "../decisions/cover-decision.service.ts";
import type { SelectedModel } from "../models/model-selection.ts";
import { readPolicyOfCover } from "../policies/cover.policy.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { armOfPayer, payerNumberOf } from "./arm-assignment.ts";
import { isInShadowMode, levelInForce, policyOfArm, versionOfArm } from "./experiment-arm.policy.ts";
import type { PolicyLevel, RecoveryExperimentRepository } from "./recovery-experiment.repository.ts";

/** The policy of a new cover with its model, and the arm that chose it as the cover stores it. */
export interface PolicyOfNewCover {
  policy: Policy;
  model: SelectedModel;
  assignment: Pick<CoverRecord, "experimentId" | "experimentArm" | "experimentPayer">;
  /** Whether a cover of a registered order only records what it would advise. */
  inShadowMode: boolean;
}

/** Chooses the policy of covers: by the arm of a running experiment, else the active one. */
export class ExperimentAssignmentService {
  constructor(
    private readonly deps: {
      recoveryExperimentRepository: RecoveryExperimentRepository;
      coverDecisions: CoverDecisionService;
    },
  ) {}

  /**
   * The policy that a new cover is run by. The vendor's experiment precedes its policy, and both precede those of its
   * parent. `payerKey` names the payer among all of the vendor.
   */
  async policyForNewCover(vendorId: number, payerKey: string): Promise<PolicyOfNewCover> {
    const levels = await this.deps.recoveryExperimentRepository.findPolicyLevels(vendorId);
    const level = levelInForce(levels);
    const { policy, assignment } = level ? choosePolicy(level, `${vendorId} ${payerKey}`) : DEFAULT_CHOICE;
    const model = await this.deps.coverDecisions.selectModel(vendorId, policy, level?.modelStanding);
    return { policy, model, assignment, inShadowMode: isInShadowMode(levels) };
  }

  /**
   * The policy that a cover in progress goes on with: the one that it started with, or the active one since its experiment
   * was stopped for covers in progress too.
   */
  async policyOfRunningCover(vendorId: number, cover: CoverRecord): Promise<Policy> {
    const { experimentId, experimentArm } = cover;
    if (experimentId === null || experimentArm === null) return readPolicyOfCover(cover);
    const released = await this.deps.recoveryExperimentRepository.findReleasedArm(vendorId, {
      experimentId,
      experimentArm,
    });
    // A cover goes over once, and keeps the policy that it found.
    return released && cover.policyVersion === versionOfArm(experimentId, released)
      ? this.deps.coverDecisions.activePolicy(vendorId)
      : readPolicyOfCover(cover);
  }
}

type PolicyChoice = Pick<PolicyOfNewCover, "policy" | "assignment">;

const NO_EXPERIMENT = { experimentId: null, experimentArm: null, experimentPayer: null };
const DEFAULT_CHOICE: PolicyChoice = { policy: defaultPolicy, assignment: NO_EXPERIMENT };

function choosePolicy(
  { policyId, policyTerms, experimentId, salt, arms }: PolicyLevel,
  payerKey: string,
): PolicyChoice {
  if (experimentId === null || salt === null || arms === null) {
    const record = { id: required(policyId, "policyId"), terms: required(policyTerms, "terms") };
    return { policy: policyOfRecord(record), assignment: NO_EXPERIMENT };
  }
  const experimentPayer = payerNumberOf(salt, payerKey);
  const arm = armOfPayer(experimentPayer, arms);
  return {
    policy: policyOfArm(experimentId, arm),
    assignment: { experimentId, experimentArm: arm.number, experimentPayer },
  };
}
