import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from "graphql";
import { UnsafeNumber } from "../../kernel/json-reader.ts";

/** Runs a reader of the kernel and turns its sentence into a GraphQL error; the value itself is never repeated. */
export function readWith<In, Out>(reader: (value: In) => Out, value: In, nodes?: ValueNode): Out {
  try {
    return reader(value);
  } catch (error) {
    if (error instanceof RangeError) throw new GraphQLError(error.message, { nodes });
    throw error;
  }
}

/** A scalar whose input is read by a reader of the kernel. */
export const createScalar = <T>(
  name: string,
  description: string,
  read: (value: unknown) => T,
  serialize: (value: never) => unknown = String,
) =>
  new GraphQLScalarType<T>({
    name,
    description,
    serialize: serialize as (value: unknown) => unknown,
    parseValue: (value: unknown) => readWith(read, value),
    parseLiteral: (node, variables) => readWith(read, literalValueOf(node, variables), node),
  } as ConstructorParameters<typeof GraphQLScalarType<T>>[0]);

/** The value of a literal; numbers stay text, so that no digit is lost. */
const literalValueOf = (node: ValueNode, variables?: Record<string, unknown> | null): unknown =>
  node.kind === Kind.INT || node.kind === Kind.FLOAT
    ? new UnsafeNumber(node.value)
    : valueFromASTUntyped(node, variables);

/** The value if it is a JSON object. */
export function requireObject(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof UnsafeNumber)
    throw new RangeError("must be a JSON object.");
  return value;
}

/** A scalar or an enum, as far as its values are read. */
export interface InputLeafType {
  name: string;
  parseValue: (value: unknown) => unknown;
  extensions?: Readonly<Record<string, unknown>>;
}

/** The validator of a type's values: stored output is only made of input that is valid as a whole. */
export const validatorOf = (type: InputLeafType): ((value: unknown) => unknown) =>
  (type.extensions?.["check"] as ((value: unknown) => unknown) | undefined) ?? ((value) => type.parseValue(value));
