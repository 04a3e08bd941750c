import type { RestRoute } from "./route.ts";
import { MAX_CURRENCIES, textRulesByScalar } from "../../src/graphql/scalars.ts";

export type JsonObject = Record<string, unknown>;

const ID_SCHEMA = { type: "integer", format: "int64", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const AMOUNT_SCHEMA = {
  type: "number",
  minimum: 0,
  description: "An amount of money with at most 15 significant digits and 6 decimals.",
};

/** How the scalars stand on the REST wire. */
const scalarSchemas: Readonly<Record<string, JsonObject>> = {
  ID: ID_SCHEMA,
  BigInt: { type: "integer", format: "int64" },
  Boolean: { type: "boolean" },
  Int: { type: "integer", format: "int32" },
  PositiveInt: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
  NonNegativeInt: { type: "integer", minimum: 0, maximum: 2_147_483_647 },
  String: { type: "string" },
  DateTime: { type: "string", format: "date-time" },
  Decimal: AMOUNT_SCHEMA,
  Rate: {
    type: "number",
    minimum: 0,
    description: "An exchange rate with at most 15 significant digits and 12 decimals.",
  },
  CurrencyAmounts: {
    type: "object",
    maxProperties: MAX_CURRENCIES,
    additionalProperties: AMOUNT_SCHEMA,
    description: "Amounts of money by the ISO 4217 code of their currency.",
  },
  JSONObject: {
    type: "object",
    additionalProperties: true,
    description:
      "A JSON object. As input it may have at most 100 keys in all levels together, of at most 100 characters each, and 16,384 bytes.",
  },
  UUID: { type: "string", format: "uuid" },
};

/** A time without a zone suffix is no date-time of JSON Schema. */
const ZONELESS_TIME_SCHEMA = { type: "string", format: "date-time-local", description: "In UTC." };

/** A scalar as it is answered, as JSON Schema: what a discount adds to an order is below zero. */
export function outputScalarSchema(name: string, times: RestRoute["timeFormat"]): JsonObject {
  if (name === "Decimal") return { type: "number" };
  return name === "DateTime" && times === "ZONELESS" ? ZONELESS_TIME_SCHEMA : scalarSchema(name);
}

/** A scalar as JSON Schema. @throws where it has no word for one. */
export function scalarSchema(name: string): JsonObject {
  const rules = textRulesByScalar.get(name);
  if (rules)
    return { type: "string", ...(rules.minLength && { minLength: rules.minLength }), maxLength: rules.maxLength };
  const schema = scalarSchemas[name];
  if (!schema) throw new Error(`The OpenAPI document has no word for the scalar ${name}.`);
  return schema;
}

/** The same, or null. */
export const orNullSchema = (schema: JsonObject): JsonObject =>
  "$ref" in schema
    ? { oneOf: [schema, { type: "null" }] }
    : {
        ...schema,
        type: [schema["type"], "null"],
        ...("enum" in schema && { enum: [...(schema["enum"] as string[]), null] }),
      };
