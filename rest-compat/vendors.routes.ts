import { pageParameters } from "./binding/common-parameters.ts";
import type { Route } from "./binding/route.ts";

/** Child vendors. The uuid in the path is that of the token's own vendor, or of a child. */
export const vendorRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/vendors/{vendorUuid}/children",
    finds: "vendor",
    summary: "Adds a child vendor. Its secretKey and paymentKey are shown in this answer and never again.",
    document: "vendors.graphql",
    operation: "CreateChildVendor",
    body: ["name", "email", "phone", "password"],
    answer: "createChildVendor.child",
    times: "ZONELESS",
  },
  {
    method: "GET",
    path: "/vendors/{vendorUuid}/children",
    finds: "vendor",
    summary: "Lists the child vendors of the parent, newest first.",
    document: "vendors.graphql",
    operation: "ListChildVendors",
    query: pageParameters,
    answer: "childVendorPage",
    page: "ARRAY",
    times: "ZONELESS",
  },
];
