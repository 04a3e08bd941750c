import { expect, test } from "vitest";
import { contractRoutes } from "../../rest-compat/contract-routes.ts";

/** The paths of the contract that exist so far; the companions of the recovery module are in the second list. */
const contractPaths = [
  "POST /cover/recovery",
  "POST /cover/order",
  "POST /cover/price",
  "POST /cover/customer",
  "PUT /cover/subscription/{subscriptionId}/cancel",
  "POST /invoices",
  "POST /orders",
  "GET /orders",
  "GET /orders/{idOrCode}/pay",
  "GET /customers",
  "GET /customers/{id}",
  "GET /products/{code}",
  "GET /products/{id}/prices",
  "GET /products/{id}/prices/{priceId}",
  "POST /vendors/{vendorUuid}/children",
  "GET /vendors/{vendorUuid}/children",
];

const companionPaths = [
  "POST /cover/product",
  "POST /cover/subscription",
  "PUT /cover/subscription/{subscriptionId}/active",
  "PATCH /cover/order/success/{orderId}",
  "PATCH /cover/order/cancel/{orderId}",
  "GET /orders/{idOrCode}",
  "GET /orders/{code}/pay",
  "GET /events",
];

const bound = (extension: boolean) =>
  contractRoutes
    .filter((route) => (route.isExtension ?? false) === extension)
    .map(({ method, path }) => `${method} ${path}`);

test("every path of the contract is bound exactly once", () => {
  expect(bound(false).sort()).toEqual([...contractPaths].sort());
});

test("every companion is bound exactly once, and marked as one", () => {
  expect(bound(true).sort()).toEqual([...companionPaths].sort());
});
