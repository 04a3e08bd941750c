import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { afterAll, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import type { RestBody } from "../support/rest-answers.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { clientFolder, compiled, removeFolder } from "./compiled-client.ts";
import { listeningGateway } from "./listening-gateway.ts";

const { gateway, url } = await listeningGateway();
const base = url.replace("/graphql", "");
const folder = await clientFolder();
afterAll(() => removeFolder(folder));

/** A merchant's code that uses the types of the interface description. */
const consumer = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Order = components["schemas"]["BillingOrder"];

export function merchant(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { "Secret-Token": token } });
  return {
    async register(partnerCustomerId: string) {
      const body = { name: "Kim", email: "kim@example.com", phone: "010-1", partnerCustomerId };
      const { data, error, response } = await client.POST("/api/v1/cover/customer", { body });
      return error ? { status: response.status, code: error.errorCode } : { status: response.status, id: data.id };
    },
    async buy(customerId: number, productCode: string, priceCode: string): Promise<Order> {
      const items = [{ productCode, priceCode, minimumQuantity: 2 }];
      const { data } = await client.POST("/api/v1/orders", { body: { customerId, items, currency: "KRW" } });
      if (!data) throw new Error("no order");
      return data;
    },
    async latest(status: "CREATED" | "PAID") {
      const query = { status, size: 5, sortDir: "DESC" as const };
      const { data } = await client.GET("/api/v1/orders", { params: { query } });
      return data!.content.map(({ code, items }) => ({ code, lines: items.map(({ type, paidAmount }) => [type, paidAmount] as const) }));
    },
    async product(code: string) {
      const { data, error } = await client.GET("/api/v1/products/{code}", { params: { path: { code } } });
      return error ? error.errorCode : data.prices[0]?.planName;
    },
    async pay(idOrCode: string) {
      const { response } = await client.GET("/api/v1/orders/{idOrCode}/pay", { params: { path: { idOrCode } }, redirect: "manual" });
      return response.status;
    },
    // What the description does not say is no TypeScript.
    // @ts-expect-error a customer has an e-mail address
    wrong: () => client.POST("/api/v1/cover/customer", { body: { name: "Kim", phone: "1", partnerCustomerId: "x" } }),
    // @ts-expect-error no such state
    unknown: () => client.GET("/api/v1/orders", { params: { query: { status: "LOST" } } }),
  };
}
`;

interface Consumer {
  merchant: (
    base: string,
    token: string,
  ) => {
    register(id: string): Promise<object>;
    buy(customerId: number, productCode: string, priceCode: string): Promise<RestBody<"POST", "/orders">>;
    latest(status: string): Promise<{ code: string; lines: unknown[] }[]>;
    product(code: string): Promise<string>;
    pay(idOrCode: string): Promise<number>;
  };
}

test(
  "a client whose types are generated from the interface description compiles and works",
  { timeout: 120_000 },
  async () => {
    const document = JSON.parse(await readFile(projectFile("schema/openapi.json"), "utf8")) as OpenAPI3;
    await writeFile(join(folder, "api.ts"), astToString(await openapiTS(document)));
    await writeFile(join(folder, "consumer.ts"), consumer);
    const { merchant } = await compiled<Consumer>(folder);
    const client = merchant(base, gateway.vendor.token);

    expect(await client.register("c-1")).toEqual({ status: 201, id: expect.any(Number) });
    expect(await client.register("c-1")).toEqual({ status: 400, code: "DUPLICATE_PARTNER_ID" });
    const catalogue = new TestCatalogue(gateway);
    const product = await catalogue.createProduct();
    const plan = await catalogue.createPlan(product.databaseId);
    const { customer } = await catalogue.runMutation(
      "createCustomer",
      { name: "Kim", email: "kim@example.com", phone: "1" },
      "customer { databaseId }",
    );
    const order = await client.buy(customer.databaseId, product.code, plan.code);
    expect([order.leftAmount, order.items[0]!.quantity]).toEqual([0, 2]);
    expect(await client.latest("CREATED")).toEqual([{ code: order.code, lines: [["SKU", 0]] }]);
    expect(await client.latest("PAID")).toEqual([]);
    expect([await client.product(product.code), await client.product("nobodys")]).toEqual([
      "One bag",
      "PRODUCT_NOT_FOUND",
    ]);
    expect(await client.pay(order.code)).toBe(302);
  },
);
