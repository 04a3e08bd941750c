import {
  ApolloClient,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from "@apollo/client";
import { relayStylePagination } from "@apollo/client/utilities";
import { afterAll, expect, test } from "vitest";
import { everyMonth, TestCatalogue } from "../support/test-catalogue.ts";
import { listeningGateway, registerCustomers } from "./listening-gateway.ts";

const { gateway, url, headers } = await listeningGateway();
await registerCustomers(gateway, 3);

const client = new ApolloClient({
  link: new HttpLink({ uri: url, headers }),
  cache: new InMemoryCache({ typePolicies: { Query: { fields: { coverCustomers: relayStylePagination() } } } }),
});
afterAll(() => client.stop());

interface CustomerPage {
  coverCustomers: Connection<{ id: string; name: string }>;
}

interface Connection<Node> {
  edges: { cursor: string; node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const PAGE: TypedDocumentNode<CustomerPage, { first?: number; after?: string | null }> = gql`
  query Page($first: Int, $after: String) {
    coverCustomers(first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`;

test("Apollo Client joins the pages of a connection in its cache", async () => {
  const { data } = await client.query({ query: PAGE, variables: { first: 2 } });
  const watched = client.watchQuery({ query: PAGE, variables: { first: 2 } });
  const watching = watched.subscribe(() => undefined);
  expect(data!.coverCustomers.pageInfo.hasNextPage).toBe(true);
  await watched.fetchMore({ variables: { after: data!.coverCustomers.pageInfo.endCursor } });
  watching.unsubscribe();
  const all = client.readQuery({ query: PAGE, variables: { first: 2 } });
  expect(all!.coverCustomers.edges.map(({ node }) => node.name)).toEqual(["Customer 3", "Customer 2", "Customer 1"]);
  expect(all!.coverCustomers.pageInfo.hasNextPage).toBe(false);
});

test("Apollo Client finds the changes of a mutation under the same id in its cache", async () => {
  const mutation: TypedDocumentNode<{ registerCoverProduct: { product: { id: string; name: string } } }> = gql`
    mutation Register($input: RegisterCoverProductInput!) {
      registerCoverProduct(input: $input) {
        product {
          id
          name
        }
      }
    }
  `;
  const register = (name: string) =>
    client.mutate({
      mutation,
      variables: { input: { name, partnerProductId: "coffee", replaceIfExists: true } },
    });
  const { data } = await register("Coffee");
  const { id } = data!.registerCoverProduct.product;
  const read = () =>
    client.readFragment<{ name: string }>({
      id: `CoverProduct:${id}`,
      fragment: gql`
        fragment F on CoverProduct {
          name
        }
      `,
    });
  expect(read()!.name).toBe("Coffee");
  await register("Strong coffee");
  expect(read()!.name).toBe("Strong coffee");
});

test("Apollo Client caches a part of a record under the part's own id", async () => {
  const catalogue = new TestCatalogue(gateway);
  const { databaseId } = await catalogue.createProduct();
  await catalogue.createPlan(databaseId, { type: "FLAT", recurring: everyMonth });
  const query: TypedDocumentNode<{ product: { prices: { recurring: { id: string } }[] } }> = gql`
    query Plans($id: ID!) {
      product(id: $id) {
        id
        prices {
          id
          recurring {
            id
            interval
          }
        }
      }
    }
  `;
  const { data } = await client.query({
    query,
    variables: { id: String(databaseId) },
  });
  const { id } = data!.product.prices[0]!.recurring;
  expect(client.cache.extract()).toHaveProperty([`Recurrence:${id}`, "interval"], "MONTH");
});

test.each([
  ["a wrong variable", `query { coverCustomers(first: 1000) { nodes { id } } }`, "INVALID_ARGUMENT"],
  ["an unknown field", "query { vendor { nothing } }", "GRAPHQL_VALIDATION_FAILED"],
])("Apollo Client shows %s with its code and its trace", async (_, query, code) => {
  const refused = await client.query({ query: gql(query) }).catch((error: unknown) => error);
  expect(CombinedGraphQLErrors.is(refused)).toBe(true);
  const [error] = (refused as CombinedGraphQLErrors).errors;
  expect(error?.extensions).toMatchObject({ code, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
});
