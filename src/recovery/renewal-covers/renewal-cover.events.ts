import type { CoverEventType, CoverState } from "../../../schema/vocabulary.ts";
import type { EventKind } from "../../events/event.titles.ts";
import { toDecisionFacts, endEventTypes } from "../covers/cover.events.ts";
import type { CoverStepEvent } from "../covers/cover-lifecycle.service.ts";

/** An event of the billing side about a cover. */
interface RenewalCoverEvent {
  happening: EventKind;
  statusBefore: CoverState | null;
  statusAfter: CoverState;
  facts: Record<string, unknown>;
}

const inProgress = { statusBefore: "IN_PROGRESS", statusAfter: "IN_PROGRESS" } as const;

/** The event of the billing side for what happened to a renewal's cover. */
export function toRenewalCoverEvent(event: CoverStepEvent): RenewalCoverEvent {
  switch (event.type) {
    case "STARTED":
      return { happening: "startRecovery", ...inProgress, statusBefore: null, facts: toDecisionFacts(event.decision) };
    case "ATTEMPT_FAILED": {
      const { number: attempt, kind } = event.attempt;
      return { happening: "failRetry", ...inProgress, facts: { attempt, kind, ...toDecisionFacts(event.decision) } };
    }
    case "RETRY_SCHEDULED": {
      const { decision } = event;
      return {
        happening: "moveRetry",
        ...inProgress,
        facts: { ...toDecisionFacts(decision), rule: decision.floorRow },
      };
    }
    default: {
      const { type: statusAfter, reason } = event;
      return { happening: "endRecovery", statusBefore: "IN_PROGRESS", statusAfter, facts: { reason } };
    }
  }
}

/** The same in the words of the timelines of registered orders. */
export function toCoverEventType({
  happening,
  statusAfter,
}: {
  happening: string;
  statusAfter: string;
}): CoverEventType {
  if (happening === "startRecovery") return "RECOVERY_STARTED";
  if (happening === "failRetry") return "RECOVERY_ATTEMPT_FAILED";
  if (happening === "moveRetry") return "RECOVERY_RETRY_MOVED";
  return endEventTypes[statusAfter as keyof typeof endEventTypes];
}
