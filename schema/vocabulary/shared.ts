import { enumOf } from "./words.ts";

/** Who did what a timeline or a history tells. */
export const Actor = enumOf("CUSTOMER", "MANAGER", "SYSTEM");
export type Actor = keyof typeof Actor;

/** Unit of a billing cycle, of a trial and of a term of membership. */
export const RecurringInterval = enumOf("DAY", "WEEK", "MONTH", "YEAR");
export type RecurringInterval = keyof typeof RecurringInterval;

/** Direction of a list. */
export const SortDirection = enumOf("ASC", "DESC");
export type SortDirection = keyof typeof SortDirection;
