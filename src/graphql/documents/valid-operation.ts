import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { invalidFields } from "../../kernel/refusals.ts";
import type { IntrospectionGuard } from "./introspection.ts";
import { requireDocumentWithinLimits } from "../limits/document-limits.ts";
import { variableErrorsOf } from "./variable-errors.ts";

/** An operation of a valid document, and its variables. */
interface SentOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
  introspection: IntrospectionGuard;
}

/**
 * Refuses an operation that is too large, or whose variables are wrong, with the path of each.
 * @returns the maximum number of rows of the operation. @throws a Refusal.
 */
export function requireValidOperation({
  schema,
  document,
  operation,
  variables,
  introspection,
}: SentOperation): number {
  const rows = requireDocumentWithinLimits(schema, document, operation, variables, introspection);
  const variableErrors = variableErrorsOf(schema, operation, variables, introspection.isOpen);
  if (variableErrors.length > 0) throw invalidFields(variableErrors);
  return rows;
}
