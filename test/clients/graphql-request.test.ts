import { ClientError, gql, GraphQLClient } from "graphql-request";
import { expect, test } from "vitest";
import { listeningGateway, registerCustomers } from "./listening-gateway.ts";

const { gateway, url, headers } = await listeningGateway();
await registerCustomers(gateway, 1);

const REGISTER = gql`
  mutation Register($input: RegisterCoverProductInput!) {
    registerCoverProduct(input: $input) {
      product {
        name
      }
    }
  }
`;
const COFFEE = { input: { name: "Coffee", partnerProductId: "coffee" } };

test.each(["POST", "GET"] as const)("graphql-request reads by %s", async (method) => {
  const client = new GraphQLClient(url, { headers, method, jsonSerializer: JSON });
  const { coverCustomer } = await client.request<{ coverCustomer: { name: string } | null }>(
    gql`
      query One($partnerCustomerId: PartnerId) {
        coverCustomer(partnerCustomerId: $partnerCustomerId) {
          name
        }
      }
    `,
    { partnerCustomerId: "c-1" },
  );
  expect(coverCustomer).toEqual({ name: "Customer 1" });
});

test("graphql-request writes, and shows a refusal with its code and its trace", async () => {
  const client = new GraphQLClient(url, { headers });
  expect(await client.request(REGISTER, COFFEE)).toEqual({ registerCoverProduct: { product: { name: "Coffee" } } });
  const refused = await client.request(REGISTER, COFFEE).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ClientError);
  expect((refused as ClientError).response.errors?.[0]?.extensions).toMatchObject({
    code: "DUPLICATE_PARTNER_ID",
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    details: { id: expect.any(Number) },
  });
});

test("graphql-request shows a wrong token with its status and its code", async () => {
  const client = new GraphQLClient(url, { headers: { "secret-token": "wrong" } });
  const refused = (await client.request("{ vendor { id } }").catch((error: unknown) => error)) as ClientError;
  expect(refused.response.status).toBe(403);
  expect(refused.response.errors?.[0]?.extensions["code"]).toBe("TOKEN_INVALID");
});
