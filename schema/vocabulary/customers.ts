import { words } from "./words.ts";

/** States of a customer's account. */
export const CustomerStatus = words("NORMAL", "DORMANT");
export type CustomerStatus = keyof typeof CustomerStatus;
