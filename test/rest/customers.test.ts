import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../bench/support/orders-seed.ts";
import { startGateway } from "../support/test-gateway.ts";
import { expectedInvalidFields, statusAndBody, expectedUnknownPath } from "../support/rest-assertions.ts";

const gateway = await startGateway();

beforeAll(async () => {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const volume = { ordersEach: 300, lines: 2, customersEach: 30, productsEach: 5 };
  await seedOrders(sql, { vendorIds: [gateway.vendor.id], ...volume });
  await sql.end();
});

const create = async (input: object) => {
  const { createCustomer } = await gateway.queryData(
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId code uuid } } }",
    { input },
  );
  return createCustomer.customer;
};

describe("GET /customers", () => {
  test("answers a page envelope, newest first", async () => {
    const { databaseId, code } = await create({
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "010-1234-5678",
      username: "seoyeon",
      customFields: { size: "L" },
      region: "KR",
    });
    const { status, body } = await gateway.sendRest("GET", "/customers?size=2");
    expect(status).toBe(200);
    expect(body.content![0]).toEqual({
      id: databaseId,
      code,
      status: "NORMAL",
      username: "seoyeon",
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "01012345678",
      orderCount: 0,
      activeSubscriptionCount: 0,
      paymentMethods: [],
      marketingSms: false,
      marketingEmail: false,
      marketingMessenger: false,
      createdAt: "2026-03-01T09:30:00.000",
      dormantAt: null,
      customFields: { size: "L" },
      countryCode: "KR",
    });
    expect({ ...body, content: body.content!.length }).toEqual({
      content: 2,
      pageable: {
        page: 0,
        size: 2,
        sortDir: "DESC",
        sort: "createdAt",
        pageSize: 2,
        pageNumber: 0,
        offset: 0,
        paged: true,
        unpaged: false,
      },
      sort: { unsorted: false, sorted: true, empty: false },
      number: 0,
      size: 2,
      numberOfElements: 2,
      totalElements: 31,
      totalPages: 16,
      first: true,
      last: false,
      empty: false,
    });
  });

  test.each([
    ["keyword=CUSTOMER7@", 1],
    ["keyword=Customer%207", 1],
    ["keyword=8210", 0],
    ["keyword=%25", 0],
    ["endDate=2025-10-01", 30],
    ["startDate=2025-10-02", 1],
  ])("finds by %s", async (query, total) => {
    expect((await gateway.sendRest("GET", `/customers?${query}`)).body.totalElements).toBe(total);
  });

  test("refuses an invalid parameter, and names it", async () => {
    const answer = await gateway.sendRest("GET", "/customers?page=-1&size=1001&sort=phone&sortDir=UP&startDate=soon");
    expect(statusAndBody(answer)).toEqual(
      expectedInvalidFields(
        ["startDate", "INVALID_VALUE"],
        ["page", "INVALID_VALUE"],
        ["size", "INVALID_VALUE"],
        ["sort", "INVALID_VALUE"],
        ["sortDir", "INVALID_VALUE"],
      ),
    );
  });
});

describe("GET /customers/{id}", () => {
  test("answers every field of a customer", async () => {
    const shipping = {
      name: "Kim Seo-yeon",
      phone: "01012345678",
      postcode: "04524",
      address1: "Sejong-daero 110",
      address2: "3F",
      state: "",
      city: "Seoul",
      countryCode: "KR",
    };
    const { databaseId, code } = await create({
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "010-1234-5678",
      region: "US_NEW_YORK",
      customFields: { size: { top: "L" } },
      additionalRecipients: ["office@example.com"],
      shipping,
    });
    expect(statusAndBody(await gateway.sendRest("GET", `/customers/${databaseId}`))).toEqual({
      status: 200,
      body: {
        id: databaseId,
        status: "NORMAL",
        username: null,
        name: "Kim Seo-yeon",
        email: "seoyeon@example.com",
        phone: "01012345678",
        code,
        orderCount: 0,
        totalPurchasedPrice: 0,
        shipping,
        orders: [],
        subscriptions: [],
        paymentMethods: [],
        marketingSms: false,
        marketingEmail: false,
        marketingMessenger: false,
        attributes: { size: '{"top":"L"}' },
        createdAt: "2026-03-01T09:30:00.000",
        additionalRecipients: ["office@example.com"],
        region: {
          name: "US_NEW_YORK",
          currencies: ["USD"],
          country: "United States",
          countryCode: "US",
          language: "en",
          state: "New York",
        },
      },
    });
  });

  test("counts and lists the orders of a customer who bought", async () => {
    const { nodes } = (
      await gateway.queryData('{ customers(first: 1, filter: { keyword: "Customer 7" }) { nodes { databaseId } } }')
    ).customers;
    const { body } = await gateway.sendRest("GET", `/customers/${nodes[0]!.databaseId}`);
    expect(body).toMatchObject({ orderCount: 10, totalPurchasedPrice: 378_000 });
    expect(body.orders).toHaveLength(10);
    expect(body.orders![0]).toEqual({
      id: expect.any(Number),
      type: "ONE_TIME",
      productName: expect.stringMatching(/^Product \d$/),
      amount: 37_800,
      claimMethodType: "PRE",
      createdAt: expect.stringMatching(/^2026-09-\d\dT[\d:.]{12}$/),
      currency: "KRW",
    });
  });

  test("of another vendor, or unknown, is 400", async () => {
    const stranger = await gateway.openVendor();
    const { databaseId } = await create({ name: "A", email: "a@example.com", phone: "1" });
    for (const path of [`/customers/${databaseId}`, "/customers/4000000", "/customers/x", "/customers/0"] as const)
      expect(statusAndBody(await gateway.sendRest("GET", path, undefined, { token: stranger.token }))).toEqual(
        expectedUnknownPath(400, "CUSTOMER_NOT_FOUND", "id"),
      );
  });
});
