import { describe, expect, test } from "vitest";
import type { RestRoute } from "../../../rest-compat/binding/route.ts";
import { knownRecord, sampleRoutes, createSmallShop } from "../../support/small-rest-routes.ts";

const shop = createSmallShop();
const item = { productCode: "product_a" };

/** The input that a body becomes. */
async function inputOf(body: object) {
  const { status, text } = await shop.post("/orders", body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return shop.last()["input"];
}

/** The validation errors of a body, each as a path and a code. */
async function faults(body: unknown) {
  const { status, body: answer } = await shop.post("/orders", body);
  expect([status, answer.errorCode]).toEqual([400, "INVALID_ARGUMENT"]);
  return answer.details.fields.map(({ path, code }: { path: string; code: string }) => [path, code]);
}

describe("fields of a body", () => {
  test("are those that the route names, at every depth; the rest is ignored", async () => {
    const input = await inputOf({
      customerId: 5,
      customerCode: null,
      note: "x",
      temporary: true,
      items: [
        { ...item, quantity: 2, optionIds: ["wrong"], box: { size: 3, color: 5 } },
        { ...item, box: null },
      ],
    });
    expect(input).toEqual({
      customerId: "5",
      customerCode: null,
      currency: "KRW",
      items: [
        { productCode: "product_a", quantity: 2, box: { size: 3 } },
        { productCode: "product_a", quantity: 1, box: null },
      ],
    });
  });

  test("that have a default may be absent or null", async () => {
    const { currency, items } = await inputOf({ currency: null, items: [{ ...item, quantity: null }] });
    expect([currency, items[0].quantity]).toEqual(["KRW", 1]);
  });

  test("that are ignored are named by their paths, with the probable intended name", async () => {
    const body = {
      customerID: 5,
      note: "x",
      items: [item, { ...item, quantty: 2, optionIds: [], box: { size: 3, colour: 5, "a.b, c": 1 } }],
    };
    const { status, headers } = await shop.post("/orders", body);
    expect([status, headers["x-ignored-fields"]]).toEqual([
      201,
      "customerID; did-you-mean=customerId, note, items[1].quantty; did-you-mean=quantity, items[1].optionIds, items[1].box.colour, items[1].box.a%2Eb%2C%20c",
    ]);
    expect((await shop.post("/orders", { items: [item] })).headers).not.toHaveProperty("x-ignored-fields");
    expect((await shop.post("/orders", { item: [] })).headers["x-ignored-fields"]).toBe("item; did-you-mean=items");
  });

  test("that are ignored never make a large header", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `\ud83d\r\n${"가".repeat(500)}${index}`);
    const wrong = Object.fromEntries(names.map((name) => [name, 1]));
    for (const body of [wrong, { items: [{ ...item, box: wrong }] }, { items: Array(400).fill({ ...item, x: 1 }) }]) {
      const header = String((await shop.post("/orders", body)).headers["x-ignored-fields"]);
      expect([header.split(", ").length, header.length < 4_000, header.endsWith(", ...")]).toEqual([21, true, true]);
      expect(header).toMatch(/^[\x21-\x7e ]+$/);
    }
  });

  test("may be numbers as text, and numbers and booleans where text is expected", async () => {
    const { customerId, customerCode, currencyPrice, items } = await inputOf({
      customerId: "9007199254740991",
      customerCode: false,
      currencyPrice: { USD: "12.50", JPY: "1e3" },
      items: [{ productCode: 5, quantity: "2" }, { productCode: 1.5 }],
    });
    expect([customerId, customerCode, currencyPrice]).toEqual([
      "9007199254740991",
      "false",
      { USD: "12.5", JPY: "1000" },
    ]);
    expect(items).toMatchObject([{ productCode: "5", quantity: 2 }, { productCode: "1.5" }]);
    expect((await inputOf({ items: [item], customerCode: true })).customerCode).toBe("true");
    const raw = '{"items":[{"productCode":12345678901234567890}]}';
    expect((await shop.post("/orders", raw)).status).toBe(201);
    expect(shop.last()["input"].items[0].productCode).toBe("12345678901234567890");
    expect(await faults({ items: [{ ...item, quantity: "1.5" }], customerId: "9007199254740993" })).toEqual([
      ["customerId", "INVALID_VALUE"],
      ["items[0].quantity", "INVALID_TYPE"],
    ]);
  });

  test("are named by their paths when they are wrong", async () => {
    const items = [item, { quantity: "two", box: {} }, null, { ...item, box: { size: 1.5 } }];
    expect(await faults({ items, currency: {}, status: "DONE" })).toEqual([
      ["items[1].productCode", "REQUIRED"],
      ["items[1].quantity", "INVALID_TYPE"],
      ["items[1].box.size", "REQUIRED"],
      ["items[2]", "REQUIRED"],
      ["items[3].box.size", "INVALID_TYPE"],
      ["currency", "INVALID_TYPE"],
      ["status", "INVALID_VALUE"],
    ]);
  });

  test("go into one input with the path's parameters", async () => {
    const { status, body } = await shop.post(`/vendors/${knownRecord.uuid}/children`, {
      name: "Branch",
      vendorUuid: "x",
    });
    expect([status, body]).toEqual([201, { name: "Branch" }]);
    expect(shop.last()).toEqual({ input: { vendorUuid: knownRecord.uuid, name: "Branch" } });
  });
});

