import { enumOf } from "./words.ts";

/** The kinds of messages to customers and payers. */
export const MessageKind = enumOf(
  "INVOICE",
  "PAYMENT_FAILED",
  "RETRY_COMING",
  "LAST_NOTICE",
  "PAYMENT_METHOD_REQUIRED",
  "PAYMENT_RECOVERED",
  "CHARGE_COMING",
  "USAGE_CHARGE_COMING",
  "TRIAL_ENDING",
  "DORMANCY_COMING",
  "PAYMENT_METHOD_EXPIRING",
);
export type MessageKind = keyof typeof MessageKind;

/** Whether the payer of a failed renewal gets messages, while the vendor compares both. */
export const MessageArm = enumOf("MESSAGES", "NO_MESSAGES");
export type MessageArm = keyof typeof MessageArm;

/** The states of a message. */
export const MessageState = enumOf("QUEUED", "SENDING", "SENT", "FAILED", "CANCELED");
export type MessageState = keyof typeof MessageState;
