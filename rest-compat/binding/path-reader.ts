import { getNullableType, isScalarType, type GraphQLInputType } from "graphql";
import { textRulesByScalar } from "../../src/graphql/scalars.ts";

/**
 * The refusal for a value that identifies no record: a value that is no id or code at all is answered like an unknown
 * one.
 */
const UNKNOWN_RECORD = {
  number: String(Number.MAX_SAFE_INTEGER),
  uuid: "00000000-0000-0000-0000-000000000000",
  code: "-",
} as const;

/** Compiles the reader of a path parameter: a number, a UUID, or the text of a code. It refuses nothing. */
export function compilePathReader(type: GraphQLInputType): (text: string) => string {
  const scalar = getNullableType<GraphQLInputType>(type);
  if (!isScalarType(scalar)) throw new Error(`No path can hold ${String(type)}.`);
  if (scalar.name === "ID") return (text) => (isRecordId(text) ? text : UNKNOWN_RECORD.number);
  if (scalar.name !== "UUID" && !textRulesByScalar.has(scalar.name))
    throw new Error(`No path can hold ${scalar.name}: take ID, UUID, or a scalar that checks its text.`);
  const unknown = scalar.name === "UUID" ? UNKNOWN_RECORD.uuid : UNKNOWN_RECORD.code;
  scalar.parseValue(unknown);
  return (text) => {
    try {
      scalar.parseValue(text);
      return scalar.name === "UUID" ? text.toLowerCase() : text;
    } catch {
      return unknown;
    }
  };
}

const isRecordId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
