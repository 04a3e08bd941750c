import { Kind, valueFromASTUntyped, visit, type DirectiveNode, type DocumentNode, type FieldNode } from "graphql";

/*
 * What a stored operation says of the wire beside what it selects:
 * `billingDate @unset(as: 0)` stands as 0 where the graph has null;
 * `actor @words(are: { MANAGER: "SELLER" })` has these words, and no others, for those of the graph.
 * The gateway never executes these directives.
 */

/** What the directives of a field say. */
export interface WireForm {
  /** What stands on the wire for null; undefined where null stands. */
  unset: unknown;
  /** The wire words by the words of the graph; undefined where they are the same. */
  words: Readonly<Record<string, string>> | undefined;
}

/** How each directive names its value. */
const ARGUMENTS: Readonly<Record<string, string>> = { unset: "as", words: "are" };

/** How a field stands on the wire. */
export function wireFormOf({ directives = [] }: FieldNode): WireForm {
  const valueOf = (name: string) => {
    const directive = directives.find((node) => node.name.value === name);
    const argument = directive?.arguments?.find((node) => node.name.value === ARGUMENTS[name]);
    return argument && valueFromASTUntyped(argument.value);
  };
  return { unset: valueOf("unset"), words: valueOf("words") as WireForm["words"] };
}

/** The document as the schema knows it: without what is said of the wire. */
export const withoutWireForms = (document: DocumentNode): DocumentNode =>
  visit(document, { [Kind.DIRECTIVE]: (node: DirectiveNode) => (node.name.value in ARGUMENTS ? null : undefined) });
