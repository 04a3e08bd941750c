import type { CoverState } from "../../../schema/vocabulary.ts";
import type { FailedTry } from "./cover-lifecycle.service.ts";
import { moveOf } from "../registry/cover-order.events.ts";
import type { CoverOrderRecord } from "../registry/cover-order.repository.ts";
import type { CoverRecord } from "./cover.repository.ts";
import type { Decision } from "../engine/decision.ts";
import type { Happening } from "./cover-timeline.service.ts";

/** How a timeline calls the end of a cover. */
export const eventOfState: Readonly<Record<Exclude<CoverState, "IN_PROGRESS">, Happening["type"]>> = {
  RECOVERED: "RECOVERY_RECOVERED",
  EXHAUSTED: "RECOVERY_EXHAUSTED",
  STOPPED: "RECOVERY_STOPPED",
};

/** What the timeline tells of a cover that has ended; nothing of one that goes on. */
export function endingOf(cover: CoverRecord, notify = false): Happening[] {
  if (cover.state === "IN_PROGRESS") return [];
  const actor = cover.endReason === "PAID" || cover.endReason === "CANCELED" ? "MANAGER" : "SYSTEM";
  return [{ ...subjectsOf(cover), type: eventOfState[cover.state], actor, facts: { reason: cover.endReason }, notify }];
}

/** What the timeline tells of an order whose payment failed; nothing where that is known. */
const failureOf = (order: CoverOrderRecord, { subscriptionId }: CoverRecord): Happening[] =>
  order.status === "PAYMENT_FAILURE" ? [] : [{ ...moveOf(order, "PAYMENT_FAILURE"), subscriptionId }];

const subjectsOf = ({ id, orderId, subscriptionId }: CoverRecord) => ({ coverId: id, orderId, subscriptionId });

/** What is to be known of a decision. */
export const datesOf = ({ retryAt, reasonClass }: Decision) => ({ retryDate: retryAt, reasonClass });

/** What the timeline tells of a cover that starts, on an order that fails now if that is not known. */
export const startOf = (order: CoverOrderRecord, cover: CoverRecord, decision: Decision): Happening[] => [
  ...failureOf(order, cover),
  { ...subjectsOf(cover), type: "RECOVERY_STARTED", actor: "SYSTEM", facts: datesOf(decision) },
  ...endingOf(cover),
];

/** What the timeline tells of a retry that failed. */
export const retryOf = (cover: CoverRecord, { number: attempt, kind, decision }: FailedTry): Happening[] => [
  { ...subjectsOf(cover), type: "RECOVERY_ATTEMPT_FAILED", facts: { attempt, kind, ...datesOf(decision) } },
  ...endingOf(cover),
];
