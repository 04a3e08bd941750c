import {
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";
import { fragmentsOf, type Fragments } from "./root-fields.ts";

/**
 * The arguments of the field at a path of the answer and of its enclosing fields, as they were sent: literals or
 * variables. Of two with one name, the inner one counts. Undefined if the path leads to no field of the operation.
 */
export function argumentsAt(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  path: readonly (string | number)[],
  variables: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const fragments = fragmentsOf(document);
  let selections: readonly SelectionNode[] = operation.selectionSet.selections;
  let args: Record<string, unknown> | undefined;
  for (const key of path) {
    if (typeof key === "number") continue;
    const field = findField(key, selections, fragments);
    if (!field) return undefined;
    const fieldArguments =
      field.arguments?.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]) ?? [];
    args = { ...args, ...(Object.fromEntries(fieldArguments) as Record<string, unknown>) };
    selections = field.selectionSet?.selections ?? [];
  }
  return args;
}

/** The selection of a response key; the first of several, which all have the same arguments. */
function findField(key: string, selections: readonly SelectionNode[], fragments: Fragments): FieldNode | undefined {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) {
      if ((node.alias ?? node.name).value === key) return node;
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const found = fragment && findField(key, fragment.selectionSet.selections, fragments);
    if (found) return found;
  }
  return undefined;
}
