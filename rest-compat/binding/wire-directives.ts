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
  valueForNull: unknown;
  /** The wire words by the words of the graph; undefined where they are the same. */
  enumMapping: Readonly<Record<string, string>> | undefined;
}

/** How each directive names its value. */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = { unset: "as", words: "are" };

/** How a field stands on the wire. */
export function wireFormOf({ directives = [] }: FieldNode): WireForm {
  const valueOf = (name: string) => {
    const directive = directives.find((node) => node.name.value === name);
    const argument = directive?.arguments?.find((node) => node.name.value === ARGUMENT_NAMES[name]);
    return argument && valueFromASTUntyped(argument.value);
  };
  return { valueForNull: valueOf("unset"), enumMapping: valueOf("words") as WireForm["enumMapping"] };
}

/** The document as the schema knows it: without what is said of the wire. */
export const removeWireDirectives = (document: DocumentNode): DocumentNode =>
  visit(document, {
    [Kind.DIRECTIVE]: (node: DirectiveNode) => (node.name.value in ARGUMENT_NAMES ? null : undefined),
  });
