import type { RecoveryCase } from "../engine/recovery-case.ts";
import { isKnownCode, normalCode } from "../engine/decline.ts";
import type { RecoveryPolicyRepository } from "./recovery-policy.repository.ts";

/** The facts with what the vendor said of codes that nobody else knows. */
export async function understood(
  policies: RecoveryPolicyRepository,
  vendorId: number,
  facts: RecoveryCase,
): Promise<RecoveryCase> {
  const strange = facts.attempts.flatMap(({ code }) =>
    code?.trim() && !isKnownCode(code, facts) ? [normalCode(code)] : [],
  );
  if (strange.length === 0 || facts.gateway === null) return facts;
  const meanings = await policies.meanings(vendorId, facts.gateway, [...new Set(strange)]);
  if (meanings.size === 0) return facts;
  const attempts = facts.attempts.map((attempt) => ({
    ...attempt,
    mapped: meanings.get(normalCode(attempt.code)) ?? null,
  }));
  return { ...facts, attempts };
}
