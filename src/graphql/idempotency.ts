import { Kind, parse, type FieldNode, type GraphQLSchema, type OperationDefinitionNode } from "graphql";
import { invalidField } from "../kernel/errors.ts";
import { MOST_TOKENS } from "./limits.ts";
import { LineScalar } from "./scalars.ts";

/** The argument of every mutation by which a client that cannot set headers sends its key. */
const ARGUMENT = "idempotencyKey";

const DESCRIPTION =
  "A key of the caller's choice for this request, at most 255 characters. The same request with the same key has one effect and one answer for 24 hours. The header Idempotency-Key does the same; one request carries one key.";

/** Gives every mutation of the schema the argument. */
export function withIdempotencyKeys(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.args = [
      ...field.args,
      {
        name: ARGUMENT,
        description: DESCRIPTION,
        type: LineScalar,
        defaultValue: undefined,
        deprecationReason: undefined,
        extensions: {},
        astNode: undefined,
      },
    ];
  }
  return schema;
}

/**
 * The key among the arguments of a GraphQL request, if it has one.
 * A document that cannot be parsed has none here: it is refused where it is executed.
 */
export function keyInDocument(body: unknown): string | undefined {
  const { query, variables, operationName } = (body ?? {}) as {
    query?: unknown;
    variables?: Record<string, unknown>;
    operationName?: unknown;
  };
  if (typeof query !== "string" || !query.includes(ARGUMENT)) return undefined;
  const keys = new Set(rootFieldsOf(query, operationName).flatMap((field) => keysOf(field, variables ?? {})));
  if (keys.size > 1) throw invalidField(ARGUMENT, "must be the same for all mutations of one request.");
  return [...keys][0];
}

function rootFieldsOf(query: string, operationName: unknown): FieldNode[] {
  let operations: OperationDefinitionNode[];
  try {
    operations = parse(query, { noLocation: true, maxTokens: MOST_TOKENS }).definitions.filter(
      (node) => node.kind === Kind.OPERATION_DEFINITION,
    );
  } catch {
    return [];
  }
  const operation =
    typeof operationName === "string" ? operations.find(({ name }) => name?.value === operationName) : operations[0];
  return (operation?.selectionSet.selections ?? []).filter((node): node is FieldNode => node.kind === Kind.FIELD);
}

function keysOf(field: FieldNode, variables: Record<string, unknown>): string[] {
  const value = field.arguments?.find(({ name }) => name.value === ARGUMENT)?.value;
  const key =
    value?.kind === Kind.VARIABLE ? variables[value.name.value] : value?.kind === Kind.STRING ? value.value : undefined;
  return typeof key === "string" ? [key] : [];
}
