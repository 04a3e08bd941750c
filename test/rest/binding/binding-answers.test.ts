import { describe, expect, test } from "vitest";
import { schemaViolations } from "../../support/json-schema-check.ts";
import { knownRecord, sampleRoutes, createSmallShop } from "../../support/small-rest-routes.ts";

const shop = createSmallShop();
/** The refusal of a path without a resource. */
const wrong = (status: number, errorCode: string, path: string) => ({
  status,
  body: {
    errorCode,
    errorMessage: expect.stringContaining(path),
    traceId: expect.any(String),
    details: expect.objectContaining({
      fields: [expect.objectContaining({ path, code: "NOT_FOUND", message: expect.any(String) })],
    }),
  },
});

describe("a page in the contract's envelope", () => {
  const listed = (index: number) => ({ code: `order_${index}`, status: "PAID", createdAt: "2026-03-01T09:30:00.123" });

  test("is whole, in the contract's order", async () => {
    const { status, text } = await shop.get("/orders?page=2");
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        content: [40, 41, 42, 43, 44].map(listed),
        pageable: {
          page: 2,
          size: 20,
          sortDir: "DESC",
          sort: "createdAt",
          pageSize: 20,
          pageNumber: 2,
          offset: 40,
          paged: true,
          unpaged: false,
        },
        sort: { sorted: true, unsorted: false, empty: false },
        number: 2,
        size: 20,
        numberOfElements: 5,
        totalElements: 45,
        totalPages: 3,
        first: false,
        last: true,
        empty: false,
      }),
    );
  });

  test.each([
    [45, "", { number: 0, numberOfElements: 20, totalPages: 3, first: true, last: false, empty: false }],
    [45, "page=1", { number: 1, numberOfElements: 20, totalPages: 3, first: false, last: false, empty: false }],
    [45, "page=3", { number: 3, numberOfElements: 0, totalPages: 3, first: false, last: true, empty: true }],
    [40, "page=1", { number: 1, numberOfElements: 20, totalPages: 2, first: false, last: true, empty: false }],
    [0, "", { number: 0, numberOfElements: 0, totalElements: 0, totalPages: 0, first: true, last: true, empty: true }],
    [3, "size=1&page=2147483647", { numberOfElements: 0, totalPages: 3, last: true, empty: true }],
    [3, "sort=paidAmount&sortDir=ASC", { numberOfElements: 3, totalPages: 1, first: true, last: true }],
  ])("of %d rows, for the query %j", async (total, query, expected) => {
    expect((await createSmallShop({ total }).get(`/orders?${query}`)).body).toMatchObject(expected);
  });

  test("shows its sort order and its first row", async () => {
    const { pageable } = (await shop.get("/orders?sort=paidAmount&sortDir=ASC&size=1000&page=2147483647")).body;
    expect(pageable).toMatchObject({ sort: "paidAmount", sortDir: "ASC", offset: 2_147_483_647_000 });
  });

  test("uses the words of a vocabulary file", async () => {
    const vocabulary = { content: "rows", totalElements: "count", first: "isFirst", pageNumber: "no" };
    const { body } = await createSmallShop({ vocabulary, total: 1 }).get("/orders");
    expect(body).toMatchObject({ rows: [listed(0)], count: 1, isFirst: true, pageable: { no: 0 } });
    for (const name of Object.keys(vocabulary)) expect(body).not.toHaveProperty(name);
  });
});

describe("a page as a bare array", () => {
  const path = `/vendors/${knownRecord.uuid}/children`;
  const at = (page: number, relation: string, rest = "") =>
    `</api/v1${path}?${rest}page=${page}&size=20>; rel="${relation}"`;

  test.each([
    [45, "", 20, [at(0, "first"), at(1, "next"), at(2, "last")]],
    [45, "?page=1", 20, [at(0, "first"), at(0, "prev"), at(2, "next"), at(2, "last")]],
    [45, "?page=2&size=20", 5, [at(0, "first"), at(1, "prev"), at(2, "last")]],
    [45, "?page=9", 0, [at(0, "first"), at(2, "prev"), at(2, "last")]],
    [0, "", 0, [at(0, "first"), at(0, "last")]],
    [1, "?%3E%0Ax=%22", 1, [at(0, "first", "%3E%0Ax=%22&"), at(0, "last", "%3E%0Ax=%22&")]],
  ])("of %d rows, for the query %j", async (total, query, length, links) => {
    const { status, body, headers } = await createSmallShop({ total }).get(path + query);
    expect([status, body.length, headers["x-total-count"]]).toEqual([200, length, String(total)]);
    expect(headers["link"]).toBe(links.join(", "));
    if (length > 0) expect(body[0]).toEqual({ name: expect.stringMatching(/^child \d+$/) });
  });

  test("of an unknown parent is a 404", async () => {
    for (const uuid of ["6f2c1b7e-1111-4222-8333-444455556667", "me", "7", "%00", "x".repeat(300)])
      expect(await shop.get(`/vendors/${uuid}/children`)).toMatchObject(wrong(404, "VENDOR_NOT_FOUND", "vendorUuid"));
  });
});

