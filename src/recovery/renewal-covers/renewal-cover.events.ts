import type { CoverEventType, CoverState } from "../../../schema/vocabulary.ts";
import type { EventKind } from "../../events/event.titles.ts";
import type { FailedAttempt } from "../covers/cover-lifecycle.service.ts";
import { toDecisionFacts, endEventTypes } from "../covers/cover.events.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";
import type { Decision } from "../engine/decision.ts";

/** What an event of the billing side tells of a cover. */
interface RenewalCoverEvent {
  happening: EventKind;
  statusBefore: CoverState | null;
  statusAfter: CoverState;
  facts: Record<string, unknown>;
}

const inProgress = { statusAfter: "IN_PROGRESS" as const };

/** What is told of a cover of a renewal that has ended; nothing of one that goes on. */
export const toRenewalEndEvents = ({ state, endReason }: CoverRecord): RenewalCoverEvent[] =>
  state === "IN_PROGRESS"
    ? []
    : [
        {
          happening: "endRecovery",
          statusBefore: "IN_PROGRESS",
          statusAfter: state,
          facts: { reason: endReason },
        },
      ];

/** What is told of a cover of a renewal that starts. */
export const toRenewalStartEvents = (cover: CoverRecord, decision: Decision): RenewalCoverEvent[] => [
  { happening: "startRecovery", statusBefore: null, ...inProgress, facts: toDecisionFacts(decision) },
  ...toRenewalEndEvents(cover),
];

/** What is told of a retry of a renewal that may not be made at its date: there is a later one, or none. */
export const toRetryMovedEvents = (cover: CoverRecord, decision: Decision): RenewalCoverEvent[] =>
  cover.state === "IN_PROGRESS"
    ? [
        {
          happening: "moveRetry",
          statusBefore: "IN_PROGRESS",
          ...inProgress,
          facts: { ...toDecisionFacts(decision), rule: decision.floorRow },
        },
      ]
    : toRenewalEndEvents(cover);

/** What is told of a retry of a renewal that failed. */
export const toRenewalRetryEvents = (
  cover: CoverRecord,
  { number: attempt, kind, decision }: FailedAttempt,
): RenewalCoverEvent[] => [
  {
    happening: "failRetry",
    statusBefore: "IN_PROGRESS",
    ...inProgress,
    facts: { attempt, kind, ...toDecisionFacts(decision) },
  },
  ...toRenewalEndEvents(cover),
];

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
