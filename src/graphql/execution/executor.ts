import {
  execute,
  getOperationAST,
  getVariableValues,
  locatedError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from "graphql";
import { required } from "../../kernel/required-values.ts";
import { MAX_RESPONSE_CHARACTERS, requireResponseWithinLimit } from "../limits/response-size.ts";
import { compileOperation, type CompiledOperation } from "./operation-compiler.ts";
import { classifyError } from "../errors/failures.ts";
import { MutationEffect } from "./mutation-effects.ts";
import type { ResponseForm } from "./response-form.ts";
import { isPlainIntrospection, type IntrospectionGuard } from "../documents/introspection.ts";
import { fragmentsOf } from "../documents/root-fields.ts";

/** The operation to run, from a valid document. */
export type ExecutionRequest = Pick<ExecutionArgs, "document" | "operationName" | "variableValues" | "contextValue"> & {
  /** How the answer is written. Defaults to values. */
  form?: ResponseForm;
};
export type Executor = (execution: ExecutionRequest) => Promise<ExecutionResult>;

type CompilationState = CompiledOperation | "SEEN_ONCE" | "NOT_COMPILABLE";

/**
 * Runs operations. Repeated ones are compiled; graphql-js runs those that cannot be, and again those in which a field
 * fails, because it reports errors correctly. That is safe: queries only read, and a mutation's payload is used again.
 */
export function createExecutor(
  schema: GraphQLSchema,
  introspection: IntrospectionGuard,
  maxResponseCharacters = MAX_RESPONSE_CHARACTERS,
): Executor {
  const compiledByForm = new Map<ResponseForm, WeakMap<DocumentNode, Map<string, CompilationState>>>();

  /** Compiling costs as much as running, so that it pays from the second time on. */
  const compiled = ({ document, operationName, form = "VALUES" }: ExecutionRequest): CompiledOperation | undefined => {
    const compiledByDocument = compiledByForm.get(form) ?? new WeakMap<DocumentNode, Map<string, CompilationState>>();
    compiledByForm.set(form, compiledByDocument);
    const operations = compiledByDocument.get(document) ?? new Map<string, CompilationState>();
    compiledByDocument.set(document, operations);
    const name = operationName ?? "";
    const cached = operations.get(name);
    if (cached === "NOT_COMPILABLE" || typeof cached === "function")
      return cached === "NOT_COMPILABLE" ? undefined : cached;
    if (cached === undefined) {
      operations.set(name, "SEEN_ONCE");
      return undefined;
    }
    const operation = getOperationAST(document, operationName);
    const run = operation
      ? compileOperation(schema, operation, Object.fromEntries(fragmentsOf(document)), form)
      : undefined;
    operations.set(name, run ?? "NOT_COMPILABLE");
    return run;
  };

  return async (execution) => {
    const { document, operationName, variableValues, contextValue } = execution;
    const operation = getOperationAST(document, operationName);
    if (operation && isPlainIntrospection(operation))
      return introspection.answerFromCache(document, operation, async () => execute({ ...execution, schema }));
    const runCompiled = compiled(execution);
    const variables = runCompiled && coerceVariables(schema, document, operationName, variableValues);
    const isQuery = operation?.operation === OperationTypeNode.QUERY;
    // A mutation has taken effect: its answer is sent, however large.
    const limit = (result: ExecutionResult) =>
      isQuery ? requireResultWithinLimit(result, maxResponseCharacters) : result;
    const effect = variables && !isQuery ? new MutationEffect() : undefined;
    if (variables) {
      try {
        const data = (await runCompiled({ context: contextValue, variables, effect })) as Record<string, unknown>;
        return await limit({ data });
      } catch (error) {
        const { kind, code } = classifyError(error);
        // A database that is down or overloaded is not queried a second time, nor is a query repeated that took too
        // long.
        if (kind === "outage" || code === "QUERY_TOO_SLOW") return { data: null, errors: [error as GraphQLError] };
      }
    }
    return limit(await execute({ ...execution, schema, rootValue: effect }));
  };
}

/** The answer, or a refusal in its place where it is too large. */
async function requireResultWithinLimit(result: ExecutionResult, maxCharacters: number): Promise<ExecutionResult> {
  try {
    await requireResponseWithinLimit(result.data, maxCharacters);
    return result;
  } catch (error) {
    // With a path it becomes a field error, with its own message.
    return { data: null, errors: [locatedError(error, undefined, Object.keys(result.data ?? {}).slice(0, 1))] };
  }
}

/** The variables as the operation has them; undefined where they are wrong, or wrong for it. */
function coerceVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: ExecutionArgs["operationName"],
  variables: ExecutionArgs["variableValues"],
): Record<string, unknown> | undefined {
  const { variableDefinitions } = required(getOperationAST(document, operationName), "the operation");
  return getVariableValues(schema, variableDefinitions ?? [], variables ?? {}).coerced;
}
