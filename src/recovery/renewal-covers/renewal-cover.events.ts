import type { Actor, CoverState } from "../../../schema/vocabulary.ts";
import type { EventTrigger } from "../../events/event.titles.ts";
import { toDecisionFacts } from "../covers/cover.events.ts";
import type { CoverStepEvent, ReschedulingCause } from "../covers/cover-lifecycle.service.ts";

/** An event of the billing side about a cover. */
interface RenewalCoverEvent {
  trigger: EventTrigger;
  /** Defaults to SYSTEM. */
  actor?: Actor;
  statusBefore: CoverState | null;
  statusAfter: CoverState;
  facts: Record<string, unknown>;
}

const reschedulings = {
  RULE: { trigger: "moveRetry" },
  NEW_METHOD: { trigger: "retryWithNewMethod" },
  PROMISE: { trigger: "promiseRetry", actor: "CUSTOMER" },
} as const satisfies Record<ReschedulingCause, Pick<RenewalCoverEvent, "trigger" | "actor">>;

const inProgress = { statusBefore: "IN_PROGRESS", statusAfter: "IN_PROGRESS" } as const;

/** The event of the billing side for what happened to a renewal's cover. */
export function toRenewalCoverEvent(event: CoverStepEvent): RenewalCoverEvent {
  switch (event.type) {
    case "STARTED":
      return { trigger: "startRecovery", ...inProgress, statusBefore: null, facts: toDecisionFacts(event.decision) };
    case "ATTEMPT_FAILED": {
      const { number: attempt, kind } = event.attempt;
      return { trigger: "failRetry", ...inProgress, facts: { attempt, kind, ...toDecisionFacts(event.decision) } };
    }
    case "RETRY_SCHEDULED": {
      const { decision, cause } = event;
      return {
        ...reschedulings[cause],
        ...inProgress,
        facts: { ...toDecisionFacts(decision), rule: decision.floorRow },
      };
    }
    default: {
      const { type: statusAfter, reason } = event;
      return { trigger: "endRecovery", statusBefore: "IN_PROGRESS", statusAfter, facts: { reason } };
    }
  }
}
