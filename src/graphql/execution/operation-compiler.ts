import {
  defaultFieldResolver,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  OperationTypeNode,
  visit,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { firstOf, lastOf, required } from "../../kernel/required-values.ts";
import { ResponseText } from "../../kernel/response-text.ts";
import type { CompiledField, CompiledObject, CompleteValue, OperationRun } from "./compiled-selection.ts";
import { completeList, completeObject, fieldFailure, isPromise } from "./complete-values.ts";
import { fillGaps } from "./fill-gaps.ts";
import { reusesEffect } from "./mutation-effects.ts";
import type { ResponseForm } from "./response-form.ts";
import { registerSelection } from "./text-plans.ts";

/** Runs an operation. It fails if any field fails: graphql-js then produces the partial answer. */
export type CompiledOperation = (run: OperationRun) => unknown;

/** Thrown when an operation has a part that only graphql-js supports. */
class NotCompilableError extends Error {}

/**
 * Turns a valid query or mutation into functions: which fields there are, how each is found and completed is decided once
 * and not for every row. Operations with directives, abstract types, introspection or several mutations are not compiled.
 */
export function compileOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  form: ResponseForm = "AS_SELECTED",
): CompiledOperation | undefined {
  try {
    return new OperationCompiler(schema, operation, fragments, form).compile();
  } catch (error) {
    if (error instanceof NotCompilableError) return undefined;
    throw error;
  }
}

