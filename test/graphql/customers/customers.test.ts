import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();

const create = async (input: object = {}) => {
  const { createCustomer } = await gateway.queryData(
    `mutation ($input: CreateCustomerInput!) {
      createCustomer(input: $input) { customer { id databaseId ...Whole } }
    }
    ${whole}`,
    { input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "+82 10-1234-5678", ...input } },
  );
  return createCustomer.customer;
};

const whole = `fragment Whole on Customer {
  uuid code status username name email phone marketingSms marketingEmail marketingMessenger attributes customFields
  countryCode region { code name currency currencies country countryCode language state } additionalRecipients
  shipping { name phone postcode address1 address2 state city countryCode }
  paymentMethods { databaseId paymentInfo } orderCount activeSubscriptionCount totalPurchasedPrice
  createdAt modifiedAt dormantAt
}`;

describe("a customer", () => {
  test("has defaults for fields that are not given", async () => {
    const { id, databaseId, uuid, code, ...customer } = await create();
    expect([id, databaseId, uuid, code]).toEqual([
      expect.any(String),
      expect.any(Number),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^customer_[A-Za-z0-9]{9}$/),
    ]);
    expect(customer).toEqual({
      status: "NORMAL",
      username: null,
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "+821012345678",
      marketingSms: false,
      marketingEmail: false,
      marketingMessenger: false,
      attributes: {},
      customFields: {},
      countryCode: "UNKNOWN",
      region: null,
      additionalRecipients: [],
      shipping: null,
      paymentMethods: [],
      orderCount: 0,
      activeSubscriptionCount: 0,
      totalPurchasedPrice: "0",
      createdAt: "2026-03-01T09:30:00.000Z",
      modifiedAt: "2026-03-01T09:30:00.000Z",
      dormantAt: null,
    });
  });

  test("is read by both ids and through node, and is null when there is none", async () => {
    const { id, databaseId } = await create({ region: "US_NEW_YORK", customFields: { size: 3 } });
    const read = await gateway.queryData(
      `query ($id: ID!, $number: ID!) {
        a: customer(id: $id) { id attributes countryCode }
        b: customer(id: $number) { id customFields region { name country } }
        node(id: $id) { ... on Customer { id name } ... on Vendor { zoneId } }
        none: customer(id: "4000000") { id }
      }`,
      { id, number: String(databaseId) },
    );
    expect(read).toEqual({
      a: { id, attributes: { size: "3" }, countryCode: "US" },
      b: { id, customFields: { size: 3 }, region: { name: "New York", country: "United States" } },
      node: { id, name: "Kim Seo-yeon" },
      none: null,
    });
  });
});

describe("regions", () => {
  test("are found by a part of their code or name, and by their country", async () => {
    const read = await gateway.queryData(
      `{ all: regions { code } new: regions(keyword: "NEW") { code name } us: regions(countryCode: "US") { code }
        both: regions(keyword: "new y", countryCode: "US") { code state currency } none: regions(countryCode: "XK") { code }
        region(code: "KR") { name country } }`,
    );
    expect(read.all).toHaveLength(299);
    expect(read.new).toEqual([
      { code: "NC", name: "New Caledonia" },
      { code: "NZ", name: "New Zealand" },
      { code: "PG", name: "Papua New Guinea" },
      ...["Hampshire", "Jersey", "Mexico", "York"].map((state) => ({
        code: `US_NEW_${state.toUpperCase()}`,
        name: `New ${state}`,
      })),
    ]);
    expect(read.us).toHaveLength(51);
    expect(read.both).toEqual([{ code: "US_NEW_YORK", state: "New York", currency: "USD" }]);
    expect(read.none).toEqual([]);
    expect(read.region).toEqual({ name: "South Korea", country: "South Korea" });
  });

  test.each([
    ["US_NEW_YROK", "Did you mean US_NEW_YORK?"],
    ["kr", "Did you mean KR?"],
    ["atlantis", "the query regions lists them."],
  ])("that do not exist are refused, with the nearest: %s", async (region, sentence) => {
    const { errors } = await gateway.sendGraphQL(
      "query ($filter: CustomerFilterInput) { customers(filter: $filter) { totalCount } }",
      { filter: { region } },
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: {
        fields: [{ path: "filter.region", code: "INVALID_VALUE", message: expect.stringContaining(sentence) }],
      },
    });
  });
});
