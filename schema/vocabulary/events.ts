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

/** Languages of the titles of events. */
export const TitleLanguage = words("ENGLISH", "KOREAN");
export type TitleLanguage = keyof typeof TitleLanguage;
