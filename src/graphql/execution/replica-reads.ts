import {
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from "graphql";
import { isReplicaFailure } from "../../database/database-errors.ts";
import { invariant } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import type { GatewayContext } from "../context.ts";
import { classifyError } from "../errors/failures.ts";
import type { ExecutionRequest, Executor } from "./executor.ts";
import { querySides, type QuerySide } from "./query-sides.ts";
import { fragmentsOf, rootFieldsOf } from "../documents/root-fields.ts";

/** Where a list was read: `repeated` began on the replica, and the primary answered. */
export type ReadSide = "primary" | "replica" | "repeated";

interface ReplicaReadOptions {
  schema: GraphQLSchema;
  /** Counts an operation that a replica may answer. */
  onRead?: ((side: ReadSide) => void) | undefined;
  /** Gets an error on a replica that the primary should have had too. */
  onFault: (error: unknown, traceId: string) => void;
}

/**
 * Runs operations that read lists on the replica of their database, if it has one that has caught up. All statements of an operation go to
 * one side. Whatever fails on the replica is repeated on the primary as a whole, so that a replica can neither refuse a request
 * nor give the last word on what does not exist.
 */
export function readFromReplicas(execute: Executor, { schema, onRead, onFault }: ReplicaReadOptions): Executor {
  requireSideOfEachQuery(schema);
  const listsByDocument = new WeakMap<DocumentNode, Map<string, boolean>>();
  const readsLists = ({ document, operationName }: ExecutionRequest): boolean => {
    const lists = listsByDocument.get(document) ?? new Map<string, boolean>();
    listsByDocument.set(document, lists);
    const name = operationName ?? "";
    const known = lists.get(name) ?? mayReadReplica(document, operationName);
    lists.set(name, known);
    return known;
  };
  return async (execution) => {
    const { replica, traceId } = execution.contextValue as GatewayContext;
    if (!replica || !readsLists(execution)) return execute(execution);
    if (!(await replica.hasCaughtUp())) {
      onRead?.("primary");
      return execute(execution);
    }
    const result = await execute({ ...execution, contextValue: onReplica(execution.contextValue as GatewayContext) });
    if (!result.errors) {
      onRead?.("replica");
      return result;
    }
    for (const error of causesOf(result)) {
      replica.noteFailure(error);
      if (classifyError(error).kind === "bug" && !isReplicaFailure(error)) onFault(error, traceId);
    }
    onRead?.("repeated");
    return execute(execution);
  };
}

/** The context with the replica's reads in place of the primary's. Its services are still made when they are first used. */
const onReplica = (context: GatewayContext): GatewayContext =>
  Object.create(Object.getPrototypeOf(context) as object, {
    ...Object.getOwnPropertyDescriptors(context),
    ...Object.getOwnPropertyDescriptors(required(context.replica, "the replica").abilities()),
  }) as GatewayContext;

const causesOf = ({ errors = [] }: ExecutionResult): unknown[] =>
  errors.map((error: GraphQLError) => error.originalError ?? error);

/** Whether an operation is a query that reads a list, and nothing that only the primary may answer. */
function mayReadReplica(document: DocumentNode, operationName: string | null | undefined): boolean {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return false;
  // Fields that start with two underscores are about the schema.
  const sides = rootFieldsOf(operation.selectionSet.selections, fragmentsOf(document)).map(({ name }): QuerySide =>
    name.value.startsWith("__") ? "EITHER" : (querySides[name.value] ?? "PRIMARY"),
  );
  return sides.includes("LIST") && !sides.includes("PRIMARY");
}

function requireSideOfEachQuery(schema: GraphQLSchema): void {
  const names = Object.keys(required(schema.getQueryType(), "Query").getFields());
  const unknown = [
    ...names.filter((name) => !(name in querySides)),
    ...Object.keys(querySides).filter((name) => !names.includes(name)),
  ];
  invariant(unknown.length === 0, `each query has a side in query-sides.ts, and no other: ${unknown.join(", ")}`);
}
