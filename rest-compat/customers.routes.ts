import { pageParameters, periodParameters, sortParameters } from "./binding/common-parameters.ts";
import type { Route } from "./binding/route.ts";

/** Customers of the billing side. */
export const customerRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/customers",
    summary: "Lists customers.",
    document: "customers.graphql",
    operation: "ListCustomers",
    query: [
      ...periodParameters,
      ...pageParameters,
      ...sortParameters({ createdAt: "CREATED_AT", name: "NAME", email: "EMAIL", id: "ID" }),
      "keyword",
    ],
    answer: "customerPage",
    page: "ENVELOPE",
    times: "ZONELESS",
  },
  {
    method: "GET",
    path: "/customers/{id}",
    finds: "customer",
    summary: "Tells all about one customer.",
    document: "customers.graphql",
    operation: "GetCustomer",
    answer: "customer",
    times: "ZONELESS",
  },
];
