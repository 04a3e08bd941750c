import type { CoverEndReason, ReasonClass } from "../../../schema/vocabulary.ts";
import { daysLater, later } from "../../kernel/instants.ts";
import { classify, endingOf, type Decline } from "./decline.ts";
import type { Policy } from "./policy.ts";
import { legalFrom, type Rulebook } from "./rulebook.ts";

/** A failed attempt, as far as the engine cares. */
export interface CaseAttempt extends Decline {
  at: Date;
}

/** All that is known of a failed payment when the engine is asked. */
export interface RecoveryCase {
  /** The instant that offsets count from: the first failure, or the change of the payment method. */
  windowStart: Date;
  /** The payer's IANA zone. */
  zoneId: string;
  /** Failed attempts in order of time. Empty after a change of the payment method. */
  attempts: readonly CaseAttempt[];
  /** A date already given to the caller that is still to come: it stays unless the rulebook forbids it. */
  promised: Date | null;
  /** The date whose try was just reported; the next one lies after it, however early the report came. */
  used: Date | null;
}

/** A trained model of recovery. None exists yet: policies that want one fall back to a fixed schedule. */
export interface HazardModel {
  version: string;
}

/** What the engine says, and what it was held to. */
export interface Decision {
  /** The next try, or null when trying is over. */
  retryAt: Date | null;
  endReason: CoverEndReason | null;
  /** What the last decline means; null where there was none. */
  reasonClass: ReasonClass | null;
  floor: Date | null;
  floorRow: string | null;
  /** The tries that the policy plans after `retryAt`. */
  alternatives: Date[];
  budget: { used: number; limit: number; windowEnds: Date };
  policyVersion: string;
  rulebookVersion: string;
  modelVersion: string | null;
}

/**
 * Says when to try a failed payment next, or that trying is over. Pure: the same facts give the same decision.
 */
export function decide(
  facts: RecoveryCase,
  policy: Policy,
  rulebook: Rulebook,
  model: HazardModel | null,
  now: Date,
): Decision {
  const offsets = policy.offsetsInDays.map((days) => daysLater(facts.windowStart, days, facts.zoneId));
  const lastDecline = facts.attempts.at(-1);
  const reasonClass = lastDecline ? classify(lastDecline) : null;
  const base = {
    reasonClass,
    floor: null,
    floorRow: null,
    budget: {
      used: facts.attempts.filter(({ at }) => at > facts.windowStart).length,
      limit: offsets.length,
      windowEnds: offsets.at(-1) ?? facts.windowStart,
    },
    policyVersion: policy.version,
    rulebookVersion: rulebook.version,
    modelVersion: model?.version ?? null,
  };
  const over = (endReason: CoverEndReason): Decision => ({ ...base, retryAt: null, endReason, alternatives: [] });

  const ending = reasonClass && endingOf(reasonClass);
  if (ending) return over(ending);

  const from = later(now, facts.promised ?? facts.used ?? now);
  const coming = offsets.filter((offset) => offset > from);
  const candidate = facts.promised ?? coming.shift();
  if (!candidate) return over("NO_TRIES_LEFT");

  const legal = legalFrom(facts.attempts, candidate, rulebook);
  return {
    ...base,
    retryAt: legal.at,
    endReason: null,
    floor: legal.row && legal.at,
    floorRow: legal.row && legal.row.id,
    alternatives: coming.filter((offset) => offset > legal.at),
  };
}
