import { enumOf } from "./words.ts";

/** States of a customer's account. */
export const CustomerStatus = enumOf("NORMAL", "DORMANT");
export type CustomerStatus = keyof typeof CustomerStatus;
