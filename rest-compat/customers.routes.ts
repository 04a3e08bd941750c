import { pageParameters, periodParameters, sortParameters } from "./binding/common-parameters.ts";
import type { RestRoute } from "./binding/route.ts";

/** Customers of the billing side. */
export const customerRoutes: readonly RestRoute[] = [
  {
    method: "GET",
    path: "/customers",
    summary: "Lists customers.",
    documentFile: "customers.graphql",
    operation: "ListCustomers",
    query: [
      ...periodParameters,
      ...pageParameters,
      ...sortParameters({ createdAt: "CREATED_AT", name: "NAME", email: "EMAIL", id: "ID" }),
      "keyword",
    ],
    resourcePath: "customerPage",
    page: "ENVELOPE",
    timeFormat: "ZONELESS",
  },
  {
    method: "GET",
    path: "/customers/{id}",
    pathSubject: "customer",
    summary: "Returns one customer with all details.",
    documentFile: "customers.graphql",
    operation: "GetCustomer",
    resourcePath: "customer",
    timeFormat: "ZONELESS",
  },
];
