import { enumOf } from "./words.ts";

/** The actor of an event in a timeline or a history. */
export const Actor = enumOf("CUSTOMER", "MANAGER", "SYSTEM");
export type Actor = keyof typeof Actor;

/** Unit of a billing cycle, of a trial and of a term of membership. */
export const RecurringInterval = enumOf("DAY", "WEEK", "MONTH", "YEAR");
export type RecurringInterval = keyof typeof RecurringInterval;

/** Direction of a list. */
export const SortDirection = enumOf("ASC", "DESC");
export type SortDirection = keyof typeof SortDirection;
