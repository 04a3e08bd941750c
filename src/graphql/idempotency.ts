import {
  Kind,
  OperationTypeNode,
  parse,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
} from "graphql";
import { invalidField } from "../kernel/errors.ts";
import { MOST_TOKENS } from "./limits.ts";
import { defaultsOf, fragmentsOf, rootFieldsOf } from "./root-fields.ts";
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
 * The key among the arguments of a GraphQL request, if it has one. Only mutations that will run count: one that is
 * skipped has no effect to be had once. A document that cannot be parsed has no key here: it is refused where it is executed.
 */
export function keyInDocument(body: unknown): string | undefined {
  const { query } = (body ?? {}) as Body;
  if (typeof query !== "string" || !query.includes(ARGUMENT)) return undefined;
  const { fields, values } = fieldsThatRun(body);
  const keys = new Set(fields.flatMap((field) => keysOf(field, values)));
  if (keys.size > 1) throw invalidField(ARGUMENT, "must be the same for all mutations of one request.");
  return [...keys][0];
}

/** Mutations that ask a payment gateway: no transaction may be open meanwhile. */
const MOVING_MONEY: ReadonlySet<string> = new Set(["payOrder", "refundOrder", "confirmDeposit"]);

/** Whether a GraphQL request moves money. */
export function movesMoney(body: unknown): boolean {
  const { query } = (body ?? {}) as Body;
  if (typeof query !== "string" || ![...MOVING_MONEY].some((name) => query.includes(name))) return false;
  const { fields, isMutation } = fieldsThatRun(body);
  return isMutation && fields.some(({ name }) => MOVING_MONEY.has(name.value));
}

/** @throws a Refusal where a request with a key moves money and does something else besides: it could not be done once. */
export function refuseMixed(body: unknown): void {
  const { fields } = fieldsThatRun(body);
  if (fields.length > 1)
    throw invalidField(
      ARGUMENT,
      "goes with one mutation alone, where that moves money: send the others by themselves.",
    );
}

interface Body {
  query?: unknown;
  variables?: Variables;
  operationName?: unknown;
}

/** The root fields of a request that will run, and the values of its variables. */
function fieldsThatRun(body: unknown): { fields: FieldNode[]; values: Variables; isMutation: boolean } {
  const { query, variables, operationName } = (body ?? {}) as Body;
  const document = parsed(query as string);
  const operation = document && operationIn(document, operationName);
  if (!operation) return { fields: [], values: {}, isMutation: false };
  const values = { ...defaultsOf(operation), ...variables };
  const runsWith = (node: SelectionNode) => runs(node, values);
  const fields = rootFieldsOf(operation.selectionSet.selections, fragmentsOf(document), runsWith);
  return { fields, values, isMutation: operation.operation === OperationTypeNode.MUTATION };
}

type Variables = Readonly<Record<string, unknown>>;

function parsed(query: string): DocumentNode | undefined {
  try {
    return parse(query, { noLocation: true, maxTokens: MOST_TOKENS });
  } catch {
    return undefined;
  }
}

function operationIn({ definitions }: DocumentNode, operationName: unknown): OperationDefinitionNode | undefined {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  return typeof operationName === "string"
    ? operations.find(({ name }) => name?.value === operationName)
    : operations[0];
}

const valueOf = (node: ValueNode | undefined, values: Variables): unknown =>
  node && valueFromASTUntyped(node, { ...values });

/** Whether a selection is neither skipped nor left out by its directives. */
const runs = ({ directives = [] }: SelectionNode, values: Variables): boolean =>
  directives.every(({ name, arguments: given = [] }) => {
    const condition = valueOf(given.find((argument) => argument.name.value === "if")?.value, values);
    return name.value === "skip" ? condition !== true : name.value === "include" ? condition !== false : true;
  });

function keysOf({ arguments: given = [] }: FieldNode, values: Variables): string[] {
  const key = valueOf(given.find(({ name }) => name.value === ARGUMENT)?.value, values);
  return typeof key === "string" ? [key] : [];
}
