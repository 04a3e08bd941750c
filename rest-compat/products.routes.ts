import type { RestRoute } from "./binding/route.ts";

/** Products and their price plans. */
export const productRoutes: readonly RestRoute[] = [
  {
    method: "GET",
    path: "/products/{code}",
    pathSubject: "product",
    summary: "Returns one product with all details.",
    documentFile: "products.graphql",
    operation: "GetProduct",
    resourcePath: "product",
    timeFormat: "ZONELESS",
  },
  {
    method: "GET",
    path: "/products/{id}/prices",
    pathSubject: "product",
    summary: "Lists the price plans of a product.",
    documentFile: "products.graphql",
    operation: "ListProductPrices",
    resourcePath: "product.prices",
    timeFormat: "ZONELESS",
  },
  {
    method: "GET",
    path: "/products/{id}/prices/{priceId}",
    pathSubject: "pricePlan",
    summary: "Returns one price plan of a product with all details.",
    documentFile: "products.graphql",
    operation: "GetProductPrice",
    resourcePath: "pricePlan",
    timeFormat: "ZONELESS",
  },
];
