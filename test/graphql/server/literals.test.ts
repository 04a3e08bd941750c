import { describe, expect, test } from "vitest";
import { errorSummaries, createCoverFixture } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { uniqueWord, expectNoChanges } from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const { productId } = await createCoverFixture(gateway);

/** A document with a price literal. */
const written = (price: string) =>
  gateway.sendRawGraphQL(`mutation {
    registerCoverPrice(input: {
      name: "Plan", productId: "${productId}", partnerPriceId: "${uniqueName("price")}", price: ${price}
    }) { price { price } }
  }`);

/** A document with its price in a variable, sent as these very characters. */
async function sent(characters: string) {
  const query = `mutation ($price: Decimal!) {
    registerCoverPrice(input: { name: "Plan", productId: "${productId}", partnerPriceId: "${uniqueName("price")}", price: $price }) { price { price } }
  }`;
  const { statusCode, body } = await gateway.gateway.server.inject({
    method: "POST",
    url: "/graphql",
    headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
    payload: JSON.stringify({ query, variables: { price: "@" } }).replace('"@"', characters),
  });
  return { status: statusCode, ...JSON.parse(body) };
}

describe("an amount", () => {
  test.each([
    ["0", "0"],
    ["-0", "0"],
    ["0.000001", "0.000001"],
    ["12.50", "12.5"],
    ["18900", "18900"],
    ["1e3", "1000"],
    ["1.5E2", "150"],
    ["100e-2", "1"],
    ["0.10", "0.1"],
    ["123456789.012345", "123456789.012345"],
    ["999999999999999", "999999999999999"],
  ])(
    "of %s is the same as a string and as a number, in a variable and in the document: %s",
    async (characters, stored) => {
      for (const answer of [
        await sent(characters),
        await sent(`"${characters}"`),
        await written(characters),
        await written(`"${characters}"`),
      ])
        expect([characters, answer]).toEqual([
          characters,
          { status: 200, data: { registerCoverPrice: { price: { price: stored } } } },
        ]);
    },
  );

  test.each([
    "-1",
    "-0.000001",
    "0.0000001",
    "1.1234567",
    "1000000000000000",
    "1234567890123456",
    "1e15",
    "1e400",
    "1e-400",
  ])("of %s is refused as a string and as a number, in a variable and in the document", async (characters) => {
    for (const value of [characters, `"${characters}"`]) {
      expect(errorSummaries(await sent(value))).toEqual(["INVALID_ARGUMENT: price INVALID_VALUE"]);
      expect(errorSummaries(await written(value))).toEqual(["INVALID_ARGUMENT: input.price INVALID_VALUE"]);
    }
  });
});

/** Wrong literals of every custom scalar, each in a document of its own, and the path of the argument that has it. */
const literals: Record<string, string> = {
  Decimal:
    'mutation { registerCoverPrice(input: { name: "a", productId: 1, partnerPriceId: "a", price: % }) { price { id } } }',
  Name: 'mutation { registerCoverProduct(input: { name: %, partnerProductId: "a" }) { product { id } } }',
  PartnerId: "{ coverOrder(partnerOrderId: %) { id } }",
  DateTime: "{ coverOrders(filter: { createdAt: { from: % } }) { totalCount } }",
  PositiveInt:
    'mutation { registerCoverOrder(input: { customerId: 1, amount: 1, partnerOrderId: "a", items: [{ priceId: 1, quantity: % }] }) { order { id } } }',
  Email:
    'mutation { registerCoverCustomer(input: { name: "a", phone: "1", partnerCustomerId: "a", email: % }) { customer { id } } }',
  Boolean: "{ coverPrices(filter: { isRecurring: % }) { totalCount } }",
  CoverOrderStatus: "{ coverOrders(filter: { statuses: [%] }) { totalCount } }",
  Int: "{ coverOrders(first: %) { totalCount } }",
};

const paths: Record<string, string> = {
  Decimal: "input.price",
  Name: "input.name",
  PartnerId: "partnerOrderId",
  DateTime: "filter.createdAt.from",
  PositiveInt: "input.items[0].quantity",
  Email: "input.email",
  Boolean: "filter.isRecurring",
  CoverOrderStatus: "filter.statuses[0]",
  Int: "first",
};

describe.each(Object.entries(literals))("a literal for a %s", (type, document) => {
  test.each(["{}", "[1, {}]", "$nothing"])(
    "is refused at its path when it is %s, and nothing runs",
    async (literal) => {
      const answer = await expectNoChanges(gateway, () => gateway.sendRawGraphQL(document.replace("%", literal)));
      expect(answer.status).toBe(400);
      const code = literal === "$nothing" ? "GRAPHQL_VALIDATION_FAILED" : "INVALID_ARGUMENT";
      for (const complaint of errorSummaries(answer)) expect(complaint).toMatch(`${code}: ${paths[type]!}`);
    },
  );

  test("is refused with its location", async () => {
    const { errors } = await gateway.sendRawGraphQL(document.replace("%", "{}"));
    expect(errors).toEqual([expect.objectContaining({ locations: [{ line: 1, column: document.indexOf("%") + 1 }] })]);
  });
});

test("an invalid string literal is quoted, with card numbers masked and its end cut", async () => {
  const word = `${uniqueWord("value")} 4111111111111111`;
  for (const type of ["Decimal", "Name", "PartnerId", "DateTime", "PositiveInt", "Email"]) {
    const value = word.padEnd(600, "x");
    const answer = await gateway.sendRawGraphQL(literals[type]!.replace("%", JSON.stringify(value)));
    const told = JSON.stringify(answer);
    expect([type, told.includes(word.slice(0, 17)), told.includes("4111111111111111"), told.includes("xxx…")]).toEqual([
      type,
      true,
      false,
      true,
    ]);
    expect(told.length).toBeLessThan(1_500);
  }
});
