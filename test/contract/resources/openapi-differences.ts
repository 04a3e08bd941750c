import type { Schema } from "../../support/json-schema-check.ts";
import { bare, Empty, List, Words, type Field, type Table } from "./contract-field.ts";
import type { Times } from "./table-comparison.ts";

/** What the OpenAPI document says of a kind of value. */
const kinds: Readonly<Record<string, string>> = {
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

/** Where the OpenAPI document says something else than a table: names, types, nulls, and the words of closed lists. */
export function differences(
  schemas: Readonly<Record<string, Schema>>,
  field: Field,
  schema: Schema | undefined,
  times: Times,
  at = "body",
): string[] {
  if (!schema) return [`${at} is missing`];
  const { field: what, nullable } = bare(field);
  const { schema: told, nullable: toldNullable } = withoutNull(schemas, schema);
  const differ = (isSame: boolean, message: string) => (isSame ? [] : [`${at} ${message}`]);
  const below = (inner: Field, other: Schema | undefined, name: string) =>
    differences(schemas, inner, other, times, `${at}${name}`);
  return [
    ...differ(nullable === toldNullable, toldNullable ? "may be null" : "may not be null"),
    ...(typeof what === "string"
      ? [
          ...differ(told.type === kinds[what], `is ${String(told.type)}, not ${kinds[what]!}`),
          ...differ(told.enum === undefined, "is a closed list"),
          ...(what === "time"
            ? differ(told.format === (times === "Z" ? "date-time" : "date-time-local"), `is a ${String(told.format)}`)
            : []),
        ]
      : what instanceof Words
        ? differ(sorted(told.enum ?? []) === sorted(what.words), `has the words ${sorted(told.enum ?? [])}`)
        : what instanceof Empty
          ? differ(told.type === "array", "is no list")
          : what instanceof List
            ? below(what.of, told.items, "[]")
            : differencesOfTable(what, told, at, below)),
  ];
}

function differencesOfTable(
  table: Table,
  { properties = {}, required = [] }: Schema,
  at: string,
  below: (inner: Field, other: Schema | undefined, name: string) => string[],
): string[] {
  return [
    ...Object.keys(properties).flatMap((name) => (name in table ? [] : [`${at}.${name} is not in the table`])),
    ...Object.keys(table).flatMap((name) => (required.includes(name) ? [] : [`${at}.${name} may be absent`])),
    ...Object.entries(table).flatMap(([name, field]) => below(field, properties[name], `.${name}`)),
  ];
}

const sorted = (words: readonly unknown[]): string => words.map(String).sort().join(" ");

/** A schema where it stands, and whether null stands there too. */
function withoutNull(schemas: Readonly<Record<string, Schema>>, schema: Schema): { schema: Schema; nullable: boolean } {
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
