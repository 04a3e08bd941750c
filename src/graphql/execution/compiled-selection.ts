import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { MutationEffect } from "./mutation-effects.ts";
import type { ResponseForm } from "./response-form.ts";
import type { TextPlan } from "../../database/response-text/text-plan.ts";

/** The constants of a running operation. */
export interface OperationRun {
  context: unknown;
  variables: Record<string, unknown>;
  /** The effect of a mutation, which is its root value; undefined for a query. */
  effect?: MutationEffect | undefined;
  /** The JSON of shared gaps that were completed before, or a promise of it, by the gap's text. */
  sharedGaps?: Map<CompiledObject, Map<string, string | Promise<string>>>;
}

/** Completes a value for the answer, or returns a promise of it. */
export type CompleteValue = (value: unknown, run: OperationRun) => unknown;

/** A selected field under one key of the answer. */
export interface CompiledField {
  key: string;
  resolveValue: (source: object, run: OperationRun) => unknown;
  /** Undefined for `__typename`. */
  definition: GraphQLField<unknown, unknown> | undefined;
  /** The selection below a field of objects. */
  below: CompiledObject | undefined;
}

/** A field that is left to code where the database cannot write it. */
export interface Gap {
  field: CompiledField;
  /** The value that is written for a completed one. */
  write: (value: unknown) => unknown;
  /** Whether equal gaps of an answer's rows are completed once. */
  isShared: boolean;
}

/** The selection of an object. */
export interface CompiledObject {
  type: GraphQLObjectType;
  fields: readonly CompiledField[];
  /** How the object is written if it is a record. */
  form: ResponseForm;
  /** How the database writes the object, once a resolver requests it. */
  text?: { plan: TextPlan; gaps: readonly Gap[] };
}
