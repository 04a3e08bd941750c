import {
  getNullableType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { isTypeFault, type FieldFault } from "../../src/kernel/errors.ts";
import { UnsafeNumber } from "../../src/kernel/json.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Reads a value of the wire into a variable; what is wrong with it goes to `faults`. */
type Read = (value: unknown, path: string, faults: FieldFault[]) => unknown;

const fault = (faults: FieldFault[], path: string, code: FieldFault["code"], message: string): undefined => {
  faults.push({ path, code, message });
  return undefined;
};

/** Compiles the reader of a JSON body: the given fields of an input type, under their names on the wire. Other fields are ignored. */
export function bodyReader(type: GraphQLInputObjectType, names: readonly string[], vocabulary: Vocabulary): Read {
  const fields = names.map((name) => {
    const field = type.getFields()[name];
    if (!field) throw new Error(`${type.name} has no field ${name}, which the contract needs.`);
    return { name, wire: vocabulary.field(name), read: readerOf(field.type, vocabulary) };
  });
  return (value, path, faults) => {
    if (
      typeof value !== "object" ||
      value === null ||
      Array.isArray(value) ||
      Object.getPrototypeOf(value) !== Object.prototype
    ) {
      return fault(faults, path, "INVALID_TYPE", "must be a JSON object.");
    }
    const read: Record<string, unknown> = {};
    for (const field of fields) {
      const given = Object.hasOwn(value, field.wire) ? (value as Record<string, unknown>)[field.wire] : undefined;
      const result = field.read(given, path ? `${path}.${field.wire}` : field.wire, faults);
      if (result !== undefined) read[field.name] = result;
    }
    return read;
  };
}

function readerOf(type: GraphQLInputType, vocabulary: Vocabulary): Read {
  const required = isNonNullType(type);
  const read = nullableReader(getNullableType<GraphQLInputType>(type), vocabulary);
  return (value, path, faults) => {
    if (value !== undefined && value !== null) return read(value, path, faults);
    return required ? fault(faults, path, "REQUIRED", "is required.") : value;
  };
}

function nullableReader(type: GraphQLInputType, vocabulary: Vocabulary): Read {
  if (isListType(type)) return listReader(readerOf(type.ofType, vocabulary));
  if (isInputObjectType(type)) return bodyReader(type, Object.keys(type.getFields()), vocabulary);
  if (isEnumType(type)) return wordReader(type.name, vocabulary);
  if (isScalarType(type))
    return type.name === "ID" ? readId : type.name === "Decimal" ? readAmount(leafReader(type)) : leafReader(type);
  throw new Error(`The contract cannot carry ${String(type)}.`);
}

const listReader =
  (readItem: Read): Read =>
  (value, path, faults) =>
    Array.isArray(value)
      ? value.map((item, index) => readItem(item, `${path}[${index}]`, faults))
      : fault(faults, path, "INVALID_TYPE", "must be an array.");

const wordReader =
  (enumName: string, vocabulary: Vocabulary): Read =>
  (value, path, faults) => {
    if (typeof value !== "string") return fault(faults, path, "INVALID_TYPE", "must be a string.");
    const words = vocabulary.values(enumName).join(", ");
    return vocabulary.read(enumName, value) ?? fault(faults, path, "INVALID_VALUE", `must be one of ${words}.`);
  };

/** Ids are JSON numbers, as they always were; GraphQL takes them as text. */
const readId: Read = (value, path, faults) => {
  const isNumber = typeof value === "number";
  if (!isNumber && !(value instanceof UnsafeNumber)) return fault(faults, path, "INVALID_TYPE", "must be a number.");
  if (!isNumber || !Number.isSafeInteger(value) || value < 1)
    return fault(faults, path, "INVALID_VALUE", "must be a whole number from 1 to 9007199254740991.");
  return String(value);
};

/** Amounts are JSON numbers. One that no JavaScript number can hold has too many digits. */
const readAmount =
  (read: Read): Read =>
  (value, path, faults) => {
    if (value instanceof UnsafeNumber)
      return fault(faults, path, "INVALID_VALUE", "must have at most 15 significant digits and 6 decimals.");
    if (typeof value !== "number") return fault(faults, path, "INVALID_TYPE", "must be a number.");
    return read(value, path, faults);
  };

const expectations: Readonly<Record<string, string>> = {
  Boolean: "must be true or false.",
  Int: "must be a whole number.",
  String: "must be a string.",
};

function leafReader({ name, parseValue }: { name: string; parseValue: (value: unknown) => unknown }): Read {
  return (value, path, faults) => {
    try {
      parseValue(value instanceof UnsafeNumber ? Number(value.text) : value);
      return value;
    } catch (error) {
      const ours = error instanceof GraphQLError && /^must /.test(error.message);
      const message = ours ? error.message : (expectations[name] ?? `must be a value of type ${name}.`);
      const isType = !ours || isTypeFault(message);
      return fault(faults, path, isType ? "INVALID_TYPE" : "INVALID_VALUE", message);
    }
  };
}

/** No record has this number: what a path that is no number at all stands for. */
const NOBODY = String(Number.MAX_SAFE_INTEGER);

/** Reads an id in a path. Whatever is no id is the id of nothing, so that it is answered as one that is unknown. */
export const readPathId = (text: string): string =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? text : NOBODY;

/** Compiles the reader of a query parameter. */
export function queryReader(type: GraphQLInputType): Read {
  const named = String(getNullableType(type));
  if (named !== "Boolean") throw new Error(`No query parameter of type ${named} can be read.`);
  return (value, path, faults) => {
    if (value === undefined) return undefined;
    if (value === "true" || value === "false") return value === "true";
    return fault(faults, path, "INVALID_TYPE", "must be true or false.");
  };
}
