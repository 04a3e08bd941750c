import {
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments of a document by their names. */
export const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])));

/**
 * The fields at the root of an operation, with fragments expanded; skipped ones are left out with their subfields. Each
 * fragment is expanded once, so that fragments which spread each other end and stay cheap.
 */
export function rootFieldsOf(
  selections: readonly SelectionNode[],
  fragments: Fragments,
  isIncluded: (node: SelectionNode) => boolean = () => true,
  openedFragments = new Set<string>(),
): FieldNode[] {
  return selections.filter(isIncluded).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT)
      return rootFieldsOf(node.selectionSet.selections, fragments, isIncluded, openedFragments);
    if (openedFragments.has(node.name.value)) return [];
    openedFragments.add(node.name.value);
    return rootFieldsOf(
      fragments.get(node.name.value)?.selectionSet.selections ?? [],
      fragments,
      isIncluded,
      openedFragments,
    );
  });
}

/** The values of an operation's variables where none are sent. */
export const variableDefaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
