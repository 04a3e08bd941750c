import { getNamedType, isObjectType, type GraphQLObjectType, type SelectionSetNode } from "graphql";
import { bodySelectionOf } from "./response-writer.ts";
import { bodyFieldsOf, type InputField } from "./input-fields.ts";
import type { StoredOperations } from "./stored-operations.ts";
import { envelopeNames } from "./page-envelope.ts";
import { queryParametersOf, type RestRoute } from "./route.ts";
import { selectedFieldsOf } from "./selected-fields.ts";

/** Names of fields and parameters that stand on the wire, sort keys among them, for the vocabulary. */
export function wireNamesOf(contract: readonly RestRoute[], operations: StoredOperations): Set<string> {
  const names = new Set<string>();
  for (const route of contract) {
    const operation = operations.operationOf(route);
    for (const name of Object.keys(route.addedFields ?? {})) names.add(name);
    for (const { name, enumMapping } of queryParametersOf(route))
      for (const word of [name, ...Object.keys(enumMapping ?? {})]) names.add(word);
    if (route.page === "ENVELOPE") for (const name of envelopeNames) names.add(name);
    const visitInput = (fields: readonly InputField[]): void => {
      for (const { wireName, nested } of fields) {
        names.add(wireName);
        visitInput(nested ?? []);
      }
    };
    visitInput(bodyFieldsOf(route, operation) ?? []);
    const visit = (type: GraphQLObjectType, selection: SelectionSetNode): void => {
      for (const { key, namedType, selection: below } of selectedFieldsOf(type, selection, operation.fragments)) {
        names.add(key);
        if (below && isObjectType(namedType)) visit(namedType, below);
      }
    };
    const { type, selection } = bodySelectionOf(route, operation);
    if (!route.redirect) visit(getNamedType(type) as GraphQLObjectType, selection);
  }
  return names;
}
