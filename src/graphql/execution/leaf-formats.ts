import { isEnumType, type GraphQLEnumType, type GraphQLLeafType } from "graphql";
import type { LeafFormat } from "../../database/response-text/text-plan.ts";
import { textRulesByScalar } from "../scalars.ts";

/** Scalars whose values go from the database to the answer unchanged. */
const formatsByScalar: Readonly<Record<string, LeafFormat>> = {
  String: "TEXT",
  RegionCode: "TEXT",
  UUID: "UUID",
  Boolean: "BOOLEAN",
  Int: "INT",
  PositiveInt: "INT",
  NonNegativeInt: "INT",
  BigInt: "BIG_INT",
  Decimal: "DECIMAL_STRING",
  Rate: "DECIMAL_STRING",
  DateTime: "TIME",
  CurrencyAmounts: "JSON_OBJECT",
  JSONObject: "JSON_OBJECT",
};

/** How the database writes the values of a type; undefined if only code can. */
export function leafFormatOf(type: GraphQLLeafType): LeafFormat | undefined {
  if (isEnumType(type)) return (word) => enumWordOf(type, word);
  return textRulesByScalar.has(type.name) ? "TEXT" : formatsByScalar[type.name];
}

function enumWordOf(type: GraphQLEnumType, stored: string): string | undefined {
  const value = type.getValues().find((each) => each.value === stored);
  return value && JSON.stringify(value.name);
}
