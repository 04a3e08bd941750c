import type { Actor, MessageState } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const actorsByTrigger = {
  queueMessage: ["SYSTEM"],
  claimMessage: ["SYSTEM"],
  deferMessage: ["SYSTEM"],
  deliverMessage: ["SYSTEM"],
  failMessage: ["SYSTEM"],
  cancelMessage: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of message transitions. */
export type MessageTrigger = keyof typeof actorsByTrigger;

/** The state table of messages. An attempt whose worker died is claimed again at the end of its lease. */
export const messageStates = new StateTable<MessageState, MessageTrigger>({
  noun: "message",
  actors: actorsByTrigger,
  operations: {},
  initialStates: { queueMessage: "QUEUED" },
  transitions: {
    QUEUED: { claimMessage: "SENDING", cancelMessage: "CANCELED" },
    SENDING: {
      claimMessage: "SENDING",
      deferMessage: "QUEUED",
      deliverMessage: "SENT",
      failMessage: "FAILED",
      cancelMessage: "CANCELED",
    },
    SENT: {},
    FAILED: {},
    CANCELED: {},
  },
});
