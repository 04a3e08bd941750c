import type { CoverState } from "../../../schema/vocabulary.ts";
import type { FailedAttempt } from "./cover-lifecycle.service.ts";
import { toStatusChangedEvent } from "../registry/cover-order.events.ts";
import type { CoverOrderRecord } from "../registry/cover-order.repository.ts";
import type { CoverRecord } from "./cover.repository.ts";
import type { Decision } from "../engine/decision.ts";
import type { CoverEventEntry } from "./cover-timeline.service.ts";

/** How a timeline calls the end of a cover. */
export const endEventTypes: Readonly<Record<Exclude<CoverState, "IN_PROGRESS">, CoverEventEntry["type"]>> = {
  RECOVERED: "RECOVERY_RECOVERED",
  EXHAUSTED: "RECOVERY_EXHAUSTED",
  STOPPED: "RECOVERY_STOPPED",
};

/** What the timeline tells of a cover that has ended; nothing of one that goes on. */
export function toEndEvents(cover: CoverRecord, notify = false): CoverEventEntry[] {
  if (cover.state === "IN_PROGRESS") return [];
  const actor = cover.endReason === "PAID" || cover.endReason === "CANCELED" ? "MANAGER" : "SYSTEM";
  return [
    {
      ...eventSubjectsOfCover(cover),
      type: endEventTypes[cover.state],
      actor,
      facts: { reason: cover.endReason },
      notify,
    },
  ];
}

/** What the timeline tells of an order whose payment failed; nothing where that is known. */
const toOrderFailureEvents = (order: CoverOrderRecord, { subscriptionId }: CoverRecord): CoverEventEntry[] =>
  order.status === "PAYMENT_FAILURE" ? [] : [{ ...toStatusChangedEvent(order, "PAYMENT_FAILURE"), subscriptionId }];

const eventSubjectsOfCover = ({ id, orderId, subscriptionId }: CoverRecord) => ({
  coverId: id,
  orderId,
  subscriptionId,
});

/** What is to be known of a decision. */
export const toDecisionFacts = ({ retryAt, reasonClass }: Decision) => ({ retryDate: retryAt, reasonClass });

/** What the timeline tells of a cover that starts, on an order that fails now if that is not known. */
export const toStartEvents = (order: CoverOrderRecord, cover: CoverRecord, decision: Decision): CoverEventEntry[] => [
  ...toOrderFailureEvents(order, cover),
  { ...eventSubjectsOfCover(cover), type: "RECOVERY_STARTED", actor: "SYSTEM", facts: toDecisionFacts(decision) },
  ...toEndEvents(cover),
];

/** What the timeline tells of a retry that failed. */
export const toFailedRetryEvents = (
  cover: CoverRecord,
  { number: attempt, kind, decision }: FailedAttempt,
): CoverEventEntry[] => [
  {
    ...eventSubjectsOfCover(cover),
    type: "RECOVERY_ATTEMPT_FAILED",
    facts: { attempt, kind, ...toDecisionFacts(decision) },
  },
  ...toEndEvents(cover),
];
