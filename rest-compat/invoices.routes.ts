import type { RestRoute } from "./binding/route.ts";

/** Invoices. */
export const invoiceRoutes: readonly RestRoute[] = [
  {
    method: "POST",
    path: "/invoices",
    summary: "Creates an invoice.",
    documentFile: "invoices.graphql",
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
    resourcePath: "createInvoice.invoice",
    timeFormat: "ZONELESS",
  },
];
