import type { Route } from "./binding/route.ts";

/** Products and their price plans. */
export const productRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/products/{code}",
    finds: "product",
    summary: "Tells all about one product.",
    document: "products.graphql",
    operation: "GetProduct",
    answer: "product",
    times: "ZONELESS",
  },
  {
    method: "GET",
    path: "/products/{id}/prices",
    finds: "product",
    summary: "Lists the price plans of a product.",
    document: "products.graphql",
    operation: "ListProductPrices",
    answer: "product.prices",
    times: "ZONELESS",
  },
  {
    method: "GET",
    path: "/products/{id}/prices/{priceId}",
    finds: "pricePlan",
    summary: "Tells all about one price plan of a product.",
    document: "products.graphql",
    operation: "GetProductPrice",
    answer: "pricePlan",
    times: "ZONELESS",
  },
];
