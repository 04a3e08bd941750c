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
import { MAX_TOKENS } from "./limits/document-limits.ts";
import { variableDefaultsOf, fragmentsOf, rootFieldsOf } from "./documents/root-fields.ts";

/** Mutations that call a payment gateway: no transaction may be open meanwhile. */
export const CHARGING_MUTATIONS: ReadonlySet<string> = new Set([
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
 * Whether a GraphQL request with an idempotency key moves money. Only mutations that will run count. A document that
 * cannot be parsed moves none: it is refused where it is executed.
 * @throws a Refusal if it also does something else, which could not be repeated safely.
 */
export function isChargingRequest(body: unknown): boolean {
  const { query } = (body ?? {}) as GraphQLRequestBody;
  if (typeof query !== "string" || ![...CHARGING_MUTATIONS].some((name) => query.includes(name))) return false;
  const names = namesOfRunningMutations(body);
  const isCharging = names.some((name) => CHARGING_MUTATIONS.has(name));
  if (isCharging && names.length > 1)
    throw invalidField(
      "Idempotency-Key",
      `allows no other mutation beside ${[...CHARGING_MUTATIONS].join(", ")}: send the other mutations in a separate request.`,
    );
  return isCharging;
}

interface GraphQLRequestBody {
  query?: unknown;
  variables?: Variables;
  operationName?: unknown;
}

/** The names of the mutations of a request that will run. */
function namesOfRunningMutations(body: unknown): string[] {
  const { query, variables, operationName } = (body ?? {}) as GraphQLRequestBody;
  const document = parseOrUndefined(query as string);
  const operation = document && selectOperation(document, operationName);
  if (!document || operation?.operation !== OperationTypeNode.MUTATION) return [];
  const values = { ...variableDefaultsOf(operation), ...variables };
  const willRun = (node: SelectionNode) => isIncluded(node, values);
  const fields = rootFieldsOf(operation.selectionSet.selections, fragmentsOf(document), willRun);
  return fields.map(({ name }) => name.value).filter((name) => name !== "__typename");
}

type Variables = Readonly<Record<string, unknown>>;

function parseOrUndefined(query: string): DocumentNode | undefined {
  try {
    return parse(query, { noLocation: true, maxTokens: MAX_TOKENS });
  } catch {
    return undefined;
  }
}

function selectOperation({ definitions }: DocumentNode, operationName: unknown): OperationDefinitionNode | undefined {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  return typeof operationName === "string"
    ? operations.find(({ name }) => name?.value === operationName)
    : operations[0];
}

const literalValueOf = (node: ValueNode | undefined, values: Variables): unknown =>
  node && valueFromASTUntyped(node, { ...values });

/** Whether a selection is neither skipped nor left out by its directives. */
const isIncluded = ({ directives = [] }: SelectionNode, values: Variables): boolean =>
  directives.every(({ name, arguments: given = [] }) => {
    const condition = literalValueOf(given.find((argument) => argument.name.value === "if")?.value, values);
    return name.value === "skip" ? condition !== true : name.value === "include" ? condition !== false : true;
  });