describe("one resource by its path", () => {
  test("is answered, with every type of value", async () => {
    const { status, body } = await shop.get(`/orders/${knownRecord.code}`);
    expect([status, body]).toEqual([
      200,
      {
        code: knownRecord.code,
        status: "PAID",
        createdAt: "2026-03-01T09:30:00.123",
        paidAt: null,
        amount: 12.5,
        currencyPrice: { USD: 0.1, KRW: 1000 },
        attributes: { size: '"L"', PAID: { nested: ["2026-03-01T09:30:00.123Z", null] } },
        optionIds: [3, 1],
        states: null,
        customer: null,
        lines: [
          { quantity: 2, demo: { startedAt: "2026-03-02T00:00:00.000" } },
          { quantity: 1, demo: null },
        ],
      },
    ]);
  });

  test("has free-form objects untranslated", async () => {
    const worded = createSmallShop({ vocabulary: { PAID: "SETTLED", code: "no" } });
    const { body } = await worded.get(`/orders/${knownRecord.code}`);
    expect(body).toMatchObject({ status: "SETTLED", no: knownRecord.code, attributes: { PAID: expect.anything() } });
  });

  test("may be a list", async () => {
    const { status, text } = await shop.get(`/orders/${knownRecord.code}/lines`);
    expect([status, text]).toEqual([200, '[{"quantity":2},{"quantity":1}]']);
  });

  test.each(["order_zzz999ZZZ", "7", "-", "%00", "%F0%9F%92%A9", "a%2Fb", "x".repeat(300)])(
    "is a 404 when nothing has the code %s",
    async (code) => {
      for (const path of [`/orders/${code}`, `/orders/${code}/lines`])
        expect(await shop.get(path)).toMatchObject(wrong(404, "ORDER_NOT_FOUND", "code"));
    },
  );

  test("is found by its number only if the path has a number", async () => {
    expect(await shop.get("/customers/7")).toMatchObject({ status: 200, body: { id: 7, name: "Kim" } });
    for (const id of ["8", "07", "0", "-7", "7.0", "9007199254740992", knownRecord.code])
      expect(await shop.get(`/customers/${id}`)).toMatchObject(wrong(400, "CUSTOMER_NOT_FOUND", "id"));
  });
});

describe("a redirect", () => {
  test("answers 302, the location, and nothing else", async () => {
    const { status, headers, text } = await shop.get(`/orders/${knownRecord.code}/pay?successUrl=https://a.example`);
    expect([status, headers.location, text]).toEqual([302, "https://pay.example/x?y=1", ""]);
    expect([headers["deprecation"], headers["link"]]).toEqual([undefined, undefined]);
    expect(shop.last()).toEqual({ idOrCode: knownRecord.code, successUrl: "https://a.example" });
  });

  test("says when the number is used where the code is expected", async () => {
    const { status, headers } = await shop.get(`/orders/${knownRecord.id}/pay?successUrl=https%3A%2F%2Fa.example`);
    expect([status, headers.location, headers["deprecation"]]).toEqual([
      302,
      "https://pay.example/x?y=1",
      "@1767225600",
    ]);
    const alternate = `/api/v1/orders/${knownRecord.code}/pay?successUrl=https%3A%2F%2Fa.example`;
    expect(headers["link"]).toBe(`<${alternate}>; rel="alternate"`);
  });

  test("of an unknown resource is a 404 with a body", async () => {
    const { status, body, headers } = await shop.get("/orders/8/pay");
    expect({ status, body }).toEqual(wrong(404, "ORDER_NOT_FOUND", "idOrCode"));
    expect([headers.location, headers["link"]]).toEqual([undefined, undefined]);
  });
});

