import { pageParameters } from "./binding/common-parameters.ts";
import type { RestRoute } from "./binding/route.ts";

/** Child vendors. The uuid in the path is that of the token's own vendor, or of a child. */
export const vendorRoutes: readonly RestRoute[] = [
  {
    method: "POST",
    path: "/vendors/{vendorUuid}/children",
    pathSubject: "vendor",
    summary: "Adds a child vendor. Its secretKey and paymentKey are returned by this call only and never shown again.",
    documentFile: "vendors.graphql",
    operation: "CreateChildVendor",
    body: ["name", "email", "phone", "password"],
    resourcePath: "createChildVendor.child",
    timeFormat: "ZONELESS",
  },
  {
    method: "GET",
    path: "/vendors/{vendorUuid}/children",
    pathSubject: "vendor",
    summary: "Lists the child vendors of the parent, newest first.",
    documentFile: "vendors.graphql",
    operation: "ListChildVendors",
    query: pageParameters,
    resourcePath: "childVendorPage",
    page: "ARRAY",
    timeFormat: "ZONELESS",
  },
];
