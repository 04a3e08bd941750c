import { randomUUID } from "node:crypto";
import type { CoversInProgress } from "../../../schema/vocabulary.ts";
import { conflict, invalidField, notFound, unknownReference } from "../../kernel/refusals.ts";
import { getOrThrow } from "../../kernel/required-values.ts";
import type { RecoveryPolicyRepository } from "../policies/recovery-policy.repository.ts";
import type { RecoveryPolicyService } from "../policies/recovery-policy.service.ts";
import { policyOfArm } from "./experiment-arm.policy.ts";
import { comparedAfterDays, readArms, type RequestedArms } from "./recovery-experiment.rules.ts";
import type { RecoveryExperimentRecord, RecoveryExperimentRepository } from "./recovery-experiment.repository.ts";

/** An experiment in a merchant's input. */
export interface RequestedExperiment extends RequestedArms {
  name?: string | null;
  includeChildren?: boolean | null;
}

/** Starts and ends a vendor's experiments. */
export class RecoveryExperimentService {
  constructor(
    private readonly deps: {
      recoveryExperimentRepository: RecoveryExperimentRepository;
      recoveryPolicyRepository: RecoveryPolicyRepository;
      recoveryPolicies: RecoveryPolicyService;
      now: Date;
    },
  ) {}

  /**
   * Starts an experiment: from now on its arms choose the policy of new covers.
   * @throws a Refusal EXPERIMENT_RUNNING if another one is running, POLICY_NOT_FOUND, INVALID_ARGUMENT.
   */
  async start(
    { id: vendorId, currency }: { id: number; currency: string },
    requested: RequestedExperiment,
  ): Promise<RecoveryExperimentRecord> {
    const arms = readArms(requested, currency);
    const policyIds = requested.arms.map(({ policyId }) => policyId);
    const policies = await this.deps.recoveryPolicyRepository.byIds(vendorId, policyIds);
    const termsById = new Map(policies.map(({ id, terms }) => [id, terms]));
    for (const [index, id] of policyIds.entries())
      if (!termsById.has(id)) throw unknownReference("POLICY_NOT_FOUND", `arms[${index}].policyId`, "recovery policy");
    const policyOf = ({ policyId, terms }: (typeof arms)[number]) =>
      policyOfArm(0, { policyId, terms: policyId === null ? terms : getOrThrow(termsById, policyId) });
    return this.deps.recoveryExperimentRepository.add(
      vendorId,
      {
        name: requested.name ?? null,
        state: "RUNNING",
        salt: randomUUID(),
        includeChildren: requested.includeChildren ?? true,
        comparedAfterDays: comparedAfterDays(arms.map(policyOf)),
        startedAt: this.deps.now,
      },
      arms,
    );
  }

  /** Ends an experiment for new covers, and for those in progress if requested. Idempotent. */
  async stop(vendorId: number, id: number, coversInProgress: CoversInProgress): Promise<RecoveryExperimentRecord> {
    const experiment = await this.lock(vendorId, id);
    if (experiment.state === "RUNNING") return this.end(vendorId, id, { coversInProgress });
    // The kill switch can still be thrown for covers that a first stop left with their policies.
    if (coversInProgress === "KEEP_POLICY" || experiment.coversInProgress === coversInProgress) return experiment;
    return this.deps.recoveryExperimentRepository.change(vendorId, id, { coversInProgress });
  }

  /** Activates the policy of an arm, and ends the experiment. Idempotent. */
  async promoteArm(
    vendorId: number,
    id: number,
    number: number,
    coversInProgress: CoversInProgress,
  ): Promise<RecoveryExperimentRecord> {
    const experiment = await this.lock(vendorId, id);
    if (experiment.promotedArm === number) return experiment;
    if (experiment.state !== "RUNNING")
      throw conflict(
        "EXPERIMENT_STOPPED",
        "The experiment has ended; activate the policy of an arm with `activateRecoveryPolicy`.",
      );
    const arms = await this.deps.recoveryExperimentRepository.armsOf(vendorId, [id]);
    const policyId = arms.find((arm) => arm.number === number)?.policyId ?? null;
    if (policyId === null) throw invalidField("arm", "must be the number of an arm other than the holdout.", number);
    await this.deps.recoveryPolicies.activate(vendorId, policyId);
    return this.end(vendorId, id, { coversInProgress, promotedArm: number });
  }

  private async lock(vendorId: number, id: number): Promise<RecoveryExperimentRecord> {
    const experiment = await this.deps.recoveryExperimentRepository.lock(vendorId, id);
    if (!experiment) throw notFound("EXPERIMENT_NOT_FOUND", "There is no experiment with this id.");
    return experiment;
  }

  private end(
    vendorId: number,
    id: number,
    values: { coversInProgress: CoversInProgress; promotedArm?: number },
  ): Promise<RecoveryExperimentRecord> {
    return this.deps.recoveryExperimentRepository.change(vendorId, id, {
      ...values,
      state: "STOPPED",
      stoppedAt: this.deps.now,
    });
  }
}
