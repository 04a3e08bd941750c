import { getNamedType, isObjectType, type GraphQLObjectType, type SelectionSetNode } from "graphql";
import { contentOf } from "./response-writer.ts";
import { bodyFields, type InputField } from "./input-fields.ts";
import type { Operations } from "./stored-operations.ts";
import { envelopeNames } from "./page-envelope.ts";
import { queryParameters, type Route } from "./route.ts";
import { fieldsOf } from "./selected-fields.ts";

/** Names of fields and parameters that stand on the wire, sort keys among them, for the vocabulary. */
export function fieldNamesOf(contract: readonly Route[], operations: Operations): Set<string> {
  const names = new Set<string>();
  for (const route of contract) {
    const operation = operations.of(route);
    for (const name of Object.keys(route.adds ?? {})) names.add(name);
    for (const { name, words } of queryParameters(route))
      for (const word of [name, ...Object.keys(words ?? {})]) names.add(word);
    if (route.page === "ENVELOPE") for (const name of envelopeNames) names.add(name);
    const visitInput = (fields: readonly InputField[]): void => {
      for (const { wire, below } of fields) {
        names.add(wire);
        visitInput(below ?? []);
      }
    };
    visitInput(bodyFields(route, operation) ?? []);
    const visit = (type: GraphQLObjectType, selection: SelectionSetNode): void => {
      for (const { key, namedType, selection: below } of fieldsOf(type, selection, operation.fragments)) {
        names.add(key);
        if (below && isObjectType(namedType)) visit(namedType, below);
      }
    };
    const { type, selection } = contentOf(route, operation);
    if (!route.redirect) visit(getNamedType(type) as GraphQLObjectType, selection);
  }
  return names;
}
