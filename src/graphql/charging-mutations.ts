import {
  Kind,
  OperationTypeNode,
  parse,
  valueFromASTUntyped,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
} from "graphql";
import { invalidField } from "../kernel/refusals.ts";
import { MOST_TOKENS } from "./limits/document-limits.ts";
import { defaultsOf, fragmentsOf, rootFieldsOf } from "./root-fields.ts";

/** Mutations that ask a payment gateway: no transaction may be open meanwhile. */
export const MOVING_MONEY: ReadonlySet<string> = new Set([
  "payOrder",
  "refundOrder",
  "confirmDeposit",
  "changeSubscriptionItems",
  "changeSubscriptionPlan",
  "changeSubscriptionQuota",
  "pauseSubscription",
  "activateSubscription",
  "cancelSubscription",
]);

/**
 * Whether a GraphQL request with an idempotency key moves money. Only mutations that will run count. A document that cannot
 * be parsed moves none: it is refused where it is executed.
 * @throws a Refusal where it does something else besides: that could not be done once.
 */
export function movesMoney(body: unknown): boolean {
  const { query } = (body ?? {}) as Body;
  if (typeof query !== "string" || ![...MOVING_MONEY].some((name) => query.includes(name))) return false;
  const names = mutationsThatRun(body);
  const moves = names.some((name) => MOVING_MONEY.has(name));
  if (moves && names.length > 1)
    throw invalidField(
      "Idempotency-Key",
      `goes with one mutation alone where that is ${[...MOVING_MONEY].join(", ")}: send the others by themselves.`,
    );
  return moves;
}

interface Body {
  query?: unknown;
  variables?: Variables;
  operationName?: unknown;
}

/** The names of the mutations of a request that will run. */
function mutationsThatRun(body: unknown): string[] {
  const { query, variables, operationName } = (body ?? {}) as Body;
  const document = parsed(query as string);
  const operation = document && operationIn(document, operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION) return [];
  const values = { ...defaultsOf(operation), ...variables };
  const runsWith = (node: SelectionNode) => runs(node, values);
  const fields = rootFieldsOf(operation.selectionSet.selections, fragmentsOf(document!), runsWith);
  return fields.map(({ name }) => name.value).filter((name) => name !== "__typename");
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
