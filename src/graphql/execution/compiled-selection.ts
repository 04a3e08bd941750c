import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { TextPlan } from "../../database/response-text/text-plan.ts";

/** The constants of a running operation. */
export interface QueryRun {
  context: unknown;
  variables: Record<string, unknown>;
}

/** Completes a value for the answer, or returns a promise of it. */
export type CompleteValue = (value: unknown, run: QueryRun) => unknown;

/** A selected field under one key of the answer. */
export interface CompiledField {
  key: string;
  resolveValue: (source: object, run: QueryRun) => unknown;
  /** Undefined for `__typename`. */
  definition: GraphQLField<unknown, unknown> | undefined;
  /** The selection below a field of objects. */
  below: CompiledObject | undefined;
}

/** The selection of an object. */
export interface CompiledObject {
  type: GraphQLObjectType;
  fields: readonly CompiledField[];
  /** How the database writes the object, once a resolver requests it. */
  text?: { plan: TextPlan; gapFields: readonly CompiledField[] };
}
