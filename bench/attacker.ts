import { setTimeout as sleep } from "node:timers/promises";
import { recoupPage } from "./orders-queries.ts";

/*
 * One attacking process of `npm run bench:shares`: sends one kind of request over some connections until it is ended, and
 * obeys Retry-After. Only to a loopback address.
 */

interface Sent {
  path: string;
  body?: () => unknown;
}

const nested = (levels: number): string =>
  levels === 0 ? "id name" : `prices { id product { ${nested(levels - 1)} } }`;
const wide = (offset: number): string =>
  `{ orders(first: 20) { nodes { ${"code id status currency paidAmount customer { name code } ".repeat(150)} x${offset}: code } } }`;

let count = 0;
const graphql = (query: () => string, variables?: () => unknown): Sent => ({
  path: "/graphql",
  body: () => ({ query: query(), variables: variables?.() }),
});
const filler = "x".repeat(900_000);

/** What an attacker may send; the first one harms nobody. */
export const shapes: Record<string, Sent> = {
  harmless: { path: "/api/v1/orders?size=5" },
  "nested lists": graphql(() => `{ products(first: 1) { nodes { ${nested(1)} } } }`),
  "lists in lists": graphql(() =>
    recoupPage
      .replace("first: 50", "first: 100")
      .replace("items {", "items { product { prices { id product { prices { id name } } } } } lines: items {"),
  ),
  "many cheap requests": graphql(() => "{ vendor { name } }"),
  "large bodies": graphql(
    () => "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }",
    () => ({ input: { name: filler, email: "kim@example.com", phone: "1" } }),
  ),
  "wide documents": graphql(() => wide(count++)),
  "slow mutations": graphql(
    () =>
      "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id latestOrders { code items { id } } } } }",
    () => ({ input: { name: "Kim", email: `kim${Math.random()}@example.com`, phone: "010-1234-5678" } }),
  ),
  "many nodes": graphql(
    () => "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Order { code items { id product { name } } } } }",
    () => ({ ids: Array.from({ length: 100 }, (_, index) => Buffer.from(`Order:${index + 1}`).toString("base64")) }),
  ),
  "pages of a thousand": { path: "/api/v1/orders?size=1000" },
  "keywords of two letters": { path: "/api/v1/orders?keyword=ki&type=customerName&size=50" },
};

const [address, token, shape, connections] = process.argv.slice(2);
if (address && token && shape) {
  if (new URL(address).hostname !== "127.0.0.1") throw new Error("Only loopback addresses are attacked.");
  await Promise.all(Array.from({ length: Number(connections) }, () => attack(address, token, shapes[shape]!)));
}

async function attack(to: string, secret: string, { path, body }: Sent): Promise<void> {
  const headers = { "secret-token": secret, "content-type": "application/json" };
  for (let sent = 0; sent < 100_000; sent++) {
    const wait = await fetch(to + path, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body()) }),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return Number(answer.headers.get("retry-after") ?? 0) * 1000;
      },
      () => 1_000,
    );
    if (wait > 0) await sleep(wait);
  }
}