describe("amounts by currency", () => {
  const amounts = (characters: string) => `{"items":[{"productCode":"a"}],"currencyPrice":${characters}}`;
  const codes = (count: number) => Intl.supportedValuesOf("currency").slice(0, count);

  test.each([
    ['{"USD":0.1,"JPY":1900}', { USD: "0.1", JPY: "1900" }],
    ['{"USD":123456789.012345}', { USD: "123456789.012345" }],
    ['{"USD":1.50,"EUR":1e3}', { USD: "1.5", EUR: "1000" }],
    ["{}", {}],
    ["null", null],
  ])("are JSON numbers: %s", async (characters, read) => {
    expect((await shop.post("/orders", amounts(characters))).status).toBe(201);
    expect(shop.last()["input"].currencyPrice).toEqual(read);
  });

  test.each([
    ["5", "currencyPrice", "INVALID_TYPE"],
    ["[1]", "currencyPrice", "INVALID_TYPE"],
    ['{"USD":"one"}', "currencyPrice.USD", "INVALID_TYPE"],
    ['{"USD":null}', "currencyPrice.USD", "INVALID_TYPE"],
    ['{"USD":1,"EUR":123456789012345678}', "currencyPrice.EUR", "INVALID_VALUE"],
    ['{"USD":1234567890.1234567}', "currencyPrice.USD", "INVALID_VALUE"],
    ['{"USD":-1}', "currencyPrice.USD", "INVALID_VALUE"],
    ['{"USD":0.0000001}', "currencyPrice.USD", "INVALID_VALUE"],
    ['{"usd":1}', "currencyPrice", "INVALID_VALUE"],
    ['{"XXX":1}', "currencyPrice", "INVALID_VALUE"],
    ['{"USDT":1}', "currencyPrice", "INVALID_VALUE"],
    [JSON.stringify(Object.fromEntries(codes(51).map((code) => [code, 1]))), "currencyPrice", "INVALID_VALUE"],
  ])("are refused when one is not a number: %s", async (characters, path, code) => {
    expect(await faults(amounts(characters))).toEqual([[path, code]]);
  });

  test("are at most fifty", async () => {
    const fifty = Object.fromEntries(codes(50).map((code) => [code, 1]));
    expect(Object.keys((await inputOf({ items: [item], currencyPrice: fifty })).currencyPrice)).toHaveLength(50);
  });
});

describe("an invalid route stops the process", () => {
  const { create, createChild, list, order, pay, children } = sampleRoutes;
  test.each<[string, RestRoute, RegExp]>([
    ["names an unknown field", { ...create, body: [...create.body, "color"] }, /no field color/],
    ["names a field below a scalar", { ...create, body: ["items", "currency.code"] }, /currency has no fields/],
    ["omits a required field", { ...create, body: ["customerId"] }, /needs the field items/],
    ["omits a required nested field", { ...create, body: ["items.quantity"] }, /needs the field productCode/],
    ["has a body and no input", { ...order, body: ["code"] }, /has an input/],
    ["has an unknown parameter", { ...createChild, query: ["color"] }, /parameter color/],
    ["has an unknown path parameter", { ...order, path: "/orders/{number}" }, /parameter number/],
    ["has an object in its query", { ...create, query: ["currencyPrice"] }, /CurrencyAmounts can be read/],
    ["has a time in its path", { ...list, path: "/orders/{startDate}", page: undefined }, /No path can hold DateTime/],
    ["answers an unselected field", { ...order, resourcePath: "order.color" }, /selects .* as color/],
    ["answers a page from something else", { ...order, page: "ARRAY" }, /selects .* as rows/],
    [
      "answers a page whose parameters cannot be sent",
      { ...list, query: [{ name: "page", default: 0 }] },
      /takes size/,
    ],
    ["redirects without a target", { ...pay, redirect: { addressField: "address" } }, /selects address of payment/],
    ["answers headers to a POST", { ...children, method: "POST" }, /not stored/],
    ["names an unknown operation", { ...order, operation: "FindOrder" }, /no operation FindOrder/],
  ])("that %s", (_, route, message) => {
    expect(() => createSmallShop({ contract: [route] })).toThrow(message);
  });

  test("that names the same resource as another", () => {
    expect(() =>
      createSmallShop({ contract: [sampleRoutes.order, { ...sampleRoutes.create, timeFormat: undefined }] }),
    ).toThrow(/Two fragments are named WholeOrder/);
  });
});
