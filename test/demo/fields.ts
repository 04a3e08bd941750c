import {
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import type { RawData } from "../support/raw-data.ts";

/** The path to a type: a list of the graph's root, and the fields from its rows on. */
export interface Way {
  root: string;
  steps: readonly GraphQLField<unknown, unknown>[];
  type: GraphQLObjectType;
}

/** Types of other modules to which billing leads. */
const isElsewhere = ({ name }: GraphQLObjectType): boolean => /^(?:Cover|Retry)/.test(name);

const objectOf = (field: GraphQLField<unknown, unknown>): GraphQLObjectType | undefined => {
  const named = getNamedType(field.type);
  return isObjectType(named) ? named : undefined;
};

/** The type of the rows of a connection; for any other type itself. */
function rowOf(type: GraphQLObjectType): GraphQLObjectType {
  const { nodes } = type.getFields();
  return nodes ? (objectOf(nodes) ?? type) : type;
}

const isConnection = (type: GraphQLObjectType): boolean => "nodes" in type.getFields();
const asksNothing = ({ args }: GraphQLField<unknown, unknown>): boolean => !args.some(isRequiredArgument);

/** The shortest path from some root fields to each nested type, by the type's name. */
export function waysFrom(schema: GraphQLSchema, roots: readonly string[]): Map<string, Way> {
  const fields = schema.getQueryType()!.getFields();
  const ways = new Map<GraphQLObjectType, Way>();
  for (const root of roots) {
    const type = rowOf(objectOf(fields[root]!)!);
    ways.set(type, { root, steps: [], type });
  }
  for (const [type, way] of ways)
    for (const field of Object.values(type.getFields())) {
      const below = objectOf(field);
      if (!below || !asksNothing(field)) continue;
      const row = rowOf(below);
      if (ways.has(row) || isElsewhere(row)) continue;
      ways.set(row, { ...way, steps: [...way.steps, field], type: row });
    }
  return new Map([...ways].map(([{ name }, way]) => [name, way]));
}

/** Names of the fields of a type that can be selected without arguments or subfields. */
export const fieldsOf = (type: GraphQLObjectType): string[] =>
  Object.values(type.getFields())
    .filter(asksNothing)
    .map(({ name }) => name);

/** A document that selects all fields of the type at the end of a path. */
export function documentOf(schema: GraphQLSchema, { root, steps, type }: Way): string {
  const all = Object.values(type.getFields()).filter(asksNothing);
  const asked = all.map((field) => (isLeafType(getNamedType(field.type)) ? field.name : within(field, "__typename")));
  const below = steps.reduceRight((inner, step) => within(step, inner), asked.join(" "));
  const isPaged = isConnection(objectOf(schema.getQueryType()!.getFields()[root]!)!);
  return isPaged
    ? `query ($after: String) { ${root}(first: 40, after: $after) { nodes { ${below} } pageInfo { hasNextPage endCursor } } }`
    : `{ ${root} { ${below} } }`;
}

const within = (field: GraphQLField<unknown, unknown>, inner: string): string =>
  isConnection(objectOf(field)!) ? `${field.name}(first: 3) { nodes { ${inner} } }` : `${field.name} { ${inner} }`;

/** The rows at the end of a path. */
export function rowsAt(rows: readonly RawData[], steps: Way["steps"]): Record<string, unknown>[] {
  return steps.reduce<RawData[]>(
    (found, { name }) =>
      found.flatMap((row) => row[name] ?? []).flatMap((row) => (row.nodes as unknown[] | undefined) ?? [row]),
    [...rows],
  );
}

/** Whether a value is filled: not null, empty, zero or false. */
export function says(value: unknown): boolean {
  if (value == null || value === false || value === "" || Number(value) === 0) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== "object") return true;
  const { nodes, ...rest } = value as { nodes?: unknown[] };
  return nodes ? nodes.length > 0 : Object.keys(rest).length > 0;
}
