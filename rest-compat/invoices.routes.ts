import type { Route } from "./binding/route.ts";

/** Invoices. */
export const invoiceRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/invoices",
    summary: "Creates an invoice.",
    document: "invoices.graphql",
    operation: "CreateInvoice",
    query: ["temporary"],
    body: [
      "customerId",
      "items",
      "publishType",
      "publishMethods",
      "invoicePayMethods",
      "discount",
      "purchaseDeadline",
      "reservationAt",
      "instantAmount",
      "memoToCustomer",
      "currency",
      "paymentGateway",
      "region",
    ],
    answer: "createInvoice.invoice",
    times: "ZONELESS",
  },
];
