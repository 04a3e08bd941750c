import { Kind, parse, type DocumentNode, type FieldNode, type SelectionSetNode } from "graphql";
import { invalid } from "../../kernel/refusals.ts";
import { MOST_TOKENS } from "./document-limits.ts";
import { fragmentsOf, type Fragments } from "../root-fields.ts";

/** Pairs of fields with one name that a document may have: each is compared with the other while the document is validated. */
const MOST_PAIRS = 10_000;

/** Documents are looked at no deeper: the limit of depth refuses them, or the fragments spread each other. */
const DEEPEST = 30;

/**
 * Refuses a document that selects fields of one name so often in one place that to validate it would hold up everybody:
 * whether they can be merged is asked of each pair of them, and of each pair below. @throws a Refusal TOO_MANY_REPEATED_FIELDS.
 */
export function refuseRepeatedFields(query: string): void {
  if (pairsOfNames(query) <= MOST_PAIRS) return;
  const document = parsed(query);
  if (!document || new Pairs(fragmentsOf(document)).count(document) <= MOST_PAIRS) return;
  throw invalid(
    "TOO_MANY_REPEATED_FIELDS",
    `The document selects fields of one name in one place so often that they make more than ${MOST_PAIRS} pairs to compare. Select each field once.`,
  );
}

/** At most so many pairs a document has, by how often each word stands in it: nearly all have few. */
function pairsOfNames(query: string): number {
  const counts = new Map<string, number>();
  let pairs = 0;
  for (const [word] of query.matchAll(/\w+/g)) {
    const count = counts.get(word) ?? 0;
    pairs += count;
    counts.set(word, count + 1);
  }
  return pairs;
}

/** The document, unless it is none: what is wrong with it is told where it is read for good. */
function parsed(query: string): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch {
    return undefined;
  }
}

/** Counts pairs of fields that have to be merged, fragments opened; it ends where there are too many. */
class Pairs {
  private pairs = 0;
  private readonly seen = new Set<SelectionSetNode>();

  constructor(private readonly fragments: Fragments) {}

  count({ definitions }: DocumentNode): number {
    for (const definition of definitions) if ("selectionSet" in definition) this.countIn([definition.selectionSet], 0);
    return this.pairs;
  }

  /** Counts in what selection sets of fields with one name select together. */
  private countIn(sets: readonly SelectionSetNode[], depth: number): void {
    if (depth > DEEPEST || this.pairs > MOST_PAIRS) return;
    if (sets.length === 1) {
      if (this.seen.has(sets[0]!)) return;
      this.seen.add(sets[0]!);
    }
    const byName = new Map<string, FieldNode[]>();
    const opened = new Set<string>();
    for (const set of sets) this.collect(set, byName, opened);
    for (const fields of byName.values()) {
      this.pairs += (fields.length * (fields.length - 1)) / 2;
      const below = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) this.countIn(below, depth + 1);
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