describe("the OpenAPI document", async () => {
  const document = await shop.openApi();
  const operation = (route: { method: string; path: string }) =>
    document.paths[`/api/v1${route.path}`][route.method.toLowerCase()];
  const parametersOf = (route: { method: string; path: string }) =>
    Object.fromEntries(operation(route).parameters.map(({ name, ...rest }: { name: string }) => [name, rest]));

  test("has the parameters of a list, with their ranges and defaults", () => {
    const parameters = parametersOf(sampleRoutes.list);
    const inQuery = (schema: object) => ({ in: "query", required: false, schema });
    expect(parameters).toMatchObject({
      startDate: inQuery({ type: "string", format: "date-time", description: expect.stringMatching(/first instant/) }),
      endDate: inQuery({ type: "string", format: "date-time", description: expect.stringMatching(/last instant/) }),
      page: inQuery({ type: "integer", minimum: 0, default: 0 }),
      size: inQuery({ type: "integer", minimum: 1, maximum: 1000, default: 20 }),
      sort: inQuery({ type: "string", enum: ["createdAt", "paidAmount"], default: "createdAt" }),
      sortDir: inQuery({ type: "string", enum: ["ASC", "DESC"], default: "DESC" }),
      keyword: inQuery({ type: "string", maxLength: 255 }),
      type: inQuery({ type: "string", enum: ["orderCode", "phone"] }),
      status: inQuery({ type: "string", enum: ["CREATED", "PAID"] }),
    });
    expect(Object.keys(parameters)).toHaveLength(9);
  });

  test("has the parameters of a path", () => {
    const inPath = (schema: object) => ({ in: "path", required: true, schema });
    expect(parametersOf(sampleRoutes.order)).toEqual({ code: inPath({ type: "string", maxLength: 255 }) });
    expect(parametersOf(sampleRoutes.children)).toMatchObject({
      vendorUuid: inPath({ type: "string", format: "uuid" }),
    });
    expect(parametersOf(sampleRoutes.customer)).toMatchObject({ id: inPath({ type: "integer", minimum: 1 }) });
    expect(operation(sampleRoutes.order).responses["404"].description).toMatch(/code/);
  });

  test("has the headers of redirects and bare pages, and no body when there is none", () => {
    const redirect = operation(sampleRoutes.pay).responses;
    expect(Object.keys(redirect)).toEqual(["302", "400", "403", "404"]);
    expect(Object.keys(redirect["302"].headers)).toEqual(["X-Ignored-Parameters", "Location", "Deprecation", "Link"]);
    expect(redirect["302"]).not.toHaveProperty("content");
    expect(Object.keys(operation(sampleRoutes.children).responses["200"].headers)).toEqual([
      "X-Ignored-Parameters",
      "X-Total-Count",
      "Link",
    ]);
    const created = operation(sampleRoutes.create).responses["201"].headers;
    expect(Object.keys(created)).toEqual(["X-Ignored-Parameters", "X-Ignored-Fields"]);
  });

  test("says which times have a zone suffix, and that amounts by currency are numbers", () => {
    const { createdAt, paidAt, currencyPrice, attributes } = document.components.schemas.WholeOrder.properties;
    expect(createdAt).toMatchObject({ type: "string", format: "date-time-local" });
    expect(paidAt).toMatchObject({ type: ["string", "null"], format: "date-time-local" });
    expect(currencyPrice).toMatchObject({
      type: "object",
      maxProperties: 50,
      additionalProperties: { type: "number" },
    });
    expect(attributes).toMatchObject({ type: "object", additionalProperties: true });
  });

  test("has the body fields that the route takes, and no more", () => {
    const { properties, required } = operation(sampleRoutes.create).requestBody.content["application/json"].schema;
    expect(required).toEqual(["items"]);
    const item = properties.items.items;
    expect([Object.keys(item.properties), item.required]).toEqual([
      ["productCode", "quantity", "box"],
      ["productCode"],
    ]);
    expect(Object.keys(item.properties.box.properties)).toEqual(["size"]);
  });

  test.each([
    [sampleRoutes.list, "/orders?size=2", 200],
    [sampleRoutes.list, "/orders?page=9", 200],
    [sampleRoutes.children, `/vendors/${knownRecord.uuid}/children`, 200],
    [sampleRoutes.order, `/orders/${knownRecord.code}`, 200],
    [sampleRoutes.customer, "/customers/7", 200],
    [sampleRoutes.lines, `/orders/${knownRecord.code}/lines`, 200],
    [sampleRoutes.order, "/orders/-", 404],
  ] as const)("describes the answer of $operation", async (route, path, status) => {
    const answer = await shop.get(path);
    expect(answer.status).toBe(status);
    const { schema } = operation(route).responses[status].content["application/json"];
    expect(schemaViolations(document, schema, answer.body)).toEqual([]);
    if (status === 200) expect(schemaViolations(document, schema, [1])).not.toEqual([]);
  });
});
