import type { JsonSchema } from "../../support/json-schema-check.ts";
import {
  unwrapNullable,
  EmptyList,
  ListField,
  ClosedList,
  type ContractField,
  type ContractTable,
} from "./contract-field.ts";
import type { TimeFormat } from "./table-comparison.ts";

/** The OpenAPI document's type for a type of value. */
const openApiTypes: Readonly<Record<string, string>> = {
  id: "integer",
  integer: "integer",
  number: "number",
  text: "string",
  boolean: "boolean",
  time: "string",
  uuid: "string",
  amounts: "object",
  texts: "object",
  object: "object",
};

/** The differences between the OpenAPI document and a table: names, types, nulls, and enum values. */
export function openApiDifferences(
  schemas: Readonly<Record<string, JsonSchema>>,
  field: ContractField,
  schema: JsonSchema | undefined,
  times: TimeFormat,
  at = "body",
): string[] {
  if (!schema) return [`${at} is missing`];
  const { field: type, nullable } = unwrapNullable(field);
  const { schema: described, nullable: toldNullable } = withoutNull(schemas, schema);
  const differ = (isSame: boolean, message: string) => (isSame ? [] : [`${at} ${message}`]);
  const below = (inner: ContractField, other: JsonSchema | undefined, name: string) =>
    openApiDifferences(schemas, inner, other, times, `${at}${name}`);
  return [
    ...differ(nullable === toldNullable, toldNullable ? "may be null" : "may not be null"),
    ...(typeof type === "string"
      ? [
          ...differ(described.type === openApiTypes[type], `is ${String(described.type)}, not ${openApiTypes[type]!}`),
          ...differ(described.enum === undefined, "is a closed list"),
          ...(type === "time"
            ? differ(
                described.format === (times === "Z" ? "date-time" : "date-time-local"),
                `is a ${String(described.format)}`,
              )
            : []),
        ]
      : type instanceof ClosedList
        ? differ(
            sortedList(described.enum ?? []) === sortedList(type.values),
            `has the words ${sortedList(described.enum ?? [])}`,
          )
        : type instanceof EmptyList
          ? differ(described.type === "array", "is no list")
          : type instanceof ListField
            ? below(type.item, described.items, "[]")
            : tableDifferences(type, described, at, below)),
  ];
}

function tableDifferences(
  table: ContractTable,
  { properties = {}, required = [] }: JsonSchema,
  at: string,
  below: (inner: ContractField, other: JsonSchema | undefined, name: string) => string[],
): string[] {
  return [
    ...Object.keys(properties).flatMap((name) => (name in table ? [] : [`${at}.${name} is not in the table`])),
    ...Object.keys(table).flatMap((name) => (required.includes(name) ? [] : [`${at}.${name} may be absent`])),
    ...Object.entries(table).flatMap(([name, field]) => below(field, properties[name], `.${name}`)),
  ];
}

const sortedList = (words: readonly unknown[]): string => words.map(String).sort().join(" ");

/** A schema at its place, and whether null is allowed there too. */
function withoutNull(
  schemas: Readonly<Record<string, JsonSchema>>,
  schema: JsonSchema,
): { schema: JsonSchema; nullable: boolean } {
  if (schema.$ref) return { schema: schemas[schema.$ref.split("/").at(-1)!]!, nullable: false };
  if (schema.oneOf) {
    const [other] = schema.oneOf.filter(({ type }) => type !== "null");
    return { schema: withoutNull(schemas, other!).schema, nullable: schema.oneOf.length === 2 };
  }
  const types = [schema.type ?? []].flat();
  return {
    schema: {
      ...schema,
      type: types.filter((type) => type !== "null").join(),
      ...(schema.enum && { enum: schema.enum.filter((word) => word !== null) }),
    },
    nullable: types.includes("null"),
  };
}
