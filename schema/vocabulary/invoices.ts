import { enumOf } from "./words.ts";

/** States of an invoice. */
export const InvoiceStatus = enumOf("TEMPORARY", "RESERVATION", "SENT", "PAID", "OVER_DUE", "SEND_FAIL");
export type InvoiceStatus = keyof typeof InvoiceStatus;

/** The publishing time of an invoice. */
export const PublishType = enumOf("NOW", "RESERVATION");
export type PublishType = keyof typeof PublishType;

/** Channels on which an invoice is sent. */
export const PublishMethod = enumOf("MESSENGER", "SMS", "EMAIL");
export type PublishMethod = keyof typeof PublishMethod;
