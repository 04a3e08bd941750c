import { setTimeout as sleep } from "node:timers/promises";
import { recoupOrdersQuery } from "./support/orders-queries.ts";

/*
 * One attacking process of `npm run bench:shares`: sends one kind of request over some connections until it is ended,
 * and obeys Retry-After. Only to a loopback address.
 */

interface AttackRequest {
  path: string;
  body?: () => unknown;
}

const nestedJson = (levels: number): string =>
  levels === 0 ? "id name" : `prices { id product { ${nestedJson(levels - 1)} } }`;
const wideDocument = (offset: number): string =>
  `{ orders(first: 20) { nodes { ${"code id status currency paidAmount customer { name code } ".repeat(150)} x${offset}: code } } }`;

let requestCount = 0;
const graphqlAttack = (query: () => string, variables?: () => unknown): AttackRequest => ({
  path: "/graphql",
  body: () => ({ query: query(), variables: variables?.() }),
});
const largeFiller = "x".repeat(900_000);

/** The kinds of attack; the first one is harmless. */
export const attackShapes: Record<string, AttackRequest> = {
  harmless: { path: "/api/v1/orders?size=5" },
  "nested lists": graphqlAttack(() => `{ products(first: 1) { nodes { ${nestedJson(1)} } } }`),
  "lists in lists": graphqlAttack(() =>
    recoupOrdersQuery
      .replace("first: 50", "first: 100")
      .replace("items {", "items { product { prices { id product { prices { id name } } } } } lines: items {"),
  ),
  "many cheap requests": graphqlAttack(() => "{ vendor { name } }"),
  "large bodies": graphqlAttack(
    () => "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }",
    () => ({ input: { name: largeFiller, email: "kim@example.com", phone: "1" } }),
  ),
  "wide documents": graphqlAttack(() => wideDocument(requestCount++)),
  "slow mutations": graphqlAttack(
    () =>
      "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id latestOrders { code items { id } } } } }",
    () => ({ input: { name: "Kim", email: `kim${Math.random()}@example.com`, phone: "010-1234-5678" } }),
  ),
  "many nodes": graphqlAttack(
    () => "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Order { code items { id product { name } } } } }",
    () => ({ ids: Array.from({ length: 100 }, (_, index) => Buffer.from(`Order:${index + 1}`).toString("base64")) }),
  ),
  "pages of a thousand": { path: "/api/v1/orders?size=1000" },
  "keywords of two letters": { path: "/api/v1/orders?keyword=ki&type=customerName&size=50" },
};

const [address, token, shape, connections] = process.argv.slice(2);
if (address && token && shape) {
  if (new URL(address).hostname !== "127.0.0.1") throw new Error("Only loopback addresses are attacked.");
  await Promise.all(Array.from({ length: Number(connections) }, () => attack(address, token, attackShapes[shape]!)));
}

async function attack(to: string, secret: string, { path, body }: AttackRequest): Promise<void> {
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
