import {
  getNamedType,
  Kind,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import { getOrThrow, required } from "../../src/kernel/required-values.ts";
import { wireFormOf, type WireForm } from "./wire-directives.ts";

/** One selected field: the key under which it is answered, its type, what is selected below it. */
export interface SelectedField extends WireForm {
  key: string;
  type: GraphQLOutputType;
  namedType: GraphQLNamedType;
  selection: SelectionSetNode | undefined;
  /** The fragment that makes up the whole selection below, if one does: it names a resource of the contract. */
  resource: string | undefined;
}

/** The fields that a selection requests from a type, with fragments expanded, in the order of the document. */
export function selectedFieldsOf(
  type: GraphQLObjectType,
  selection: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): SelectedField[] {
  return selection.selections.flatMap((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return selectedFieldsOf(type, getOrThrow(fragments, node.name.value).selectionSet, fragments);
    if (node.kind === Kind.INLINE_FRAGMENT) return selectedFieldsOf(type, node.selectionSet, fragments);
    const fieldType = required(type.getFields()[node.name.value], node.name.value).type;
    return [
      {
        key: node.alias?.value ?? node.name.value,
        type: fieldType,
        namedType: getNamedType(fieldType),
        selection: node.selectionSet,
        resource: node.selectionSet && resourceNameOf(node.selectionSet),
        ...wireFormOf(node),
      },
    ];
  });
}

/** The name of the one fragment that a selection consists of. */
export function resourceNameOf({ selections }: SelectionSetNode): string | undefined {
  const [only] = selections;
  return selections.length === 1 && only?.kind === Kind.FRAGMENT_SPREAD ? only.name.value : undefined;
}
