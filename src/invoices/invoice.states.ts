import type { Actor, InvoiceStatus } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const actorsByTrigger = {
  draftInvoice: ["MANAGER"],
  reserveInvoice: ["MANAGER"],
  sendInvoice: ["MANAGER", "SYSTEM"],
  failSending: ["MANAGER", "SYSTEM"],
  payInvoice: ["CUSTOMER", "MANAGER"],
  passDeadline: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of invoice transitions. */
export type InvoiceTrigger = keyof typeof actorsByTrigger;

/**
 * The state table of invoices. From SENT on, the invoice has an order. A payment of this order is always accepted, even if
 * the invoice was not delivered or is overdue.
 */
export const invoiceStates = new StateTable<InvoiceStatus, InvoiceTrigger>({
  noun: "invoice",
  actors: actorsByTrigger,
  operations: {
    sendInvoice: "sendInvoice",
    reserveInvoice: "sendInvoice",
    failSending: "reportInvoiceUndelivered",
    payInvoice: "payOrder",
  },
  initialStates: { draftInvoice: "TEMPORARY", reserveInvoice: "RESERVATION", sendInvoice: "SENT" },
  transitions: {
    TEMPORARY: { reserveInvoice: "RESERVATION", sendInvoice: "SENT" },
    RESERVATION: { sendInvoice: "SENT" },
    SENT: { payInvoice: "PAID", passDeadline: "OVER_DUE", failSending: "SEND_FAIL" },
    SEND_FAIL: { sendInvoice: "SENT", payInvoice: "PAID", passDeadline: "OVER_DUE" },
    OVER_DUE: { payInvoice: "PAID" },
    PAID: {},
  },
});
