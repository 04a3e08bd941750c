import { words } from "./words.ts";

/** What an event is about. */
export const EventSubject = words(
  "CUSTOMER",
  "SUBSCRIPTION",
  "ORDER",
  "ORDER_ITEM",
  "INVOICE",
  "PAYMENT",
  "REFUND",
  "COVER",
);
export type EventSubject = keyof typeof EventSubject;
