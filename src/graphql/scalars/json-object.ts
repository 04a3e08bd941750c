import type { GraphQLScalarType } from "graphql";
import { maskCardNumbers } from "../../kernel/secrets/card-mask.ts";
import { UnsafeNumber } from "../../kernel/json-reader.ts";
import { createScalar, readWith, requireObject } from "./create-scalar.ts";

/** Limits for one record's custom fields, so that a page of a hundred records stays readable. */
export const CUSTOM_FIELD_LIMITS = { keys: 100, keyLength: 100, bytes: 16_384 } as const;

/** Free-form objects. */
export const GraphQLJSONObject: GraphQLScalarType<object> = createScalar<object>(
  "JSONObject",
  "A JSON object with any fields. As input it may have at most 100 keys in all levels together, of at most 100 characters each, and 16,384 bytes as JSON in UTF-8. Numbers must be exact as JSON numbers; texts must be well-formed and without NUL characters. Card numbers in its values are masked to their last four digits; everything else is stored unchanged.",
  (value) => maskCardNumbersIn(validateCustomFields(value)) as object,
  requireObject,
);
GraphQLJSONObject.extensions = { check: (value: unknown) => readWith(validateCustomFields, value) };

function validateCustomFields(value: unknown): object {
  const object = requireObject(value);
  let keys = 0;
  const countKeys = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      if (!Array.isArray(part) && ++keys > CUSTOM_FIELD_LIMITS.keys)
        throw new RangeError(`must have at most ${CUSTOM_FIELD_LIMITS.keys} keys.`);
      if (key.length > CUSTOM_FIELD_LIMITS.keyLength)
        throw new RangeError(`must have keys of at most ${CUSTOM_FIELD_LIMITS.keyLength} characters.`);
      countKeys(inner);
    }
  };
  countKeys(object);
  if (Buffer.byteLength(JSON.stringify(object)) > CUSTOM_FIELD_LIMITS.bytes)
    throw new RangeError(`must have at most ${CUSTOM_FIELD_LIMITS.bytes} bytes as JSON.`);
  requireStorable(object);
  return object;
}

/** Refuses values that a JSON column would not store as they were sent. */
function requireStorable(part: unknown): void {
  if (part instanceof UnsafeNumber) throw new RangeError("must hold numbers of at most 15 significant digits.");
  if (typeof part === "string" && (part.includes("\0") || !part.isWellFormed()))
    throw new RangeError("must hold well-formed text without NUL characters.");
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    requireStorable(key);
    requireStorable(value);
  }
}

/** The values of an object with their card numbers masked; one that was sent as a number becomes a text. */
function maskCardNumbersIn(part: unknown): unknown {
  if (typeof part === "string") return maskCardNumbers(part);
  if (typeof part === "number") {
    const text = maskCardNumbers(String(part));
    return text.includes("*") ? text : part;
  }
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(maskCardNumbersIn);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, maskCardNumbersIn(value)]));
}