class OperationCompiler {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly operation: OperationDefinitionNode,
    private readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>,
    private readonly form: ResponseForm,
  ) {}

  compile(): CompiledOperation {
    const type = this.schema.getRootType(this.operation.operation);
    const isMutation = this.operation.operation === OperationTypeNode.MUTATION;
    if (!type || this.operation.operation === OperationTypeNode.SUBSCRIPTION) throw new NotCompilableError();
    const fields = [...this.fieldNodesByKey(type, [this.operation.selectionSet])].map(([key, nodes]) =>
      withErrorLocation(this.compileField(type, nodes, [key]), nodes),
    );
    if (isMutation && !isOneMutation(fields)) throw new NotCompilableError();
    return (run) => completeObject(fields, run.effect ?? {}, run);
  }

  private compileObject(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    path: readonly string[],
  ): CompiledObject {
    if (type.isTypeOf) throw new NotCompilableError();
    const fields = [...this.fieldNodesByKey(type, sets)].map(([key, nodes]) =>
      this.compileField(type, nodes, [...path, key]),
    );
    return { type, fields, form: this.formAt(path) };
  }

  /** The fields that a selection requests from a type, by their keys in the answer. */
  private fieldNodesByKey(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const nodes = new Map<string, FieldNode[]>();
    const seen = new Set<SelectionSetNode>();
    for (const set of sets) this.collectFieldNodes(type, set, nodes, seen);
    // An object of ours takes it for something else than a field.
    if (nodes.has("__proto__")) throw new NotCompilableError();
    return nodes;
  }

  private compileField(type: GraphQLObjectType, nodes: readonly FieldNode[], path: readonly string[]): CompiledField {
    const key = lastOf(path);
    const name = firstOf(nodes).name.value;
    if (name === "__typename") return { key, resolveValue: () => type.name, definition: undefined, below: undefined };
    const field = type.getFields()[name];
    if (!field) throw new NotCompilableError();
    const below = this.compileBelow(field.type, nodes, path);
    if (below) registerSelection(nodes, below);
    const complete = this.compileCompletion(field.type, below);
    const resolve = this.compileResolver(type, field, nodes);
    return {
      key,
      definition: field,
      below,
      resolveValue: (source, run) => {
        const value = resolve(source, run);
        return isPromise(value) ? value.then((settled) => complete(settled, run)) : complete(value, run);
      },
    };
  }

  /** Compiles the resolver of a field's value. */
  private compileResolver(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
  ): (source: object, run: OperationRun) => unknown {
    const { name } = field;
    const resolve = field.resolve ?? defaultFieldResolver;
    const argumentsOf = this.compileArguments(field, firstOf(nodes));
    const call = (source: object, run: OperationRun) =>
      resolve(source, argumentsOf(run), run.context, this.resolveInfo(type, field, nodes, run));
    if (field.resolve) return call;
    return (source, run) => {
      const value = (source as Record<string, unknown>)[name];
      return typeof value === "function" ? call(source, run) : value;
    };
  }

  private compileArguments(
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): (run: OperationRun) => Record<string, unknown> {
    if (field.args.length === 0) return () => ({});
    if (hasVariables(node)) return ({ variables }) => getArgumentValues(field, node, variables);
    const constant = getArgumentValues(field, node);
    return () => constant;
  }

  /** The selection below a field of objects; undefined for a leaf. */
  private compileBelow(
    type: GraphQLOutputType,
    nodes: readonly FieldNode[],
    path: readonly string[],
  ): CompiledObject | undefined {
    const named = getNamedType(type);
    if (isLeafType(named)) return undefined;
    if (!isObjectType(named)) throw new NotCompilableError();
    return this.compileObject(
      named,
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
      path,
    );
  }

  /** A form of its own has the operation's records only, wherever they are. */
  private formAt(path: readonly string[]): ResponseForm {
    if (typeof this.form === "string") return this.form;
    return path.join() === this.form.path.join() ? this.form : "VALUES";
  }

  private compileCompletion(type: GraphQLOutputType, below: CompiledObject | undefined): CompleteValue {
    if (isNonNullType(type)) {
      const complete = this.compileCompletion(type.ofType, below);
      return (value, run) => {
        if (value == null) throw fieldFailure();
        return complete(value, run);
      };
    }
    const complete = this.compileNonNullCompletion(type, below);
    return (value, run) => (value == null ? null : complete(value, run));
  }

  /** As `completion`, for a value that is not null. */
  private compileNonNullCompletion(type: GraphQLOutputType, below: CompiledObject | undefined): CompleteValue {
    if (isLeafType(type)) {
      return (value) => {
        const serialized = value instanceof Error ? undefined : type.serialize(value);
        if (serialized == null) throw fieldFailure();
        return serialized;
      };
    }
    if (isListType(type)) {
      const complete = this.compileCompletion(type.ofType as GraphQLOutputType, below);
      return (value, run) => completeList(complete, value, run);
    }
    const object = required(below, "the selection of an object");
    return (value, run) =>
      value instanceof ResponseText
        ? fillGaps(object, value, run)
        : completeObject(object.fields, value as object, run);
  }

  /** Resolvers receive the field, but not its path in the answer. */
  private resolveInfo(
    parentType: GraphQLObjectType,
    { name, type }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
    { variables }: OperationRun,
  ): GraphQLResolveInfo {
    return {
      fieldName: name,
      fieldNodes,
      returnType: type,
      parentType,
      path: { prev: undefined, key: firstOf(fieldNodes).alias?.value ?? name, typename: parentType.name },
      schema: this.schema,
      fragments: this.fragments,
      rootValue: undefined,
      operation: this.operation,
      variableValues: variables,
    };
  }

  private collectFieldNodes(
    type: GraphQLObjectType,
    set: SelectionSetNode,
    nodesByKey: Map<string, FieldNode[]>,
    seen: Set<SelectionSetNode>,
  ): void {
    if (seen.has(set)) return;
    seen.add(set);
    for (const node of set.selections) {
      if (node.directives?.length) throw new NotCompilableError();
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        nodesByKey.set(key, [...(nodesByKey.get(key) ?? []), node]);
      } else {
        const { typeCondition, selectionSet } = this.openFragment(node);
        if (typeCondition === undefined || this.matchesTypeCondition(type, typeCondition.name.value))
          this.collectFieldNodes(type, selectionSet, nodesByKey, seen);
      }
    }
  }

  private openFragment(node: Exclude<SelectionNode, FieldNode>) {
    return node.kind === Kind.INLINE_FRAGMENT ? node : required(this.fragments[node.name.value], node.name.value);
  }

  private matchesTypeCondition(type: GraphQLObjectType, condition: string): boolean {
    const named = this.schema.getType(condition);
    return named === type || (isAbstractType(named) && this.schema.isSubType(named, type));
  }
}

/** Whether there is one mutation: graphql-js runs several of them one after the other. */
function isOneMutation(fields: readonly CompiledField[]): boolean {
  const [mutation, ...others] = fields.flatMap(({ definition }) => definition ?? []);
  return mutation !== undefined && others.length === 0 && reusesEffect(mutation);
}

/**
 * Adds the location to failures of a root field, as graphql-js does: errors without one are not recognized as an
 * outage.
 */
function withErrorLocation(field: CompiledField, nodes: readonly FieldNode[]): CompiledField {
  const { key, resolveValue } = field;
  const throwLocated = (error: unknown): never => {
    throw locatedError(error, nodes, [key]);
  };
  return {
    ...field,
    resolveValue: (source, run) => {
      try {
        const result = resolveValue(source, run);
        return isPromise(result) ? result.catch(throwLocated) : result;
      } catch (error) {
        return throwLocated(error);
      }
    },
  };
}

function hasVariables(node: FieldNode): boolean {
  let found = false;
  for (const argument of node.arguments ?? []) visit(argument, { Variable: () => void (found = true) });
  return found;
}
