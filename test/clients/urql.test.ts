import { cacheExchange, Client, fetchExchange, gql } from "@urql/core";
import { describe, expect, test } from "vitest";
import { listeningGateway, registerCustomers } from "./listening-gateway.ts";

const { gateway, url, headers } = await listeningGateway();
await registerCustomers(gateway, 3);

/** Requests of the client, as the server logs them. */
const methodsLogged = () =>
  gateway.logLines
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route === "/graphql")
    .map(({ method }) => method);

const PAGE = gql`
  query Page($first: Int, $after: String) {
    coverCustomers(first: $first, after: $after) {
      nodes {
        id
        name
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

describe.each([
  ["POST", false],
  ["GET", "force"],
] as const)("urql by %s", (method, preferGetMethod) => {
  const client = new Client({
    url,
    preferGetMethod,
    fetchOptions: { headers },
    exchanges: [cacheExchange, fetchExchange],
  });

  test("reads page after page", async () => {
    gateway.logLines.length = 0;
    const first = (await client.query(PAGE, { first: 2 })).data.coverCustomers;
    const second = (await client.query(PAGE, { first: 2, after: first.pageInfo.endCursor })).data.coverCustomers;
    expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual([
      "Customer 3",
      "Customer 2",
      "Customer 1",
    ]);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(methodsLogged()).toEqual([method, method]);
  });

  test("shows a wrong variable with its code, its trace and its path", async () => {
    const { error } = await client.query(PAGE, { first: 1000 });
    expect(error?.networkError).toBeUndefined();
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({
      code: "INVALID_ARGUMENT",
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      details: { fields: [{ path: "first" }] },
    });
  });

  test("writes by POST", async () => {
    gateway.logLines.length = 0;
    const input = { name: "Coffee", partnerProductId: `coffee-${method}` };
    const register = gql`
      mutation Register($input: RegisterCoverProductInput!) {
        registerCoverProduct(input: $input) {
          product {
            name
          }
        }
      }
    `;
    const { data, error } = await client.mutation(register, { input });
    expect([data?.registerCoverProduct.product.name, error]).toEqual(["Coffee", undefined]);
    expect(methodsLogged()).toEqual(["POST"]);
  });
});
