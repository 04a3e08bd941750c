import { parseValue } from "graphql";
import { describe, expect, test } from "vitest";
import { CurrencyAmountsScalar, GraphQLJSONObject } from "../../../src/graphql/scalars.ts";
import { parseJsonBody } from "../../../src/kernel/json-reader.ts";

/** A value as it comes from a body, with all its digits. */
const sent = (text: string) => parseJsonBody(Buffer.from(text));

describe("amounts by currency", () => {
  test("are strings in plain notation, and the same from literals", () => {
    const plain = { USD: "12.5", JPY: "1900", EUR: "0.000001" };
    expect(CurrencyAmountsScalar.parseValue(sent('{"USD":"12.50","JPY":1.9e3,"EUR":0.000001}'))).toEqual(plain);
    const literal = parseValue('{ USD: "12.50", JPY: 1900, EUR: $euros }');
    expect(CurrencyAmountsScalar.parseLiteral(literal, { euros: "0.000001" })).toEqual(plain);
    expect(CurrencyAmountsScalar.serialize(plain)).toEqual(plain);
  });

  test.each([
    ["5", /^must be a JSON object\.$/],
    ["[]", /^must be a JSON object\.$/],
    ["12345678901234567890", /^must be a JSON object\.$/],
    ['{"USD":-1}', /USD must not be negative/],
    ['{"USD":"1","EUR":12345678901234567890}', /EUR must have at most 15 significant digits/],
    ['{"USD":true}', /USD must be a decimal number/],
    ['{"US":1}', /ISO 4217/],
    ['{"usd":1}', /ISO 4217/],
  ])("are not %s", (text, message) => {
    expect(() => CurrencyAmountsScalar.parseValue(sent(text))).toThrow(message);
  });
});

describe("a free-form object", () => {
  test("is saved as it was sent, and the same from literals", () => {
    const object = { a: [1, 0.5, null, true], b: { ü: "x" }, c: {} };
    expect(GraphQLJSONObject.parseValue(sent(JSON.stringify(object)))).toEqual(object);
    const literal = parseValue("{ a: [1, 0.5, null, true], b: $b, c: {} }");
    expect(GraphQLJSONObject.parseLiteral(literal, { b: object.b })).toEqual(object);
    expect(GraphQLJSONObject.serialize(object)).toEqual(object);
  });

  test.each([
    ['"x"', /^must be a JSON object\.$/],
    ["[{}]", /^must be a JSON object\.$/],
    ['{"a":[{"b":12345678901234567890}]}', /15 significant digits/],
    ['{"a":"\\u0000"}', /NUL/],
    ['{"a":["\\ud800"]}', /well-formed/],
    ['{"\\u0000":1}', /NUL/],
  ])("is not %s, which a database would not store", (text, message) => {
    expect(() => GraphQLJSONObject.parseValue(sent(text))).toThrow(message);
  });
});
