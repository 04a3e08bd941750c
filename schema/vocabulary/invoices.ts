import { words } from "./words.ts";

/** States of an invoice. */
export const InvoiceStatus = words("TEMPORARY", "RESERVATION", "SENT", "PAID", "OVER_DUE", "SEND_FAIL");
export type InvoiceStatus = keyof typeof InvoiceStatus;

/** When an invoice is sent. */
export const PublishType = words("NOW", "RESERVATION");
export type PublishType = keyof typeof PublishType;

/** Channels on which an invoice is sent. */
export const PublishMethod = words("MESSENGER", "SMS", "EMAIL");
export type PublishMethod = keyof typeof PublishMethod;
