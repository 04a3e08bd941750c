import type { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { invalid, invalidField, missing } from "../../kernel/refusals.ts";
import { isKnownCode, normalCode } from "../engine/decline.ts";
import type { RecoveryPolicyRecord, RecoveryPolicyRepository } from "./recovery-policy.repository.ts";
import { policyFrom, type ToldTerms } from "./recovery-policy.rules.ts";
import { storedTerms } from "./recovery-policy.terms.ts";

/** Keeps what a vendor tells the engine: its policies, and what codes mean that nobody else knows. */
export class RecoveryPolicyService {
  constructor(
    private readonly policies: RecoveryPolicyRepository,
    private readonly now: Date,
  ) {}

  /** Writes a policy down; no cover is run by it yet. */
  propose(vendorId: number, terms: ToldTerms): Promise<RecoveryPolicyRecord> {
    const { version: _made, ...kept } = policyFrom(terms, "", "terms");
    return this.policies.add(vendorId, { state: "PROPOSED", terms: storedTerms(kept), proposedAt: this.now });
  }

  /** From now on new covers are run by this policy. Covers in progress keep theirs. Said again, it changes nothing. */
  async activate(vendorId: number, policyId: number): Promise<RecoveryPolicyRecord> {
    const held = await this.policies.lockActiveAnd(vendorId, policyId);
    const policy = ownOf(held, policyId);
    if (policy.state === "ACTIVE") return policy;
    for (const { id, state } of held)
      if (state === "ACTIVE") await this.policies.change(vendorId, id, { state: "RETIRED", retiredAt: this.now });
    return this.policies.change(vendorId, policyId, { state: "ACTIVE", activatedAt: this.now, retiredAt: null });
  }

  /** From now on new covers are run by the parent's policy, or by the default. Said again, it changes nothing. */
  async retire(vendorId: number, policyId: number): Promise<RecoveryPolicyRecord> {
    const policy = ownOf(await this.policies.lockActiveAnd(vendorId, policyId), policyId);
    if (policy.state === "RETIRED") return policy;
    return this.policies.change(vendorId, policyId, { state: "RETIRED", retiredAt: this.now });
  }

  /** Says what a code of a gateway means, for the vendor and its children; UNKNOWN takes it back. */
  async mapDecline(vendorId: number, gateway: PaymentGateway, told: string, reasonClass: ReasonClass): Promise<string> {
    const code = normalCode(told);
    if (code === "") throw invalidField("errorCode", "must not be blank.");
    if (isKnownCode(code, { gateway })) {
      throw invalid(
        "DECLINE_CODE_KNOWN",
        "The meaning of this code is told by its gateway or by the card networks, so it cannot be mapped.",
      );
    }
    if (reasonClass === "UNKNOWN") await this.policies.unmap(vendorId, gateway, code);
    else await this.policies.map(vendorId, { gateway, code, reasonClass, mappedAt: this.now });
    return code;
  }
}

function ownOf(held: readonly RecoveryPolicyRecord[], policyId: number): RecoveryPolicyRecord {
  const policy = held.find(({ id }) => id === policyId);
  if (!policy) throw missing("POLICY_NOT_FOUND", "There is no recovery policy with this id.");
  return policy;
}
