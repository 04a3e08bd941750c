import type { RecoveryCase } from "../engine/recovery-case.ts";
import { isKnownCode, normalizeCode } from "../engine/decline.ts";
import type { RecoveryPolicyRepository } from "./recovery-policy.repository.ts";

/** The facts with the vendor's mappings of otherwise unknown codes. */
export async function withDeclineMappings(
  policies: RecoveryPolicyRepository,
  vendorId: number,
  facts: RecoveryCase,
): Promise<RecoveryCase> {
  const unknownCodes = facts.attempts.flatMap(({ code }) =>
    code?.trim() && !isKnownCode(code, facts) ? [normalizeCode(code)] : [],
  );
  if (unknownCodes.length === 0 || facts.gateway === null) return facts;
  const mappings = await policies.declineMappingsOf(vendorId, facts.gateway, [...new Set(unknownCodes)]);
  if (mappings.size === 0) return facts;
  const attempts = facts.attempts.map((attempt) => ({
    ...attempt,
    mapped: mappings.get(normalizeCode(attempt.code)) ?? null,
  }));
  return { ...facts, attempts };
}
