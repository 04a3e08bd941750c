import type { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { invalid, invalidField, notFound } from "../../kernel/refusals.ts";
import type { Backtest } from "../backtests/backtest.service.ts";
import { toStoredBacktest } from "../backtests/backtest.stored.ts";
import { isKnownCode, normalizeCode } from "../engine/decline.ts";
import type { RecoveryPolicyRecord, RecoveryPolicyRepository } from "./recovery-policy.repository.ts";
import { requireModelOf } from "../models/model-selection.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import { toPolicy, type RequestedTerms } from "./recovery-policy.rules.ts";
import { toStoredTerms } from "./recovery-policy.terms.ts";

/** Saves a vendor's input to the engine: its policies, and its mappings of otherwise unknown codes. */
export class RecoveryPolicyService {
  constructor(
    private readonly deps: {
      recoveryPolicyRepository: RecoveryPolicyRepository;
      recoveryModelRepository: RecoveryModelRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Writes a policy down; no cover is run by it yet. */
  async propose(
    { id: vendorId, currency }: { id: number; currency: string },
    terms: RequestedTerms,
  ): Promise<RecoveryPolicyRecord> {
    const { version: _made, ...policyTerms } = toPolicy(terms, "", "terms", currency);
    await requireModelOf(this.deps.recoveryModelRepository, vendorId, policyTerms);
    return this.deps.recoveryPolicyRepository.add(vendorId, {
      state: "PROPOSED",
      terms: toStoredTerms(policyTerms),
      proposedAt: this.deps.now,
    });
  }

  /** Keeps the last backtest of a policy; it may have been made by a request that was sent earlier. */
  async saveBacktest(vendorId: number, policyId: number, backtest: Backtest): Promise<void> {
    await this.deps.recoveryPolicyRepository.change(vendorId, policyId, { lastBacktest: toStoredBacktest(backtest) });
  }

  /** Makes this the policy of new covers. Covers in progress stay with theirs. Idempotent. */
  async activate(vendorId: number, policyId: number): Promise<RecoveryPolicyRecord> {
    const lockedPolicies = await this.deps.recoveryPolicyRepository.lockWithActive(vendorId, policyId);
    const policy = requireOwn(lockedPolicies, policyId);
    if (policy.state === "ACTIVE") return policy;
    for (const { id, state } of lockedPolicies)
      if (state === "ACTIVE")
        await this.deps.recoveryPolicyRepository.change(vendorId, id, { state: "RETIRED", retiredAt: this.deps.now });
    await this.deps.events.recordModuleEvents(vendorId, {
      ...{
        type: "POLICY_ACTIVATED",
        subject: "POLICY",
        subjectId: policyId,
        trigger: "activatePolicy",
        actor: "MANAGER",
      },
      ...{ statusBefore: policy.state, statusAfter: "ACTIVE" },
    });
    return this.deps.recoveryPolicyRepository.change(vendorId, policyId, {
      state: "ACTIVE",
      activatedAt: this.deps.now,
      retiredAt: null,
    });
  }

  /** Returns new covers to the parent's policy, or to the default. Idempotent. */
  async retire(vendorId: number, policyId: number): Promise<RecoveryPolicyRecord> {
    const policy = requireOwn(await this.deps.recoveryPolicyRepository.lockWithActive(vendorId, policyId), policyId);
    if (policy.state === "RETIRED") return policy;
    return this.deps.recoveryPolicyRepository.change(vendorId, policyId, {
      state: "RETIRED",
      retiredAt: this.deps.now,
    });
  }

  /** Says what a code of a gateway means, for the vendor and its children; UNKNOWN takes it back. */
  async mapDecline(
    vendorId: number,
    gateway: PaymentGateway,
    sentCode: string,
    reasonClass: ReasonClass,
  ): Promise<string> {
    const code = normalizeCode(sentCode);
    if (code === "") throw invalidField("errorCode", "must not be blank.");
    if (isKnownCode(code, { gateway })) {
      throw invalid(
        "DECLINE_CODE_KNOWN",
        "The gateway or the card networks define the meaning of this code, so it cannot be mapped.",
      );
    }
    if (reasonClass === "UNKNOWN")
      await this.deps.recoveryPolicyRepository.deleteDeclineMapping(vendorId, gateway, code);
    else
      await this.deps.recoveryPolicyRepository.saveDeclineMapping(vendorId, {
        gateway,
        code,
        reasonClass,
        mappedAt: this.deps.now,
      });
    return code;
  }
}

function requireOwn(lockedPolicies: readonly RecoveryPolicyRecord[], policyId: number): RecoveryPolicyRecord {
  const policy = lockedPolicies.find(({ id }) => id === policyId);
  if (!policy) throw notFound("POLICY_NOT_FOUND", "There is no recovery policy with this id.");
  return policy;
}
