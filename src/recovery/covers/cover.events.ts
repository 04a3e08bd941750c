import type { CoverState } from "../../../schema/vocabulary.ts";
import { toStatusChangedEvent } from "../registry/cover-order.events.ts";
import type { CoverOrderRecord } from "../registry/cover-order.repository.ts";
import type { CoverRecord } from "./cover.repository.ts";
import type { PaymentReport } from "./cover.service.ts";
import type { CoverStepEvent, CoverStep } from "./cover-lifecycle.service.ts";
import type { Decision } from "../engine/decision.ts";
import type { CoverEventEntry } from "./cover-timeline.service.ts";

/** The timeline's words for the ends of covers. */
const endEventKinds: Readonly<Record<Exclude<CoverState, "IN_PROGRESS">, CoverEventEntry["kind"]>> = {
  RECOVERED: "RECOVERY_RECOVERED",
  EXHAUSTED: "RECOVERY_EXHAUSTED",
  STOPPED: "RECOVERY_STOPPED",
};

/** The timeline event for an order whose payment failed; none if its failure is known. */
export const toOrderFailureEvents = (order: CoverOrderRecord, { subscriptionId }: CoverRecord): CoverEventEntry[] =>
  order.status === "PAYMENT_FAILURE" ? [] : [{ ...toStatusChangedEvent(order, "PAYMENT_FAILURE"), subscriptionId }];

/** The facts that a timeline shows of a decision. */
export const toDecisionFacts = ({ retryAt, reasonClass }: Decision) => ({ retryDate: retryAt, reasonClass });

/** The timeline events of a step of a registered order's cover. A payment says who made it, and whether the end is to be posted. */
export const toTimelineEvents = ({ cover, events }: CoverStep, payment: PaymentReport): CoverEventEntry[] =>
  events.map((event) => ({
    coverId: cover.id,
    orderId: cover.orderId,
    subscriptionId: cover.subscriptionId,
    amount: cover.amount,
    ...toTimelineEvent(event, payment),
  }));

const inProgress = { before: "IN_PROGRESS", after: "IN_PROGRESS" };

function toTimelineEvent(event: CoverStepEvent, { notify, initiator }: PaymentReport): CoverEventEntry {
  switch (event.type) {
    case "STARTED":
      return {
        kind: "RECOVERY_STARTED",
        actor: "SYSTEM",
        facts: toDecisionFacts(event.decision),
        states: { before: null, after: "IN_PROGRESS" },
      };
    case "ATTEMPT_FAILED": {
      const { number: attempt, kind } = event.attempt;
      const facts = { attempt, kind, ...toDecisionFacts(event.decision) };
      return { kind: "RECOVERY_ATTEMPT_FAILED", facts, states: inProgress };
    }
    case "RETRY_SCHEDULED":
      return {
        kind: "RECOVERY_RETRY_MOVED",
        actor: "SYSTEM",
        facts: toDecisionFacts(event.decision),
        states: inProgress,
      };
    default: {
      const { type, reason } = event;
      const merchant = initiator === "CUSTOMER" ? "CUSTOMER" : "MANAGER";
      const actor = reason === "PAID" || reason === "CANCELED" ? merchant : "SYSTEM";
      return {
        kind: endEventKinds[type],
        actor,
        facts: { reason },
        states: { before: "IN_PROGRESS", after: type },
        notify: reason === "PAID" ? (notify ?? false) : true,
      };
    }
  }
}
