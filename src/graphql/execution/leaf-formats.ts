import { isEnumType, type GraphQLEnumType, type GraphQLLeafType } from "graphql";
import type { LeafFormat } from "../../database/response-text/text-plan.ts";
import type { FieldForm, RecordForm } from "./response-form.ts";
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

/** How the database writes the values of a field in GraphQL's own form; undefined if only code can. */
export function leafFormatOf(type: GraphQLLeafType): LeafFormat | undefined {
  if (isEnumType(type)) return wordFormat(type, (word) => word);
  return textRulesByScalar.has(type.name) ? "TEXT" : formatsByScalar[type.name];
}

/** The same in a protocol's form. */
export function leafFormatInForm(type: GraphQLLeafType, form: RecordForm, field: FieldForm): LeafFormat | undefined {
  if (isEnumType(type)) return wordFormat(type, field.write);
  if (form.rewrittenScalars.has(type.name)) return undefined;
  const format = leafFormatOf(type);
  if (format === "TIME" && form.hasZonelessTimes) return "TIME_WITHOUT_ZONE";
  return format === "DECIMAL_STRING" && form.numberScalars.has(type.name) ? "DECIMAL_NUMBER" : format;
}

function wordFormat(type: GraphQLEnumType, write: (word: unknown) => unknown): LeafFormat {
  const texts = type.getValues().map(({ name, value }) => [String(value), JSON.stringify(write(name))] as const);
  // A word that is not to be written has no text.
  return new Map(texts.filter(([, text]) => typeof text === "string"));
}
