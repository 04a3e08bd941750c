import { itemAt, lastOf } from "../../kernel/required-values.ts";
import { classifyDecline } from "../engine/decline.ts";
import { decideRetry } from "../engine/decide-retry.ts";
import { drawShare } from "../engine/model/draws.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import type { Policy } from "../engine/policy.ts";
import type { CaseAttempt } from "../engine/recovery-case.ts";
import { currentRulebook } from "../engine/rulebook.ts";
import { networkOf, toCaseAfter, type PastPayment, type PastTry } from "./past-payment.ts";
import { evidenceOf, type TryEvidence } from "./try-evidence.ts";

/** A try that a policy would make if all tries before it failed. */
export interface PlannedTry {
  at: Date;
  evidence: TryEvidence;
}

/** More tries than any policy has. */
const MAX_TRIES = 40;
const POOL_SIZE = 500;

/** The declines that followed a decline of the same class: what a policy's failed try would have answered. */
export class DeclinePool {
  private readonly byClass = new Map<string, PastTry[]>();

  constructor(payments: readonly PastPayment[]) {
    for (const payment of payments)
      for (let number = 1; number < payment.tries.length; number++) {
        const next = itemAt(payment.tries, number);
        if (next.approved) continue;
        const reason = classifyDecline(itemAt(payment.tries, number - 1), payment);
        const pool = this.byClass.get(reason) ?? [];
        if (pool.length < POOL_SIZE) pool.push(next);
        this.byClass.set(reason, pool);
      }
  }

  /** A decline after another one, the same for the same key; the same decline again where the past has none. */
  after(
    last: CaseAttempt,
    payment: PastPayment,
    key: string,
  ): Pick<CaseAttempt, "code" | "message" | "adviceCode" | "mapped"> {
    const pool = this.byClass.get(classifyDecline(last, payment)) ?? [last];
    const { code, message, adviceCode, mapped } = itemAt(pool, Math.floor(drawShare(key) * pool.length));
    return { code, message, adviceCode, mapped };
  }
}

/** The model by which times are chosen, null without one; and the one that says how likely they are approved. */
export interface RolloutModels {
  model: RetryModel | null;
  judge: RetryModel;
}

/** The tries that a policy would make after the first failure of a payment, as long as none is approved. */
export function rollOut(
  payment: PastPayment,
  policy: Policy,
  { model, judge }: RolloutModels,
  declines: DeclinePool,
): PlannedTry[] {
  const { approved: _approved, ...first } = itemAt(payment.tries, 0);
  const network = networkOf(payment);
  const attempts: CaseAttempt[] = [{ ...first, network }];
  const planned: PlannedTry[] = [];
  while (planned.length < MAX_TRIES) {
    const last = lastOf(attempts);
    const facts = toCaseAfter(payment, attempts);
    const { retryAt } = decideRetry(facts, policy, currentRulebook, model, last.at);
    if (!retryAt || retryAt <= last.at) return planned;
    planned.push({ at: retryAt, evidence: evidenceOf(judge.forCase(facts), retryAt, first.at, last.at) });
    const decline = declines.after(last, payment, `${payment.id} ${planned.length}`);
    attempts.push({ ...last, ...decline, at: retryAt });
  }
  return planned;
}
