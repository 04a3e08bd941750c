import type { CoverEventType, CoverState } from "../../../schema/vocabulary.ts";
import type { EventKind } from "../../events/event.titles.ts";
import type { FailedTry } from "../covers/cover-lifecycle.service.ts";
import { datesOf, eventOfState } from "../covers/cover.events.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";
import type { Decision } from "../engine/decision.ts";

/** What an event of the billing side tells of a cover. */
interface Told {
  happening: EventKind;
  statusBefore: CoverState | null;
  statusAfter: CoverState;
  facts: Record<string, unknown>;
}

const running = { statusAfter: "IN_PROGRESS" as const };

/** What is told of a cover of a renewal that has ended; nothing of one that goes on. */
export const endingOf = ({ state, endReason }: CoverRecord): Told[] =>
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
export const startOf = (cover: CoverRecord, decision: Decision): Told[] => [
  { happening: "startRecovery", statusBefore: null, ...running, facts: datesOf(decision) },
  ...endingOf(cover),
];

/** What is told of a retry of a renewal that may not be made at its date: there is a later one, or none. */
export const moveOf = (cover: CoverRecord, decision: Decision): Told[] =>
  cover.state === "IN_PROGRESS"
    ? [
        {
          happening: "moveRetry",
          statusBefore: "IN_PROGRESS",
          ...running,
          facts: { ...datesOf(decision), rule: decision.floorRow },
        },
      ]
    : endingOf(cover);

/** What is told of a retry of a renewal that failed. */
export const retryOf = (cover: CoverRecord, { number: attempt, kind, decision }: FailedTry): Told[] => [
  { happening: "failRetry", statusBefore: "IN_PROGRESS", ...running, facts: { attempt, kind, ...datesOf(decision) } },
  ...endingOf(cover),
];

/** The same in the words of the timelines of registered orders. */
export function eventTypeOf({ happening, statusAfter }: { happening: string; statusAfter: string }): CoverEventType {
  if (happening === "startRecovery") return "RECOVERY_STARTED";
  if (happening === "failRetry") return "RECOVERY_ATTEMPT_FAILED";
  if (happening === "moveRetry") return "RECOVERY_RETRY_MOVED";
  return eventOfState[statusAfter as keyof typeof eventOfState];
}
