import { Kind, parse, type DocumentNode, type FieldNode, type SelectionSetNode } from "graphql";
import { invalid } from "../../kernel/refusals.ts";
import { firstOf } from "../../kernel/required-values.ts";
import { MAX_TOKENS } from "./document-limits.ts";
import { fragmentsOf, type Fragments } from "../documents/root-fields.ts";

/** Pairs of fields with one name that a document may have: each is compared with the other while the document is validated. */
const MAX_FIELD_PAIRS = 10_000;

/** Documents are looked at no deeper: the limit of depth refuses them, or the fragments spread each other. */
const MAX_COMPARED_DEPTH = 30;

/**
 * Refuses a document that selects fields of one name so often in one place that its validation would block all other
 * requests: validation compares each pair of them, and each pair below. @throws a Refusal TOO_MANY_REPEATED_FIELDS.
 */
export function requireFewRepeatedFields(query: string): void {
  if (countWordPairs(query) <= MAX_FIELD_PAIRS) return;
  const document = parseOrUndefined(query);
  if (!document || new FieldPairCounter(fragmentsOf(document)).count(document) <= MAX_FIELD_PAIRS) return;
  throw invalid(
    "TOO_MANY_REPEATED_FIELDS",
    `The document repeats fields of the same name in one selection so often that more than ${MAX_FIELD_PAIRS} pairs must be compared. Select each field once.`,
  );
}

/** Upper bound for the pairs in a document, by the number of repeats of each word: nearly all documents have few. */
function countWordPairs(query: string): number {
  const counts = new Map<string, number>();
  let pairs = 0;
  for (const [word] of query.matchAll(/\w+/g)) {
    const count = counts.get(word) ?? 0;
    pairs += count;
    counts.set(word, count + 1);
  }
  return pairs;
}

/** The document, or undefined if it does not parse: the later parse reports the error. */
function parseOrUndefined(query: string): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens: MAX_TOKENS, noLocation: true });
  } catch {
    return undefined;
  }
}

/** Counts pairs of fields that have to be merged, fragments opened; it ends where there are too many. */
class FieldPairCounter {
  private pairs = 0;
  private readonly seen = new Set<SelectionSetNode>();

  constructor(private readonly fragments: Fragments) {}

  count({ definitions }: DocumentNode): number {
    for (const definition of definitions)
      if ("selectionSet" in definition) this.countInSelections([definition.selectionSet], 0);
    return this.pairs;
  }

  /** Counts in what selection sets of fields with one name select together. */
  private countInSelections(sets: readonly SelectionSetNode[], depth: number): void {
    if (depth > MAX_COMPARED_DEPTH || this.pairs > MAX_FIELD_PAIRS) return;
    if (sets.length === 1) {
      if (this.seen.has(firstOf(sets))) return;
      this.seen.add(firstOf(sets));
    }
    const byName = new Map<string, FieldNode[]>();
    const opened = new Set<string>();
    for (const set of sets) this.collect(set, byName, opened);
    for (const fields of byName.values()) {
      this.pairs += (fields.length * (fields.length - 1)) / 2;
      const subselections = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (subselections.length > 0) this.countInSelections(subselections, depth + 1);
    }
  }

  private collect({ selections }: SelectionSetNode, byName: Map<string, FieldNode[]>, opened: Set<string>): void {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const known = byName.get(name);
        if (known) known.push(node);
        else byName.set(name, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        this.collect(node.selectionSet, byName, opened);
      } else if (!opened.has(node.name.value)) {
        opened.add(node.name.value);
        const fragment = this.fragments.get(node.name.value);
        if (fragment) this.collect(fragment.selectionSet, byName, opened);
      }
    }
  }
}
