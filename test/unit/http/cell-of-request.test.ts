import { expect, test } from "vitest";
import { cellOfRequest, orderCodeInPayLink } from "../../../src/http/cell-of-request.ts";
import { firstVendorIdOf, newTokenText, newVendorUuid } from "../../../src/kernel/cell-numbers.ts";

const vendorId = firstVendorIdOf(12);
const token = newTokenText(vendorId);
const signed = `${Buffer.from(JSON.stringify([vendorId, 5])).toString("base64url")}.${"a".repeat(43)}`;

test.each<[what: string, url: string, headers: Record<string, string>, cell: number]>([
  ["a token of REST", "/api/v1/orders?size=1", { "secret-token": `recoup_live_${token}` }, 12],
  ["a token of GraphQL", "/graphql", { "secret-token": `recoup_test_${token}` }, 12],
  ["a token of the home database", "/graphql", { "secret-token": "demo-secret-token" }, 0],
  ["a token before a cookie", "/graphql", { "secret-token": "demo", cookie: `recoup-session=${token}` }, 0],
  ["a person's cookie", "/graphql", { cookie: `recoup-session=${token}` }, 12],
  ["a person's cookie by TLS", "/console/second-factor/start", { cookie: `__Host-recoup-session=${token}` }, 12],
  ["a person who signs in again", "/console/sign-in", { cookie: `recoup-session=${token}` }, 0],
  ["a page of the console", "/orders", { cookie: `recoup-session=${token}` }, 0],
  ["a page's session", "/graphql", { "session-token": `recoup_session_${signed}` }, 12],
  ["a payer's page", `/checkout/${signed}`, {}, 12],
  ["a payer's page with a query", `/payment-method/${signed}?returned=1`, {}, 12],
  ["a link that cannot be read", "/checkout/%%%", {}, 0],
  ["a callback", `/callbacks/${newVendorUuid(12)}/HOUSE`, {}, 12],
  ["a simulated charge", `/simulated-gateway/charges/sim_${vendorId}_abc/approve`, {}, 12],
  ["nobody", "/", {}, 0],
])("%s goes to its cell", (_what, url, headers, cell) => {
  expect(cellOfRequest({ url, headers })).toBe(cell);
});

test("a payer's link is known by its path", () => {
  expect(orderCodeInPayLink({ url: "/api/public/orders/order_AMabcdefg/pay?lang=ko" })).toBe("order_AMabcdefg");
  expect(orderCodeInPayLink({ url: "/api/public/orders/order_AMabcdefg/payments" })).toBeUndefined();
  expect(orderCodeInPayLink({ url: "/api/v1/orders/order_AMabcdefg/pay" })).toBeUndefined();
});
