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
import { required } from "../kernel/required-values.ts";

type SelectionTree = Map<string, SelectionTree>;

/**
 * Selections by their nodes. One node is the same in every run of a document, unless variables decide about fields;
 * then, and if several nodes are one field, the list of nodes is the key: each run has its own for all rows. Rows with
 * one selection are read by one statement.
 */
const selectionsByField = new WeakMap<FieldNode | readonly FieldNode[], Map<string, Selection>>();

/**
 * The selected fields of the records that a field returns, aliases merged. Each path leads from the field to the
 * records: `["edges", "node"]`. Fields of fragments on any type are included; a projection reads only those that it
 * has.
 */
export function selectionOf(info: GraphQLResolveInfo, ...paths: string[][]): Selection {
  const { fieldNodes } = info;
  const only = fieldNodes.length === 1 ? fieldNodes[0] : undefined;
  const key = paths.map((path) => path.join(".")).join(",");
  const ofNode = only && selectionsByField.get(only)?.get(key);
  const cached = ofNode ?? selectionsByField.get(info.fieldNodes)?.get(key);
  if (cached) return cached;
  const reader = new SelectionReader(info);
  const tree: SelectionTree = new Map();
  for (const { selectionSet } of fieldNodes) {
    if (!selectionSet) continue;
    for (const path of paths.length === 0 ? [[]] : paths)
      for (const fieldSet of reader.selectionsAtPath(selectionSet, path)) reader.mergeInto(tree, fieldSet);
  }
  const place = reader.dependsOnVariables ? fieldNodes : (only ?? fieldNodes);
  const selections = selectionsByField.get(place) ?? new Map<string, Selection>();
  selectionsByField.set(place, selections.set(key, tree));
  return tree;
}

class SelectionReader {
  /** Whether a variable decides about a field. */
  dependsOnVariables = false;

  /**
   * The selection sets that were merged into each tree: fragments that spread each other twice would double the work at
   * each step.
   */
  private readonly merged = new Map<SelectionTree, Set<SelectionSetNode>>();

  constructor(private readonly info: GraphQLResolveInfo) {}

  mergeInto(target: SelectionTree, set: SelectionSetNode): void {
    const seen = this.merged.get(target) ?? new Set();
    this.merged.set(target, seen);
    for (const { name, selectionSet } of this.fieldsOf(set, seen)) {
      const subtree = target.get(name.value) ?? new Map<string, SelectionTree>();
      target.set(name.value, subtree);
      if (selectionSet) this.mergeInto(subtree, selectionSet);
    }
  }

  /** The selections at the end of a path. */
  selectionsAtPath(set: SelectionSetNode, path: readonly string[]): Iterable<SelectionSetNode> {
    return path.reduce(
      (sets, name) => {
        const seen = new Set<SelectionSetNode>();
        const fields = [...sets].flatMap((one) => this.fieldsOf(one, seen));
        return new Set(
          fields.flatMap(({ name: { value }, selectionSet }) => (value === name && selectionSet ? [selectionSet] : [])),
        );
      },
      new Set([set]),
    );
  }

  /** The fields of a selection, those of its fragments among them, less the selections that were seen before. */
  private fieldsOf(set: SelectionSetNode, seen: Set<SelectionSetNode>): FieldNode[] {
    if (seen.has(set)) return [];
    seen.add(set);
    return set.selections.flatMap((node) => {
      if (!this.isIncluded(node)) return [];
      if (node.kind === Kind.FIELD) return [node];
      const { selectionSet } =
        node.kind === Kind.FRAGMENT_SPREAD ? required(this.info.fragments[node.name.value], node.name.value) : node;
      return this.fieldsOf(selectionSet, seen);
    });
  }

  private isIncluded(node: SelectionNode): boolean {
    if (!node.directives?.length) return true;
    this.dependsOnVariables = true;
    const values = this.info.variableValues;
    const skip = getDirectiveValues(GraphQLSkipDirective, node, values);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, values);
    return skip?.["if"] !== true && include?.["if"] !== false;
  }
}
