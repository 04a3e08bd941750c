import { Kind, valueFromASTUntyped, visit, type DirectiveNode, type DocumentNode, type FieldNode } from "graphql";

/*
 * The wire directives of a stored operation: `billingDate @unset(as: 0)` is 0 on the wire for null in the graph; `actor
 * @words(are: { MANAGER: "SELLER" })` has these words, and no others, for those of the graph. The gateway never
 * executes these directives.
 */

/** The wire form that the directives of a field define. */
export interface WireForm {
  /** The wire value for null; undefined if null is sent. */
  valueForNull: unknown;
  /** The wire words by the words of the graph; undefined where they are the same. */
  enumMapping: Readonly<Record<string, string>> | undefined;
}

/** How each directive names its value. */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = { unset: "as", words: "are" };

/** The wire form of a field. */
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
