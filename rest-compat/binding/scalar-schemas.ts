import type { Route } from "./route.ts";
import { MOST_CURRENCIES, textRules } from "../../src/graphql/scalars.ts";

export type Json = Record<string, unknown>;

const ID = { type: "integer", format: "int64", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const AMOUNT = { type: "number", minimum: 0, description: "At most 15 significant digits and 6 decimals." };

/** How the scalars stand on the REST wire. */
const scalarSchemas: Readonly<Record<string, Json>> = {
  ID,
  BigInt: { type: "integer", format: "int64" },
  Boolean: { type: "boolean" },
  Int: { type: "integer", format: "int32" },
  PositiveInt: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
  NonNegativeInt: { type: "integer", minimum: 0, maximum: 2_147_483_647 },
  String: { type: "string" },
  DateTime: { type: "string", format: "date-time" },
  Decimal: AMOUNT,
  Rate: { type: "number", minimum: 0, description: "At most 15 significant digits and 12 decimals." },
  CurrencyAmounts: {
    type: "object",
    maxProperties: MOST_CURRENCIES,
    additionalProperties: AMOUNT,
    description: "Amounts by ISO 4217 code of their currency.",
  },
  JSONObject: {
    type: "object",
    additionalProperties: true,
    description: "As input at most 100 keys in all, of at most 100 characters each, and 16,384 bytes as JSON.",
  },
  UUID: { type: "string", format: "uuid" },
};

/** A time without a zone suffix is no date-time of JSON Schema. */
const ZONELESS_TIME = { type: "string", format: "date-time-local", description: "In UTC." };

/** A scalar as it is answered, as JSON Schema: what a discount adds to an order is below zero. */
export function schemaOfAnswered(name: string, times: Route["times"]): Json {
  if (name === "Decimal") return { type: "number" };
  return name === "DateTime" && times === "ZONELESS" ? ZONELESS_TIME : schemaOfScalar(name);
}

/** A scalar as JSON Schema. @throws where it has no word for one. */
export function schemaOfScalar(name: string): Json {
  const rules = textRules.get(name);
  if (rules) return { type: "string", ...(rules.least && { minLength: rules.least }), maxLength: rules.most };
  const known = scalarSchemas[name];
  if (!known) throw new Error(`The OpenAPI document has no word for the scalar ${name}.`);
  return known;
}

/** The same, or null. */
export const orNull = (schema: Json): Json =>
  "$ref" in schema
    ? { oneOf: [schema, { type: "null" }] }
    : {
        ...schema,
        type: [schema["type"], "null"],
        ...("enum" in schema && { enum: [...(schema["enum"] as string[]), null] }),
      };
