import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { Selection } from "../database/projection.ts";

type Tree = Map<string, Tree>;

/** Selections are the same for every run of a document unless its variables decide about fields. */
const known = new WeakMap<FieldNode, Map<string, Selection>>();

/**
 * What a request selects of the records that a field answers, aliases merged. Each path leads from the field to where the
 * records stand: `["edges", "node"]`. Fields of fragments on any type are taken; a shape reads only those that it has.
 */
export function selected(info: GraphQLResolveInfo, ...paths: string[][]): Selection {
  const [first, ...others] = info.fieldNodes;
  const key = paths.map((path) => path.join(".")).join(",");
  const cached = others.length === 0 ? known.get(first!)?.get(key) : undefined;
  if (cached) return cached;
  const reader = new Reader(info);
  const tree: Tree = new Map();
  for (const { selectionSet } of info.fieldNodes) {
    if (!selectionSet) continue;
    for (const path of paths.length === 0 ? [[]] : paths)
      for (const set of reader.at(selectionSet, path)) reader.merge(tree, set);
  }
  if (!reader.conditional && others.length === 0) {
    const selections = known.get(first!) ?? new Map<string, Selection>();
    known.set(first!, selections.set(key, tree));
  }
  return tree;
}

class Reader {
  /** Whether a variable decides about a field. */
  conditional = false;

  /** What has been merged into each tree: fragments that spread each other twice would double the work at each step. */
  private readonly merged = new Map<Tree, Set<SelectionSetNode>>();

  constructor(private readonly info: GraphQLResolveInfo) {}

  merge(into: Tree, set: SelectionSetNode): void {
    const seen = this.merged.get(into) ?? new Set();
    this.merged.set(into, seen);
    for (const { name, selectionSet } of this.fields(set, seen)) {
      const below = into.get(name.value) ?? new Map<string, Tree>();
      into.set(name.value, below);
      if (selectionSet) this.merge(below, selectionSet);
    }
  }

  /** The selections at the end of a path. */
  at(set: SelectionSetNode, path: readonly string[]): Iterable<SelectionSetNode> {
    return path.reduce(
      (sets, name) => {
        const seen = new Set<SelectionSetNode>();
        const fields = [...sets].flatMap((one) => this.fields(one, seen));
        return new Set(
          fields.flatMap(({ name: { value }, selectionSet }) => (value === name && selectionSet ? [selectionSet] : [])),
        );
      },
      new Set([set]),
    );
  }

  /** The fields of a selection, those of its fragments among them, less the selections that were seen before. */
  private fields(set: SelectionSetNode, seen: Set<SelectionSetNode>): FieldNode[] {
    if (seen.has(set)) return [];
    seen.add(set);
    return set.selections.flatMap((node) => {
      if (!this.included(node)) return [];
      if (node.kind === Kind.FIELD) return [node];
      const { selectionSet } = node.kind === Kind.FRAGMENT_SPREAD ? this.info.fragments[node.name.value]! : node;
      return this.fields(selectionSet, seen);
    });
  }

  private included(node: SelectionNode): boolean {
    if (!node.directives?.length) return true;
    this.conditional = true;
    const values = this.info.variableValues;
    const skip = getDirectiveValues(GraphQLSkipDirective, node, values);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, values);
    return skip?.["if"] !== true && include?.["if"] !== false;
  }
}
