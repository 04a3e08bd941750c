import { getOperationAST, Kind, type ExecutionResult, type OperationTypeNode } from "graphql";
import { traceStep } from "../../kernel/tracing.ts";
import { classifyError } from "../errors/failures.ts";
import type { ExecutionRequest, Executor } from "./executor.ts";

/** How an operation ended: with data alone, with a refusal, because the database was away, or by an error of ours. */
type Outcome = "answered" | "refused" | "unavailable" | "failed";

/** An operation that has ended. */
export interface ObservedOperation {
  type: OperationTypeNode | "none";
  /** Its root field; `several` if it has more than one, or a fragment. */
  field: string;
  outcome: Outcome;
  seconds: number;
}

/** Runs operations and reports each, by names of the schema only: a caller's own names would be without number. */
export const observeExecutor =
  (execute: Executor, observe: (operation: ObservedOperation) => void): Executor =>
  async (execution) => {
    const startedAt = performance.now();
    const result = await execute(execution);
    const seconds = (performance.now() - startedAt) / 1000;
    observe({ ...describe(execution), outcome: outcomeOf(result), seconds });
    return result;
  };

/** Records a span for each operation of a traced request. */
export const traceExecutor =
  (execute: Executor): Executor =>
  async (execution) =>
    traceStep(
      () => {
        const { type, field } = describe(execution);
        return { name: `${type} ${field}`, kind: "INTERNAL", attributes: { "graphql.operation.type": type } };
      },
      () => execute(execution),
    );

function describe({ document, operationName }: ExecutionRequest): Pick<ObservedOperation, "type" | "field"> {
  const operation = getOperationAST(document, operationName);
  const [root, ...others] = operation?.selectionSet.selections ?? [];
  const isAlone = root?.kind === Kind.FIELD && others.length === 0;
  return { type: operation?.operation ?? "none", field: isAlone ? root.name.value : "several" };
}

function outcomeOf({ errors = [] }: ExecutionResult): Outcome {
  const kinds = new Set(errors.map((error) => classifyError(error).kind));
  if (kinds.size === 0) return "answered";
  if (kinds.has("bug")) return "failed";
  return kinds.has("outage") ? "unavailable" : "refused";
}
