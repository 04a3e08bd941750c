import { enumOf } from "./words.ts";

/** What an event is about. */
export const EventSubject = enumOf(
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
export const TitleLanguage = enumOf("ENGLISH", "KOREAN");
export type TitleLanguage = keyof typeof TitleLanguage;
