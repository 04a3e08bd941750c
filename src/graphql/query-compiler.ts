import {
  defaultFieldResolver,
  getArgumentValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
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
import { SHORT, Turns } from "../kernel/cooperative-work.ts";

/** What stays the same while an operation runs. */
export interface Run {
  context: unknown;
  variables: Record<string, unknown>;
}

/** Runs a query. It fails where any field of it fails: whoever wants the part that did not asks graphql-js. */
export type CompiledQuery = (run: Run) => unknown;

/** Makes of a value what stands in the answer, or a promise of it. */
type Completion = (value: unknown, run: Run) => unknown;

interface CompiledField {
  key: string;
  value: (source: object, run: Run) => unknown;
}

/** Thrown when a query holds what is left to graphql-js. */
class NotCompiled extends Error {}

/** Something failed that graphql-js has words for. */
const failure = () => new Error("A field of a compiled query failed.");

/**
 * Turns a valid query into functions: which fields there are, how each is found and completed is decided once and not for
 * every row. Queries with directives, abstract types or introspection are not compiled.
 */
export function compileQuery(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): CompiledQuery | undefined {
  try {
    return new Compiler(schema, operation, fragments).query();
  } catch (error) {
    if (error instanceof NotCompiled) return undefined;
    throw error;
  }
}

class Compiler {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly operation: OperationDefinitionNode,
    private readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  ) {}

  query(): CompiledQuery {
    const type = this.schema.getQueryType()!;
    const fields = [...this.selected(type, [this.operation.selectionSet])].map(([key, nodes]) =>
      located(this.field(type, key, nodes), nodes),
    );
    return (run) => objectOf(fields, {}, run);
  }

  private object(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Completion {
    if (type.isTypeOf) throw new NotCompiled();
    const fields = [...this.selected(type, sets)].map(([key, nodes]) => this.field(type, key, nodes));
    return (source, run) => objectOf(fields, source as object, run);
  }

  /** The fields that a selection asks of a type, by their keys in the answer. */
  private selected(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const nodes = new Map<string, FieldNode[]>();
    const seen = new Set<SelectionSetNode>();
    for (const set of sets) this.collect(type, set, nodes, seen);
    // An object of ours takes it for something else than a field.
    if (nodes.has("__proto__")) throw new NotCompiled();
    return nodes;
  }

  private field(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): CompiledField {
    const name = nodes[0]!.name.value;
    if (name === "__typename") return { key, value: () => type.name };
    const field = type.getFields()[name];
    if (!field) throw new NotCompiled();
    const complete = this.completion(field.type, nodes);
    const resolve = this.resolution(type, field, nodes);
    return {
      key,
      value: (source, run) => {
        const value = resolve(source, run);
        return isPromise(value) ? value.then((settled) => complete(settled, run)) : complete(value, run);
      },
    };
  }

  /** How a field's value is found. */
  private resolution(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
  ): (source: object, run: Run) => unknown {
    const { name } = field;
    const resolve = field.resolve ?? defaultFieldResolver;
    const argumentsOf = this.argumentsOf(field, nodes[0]!);
    const call = (source: object, run: Run) =>
      resolve(source, argumentsOf(run), run.context, this.info(type, field, nodes, run));
    if (field.resolve) return call;
    return (source, run) => {
      const value = (source as Record<string, unknown>)[name];
      return typeof value === "function" ? call(source, run) : value;
    };
  }

  private argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): (run: Run) => Record<string, unknown> {
    if (field.args.length === 0) return () => ({});
    if (hasVariables(node)) return ({ variables }) => getArgumentValues(field, node, variables);
    const constant = getArgumentValues(field, node);
    return () => constant;
  }

  private completion(type: GraphQLOutputType, nodes: readonly FieldNode[]): Completion {
    if (isNonNullType(type)) {
      const complete = this.completion(type.ofType, nodes);
      return (value, run) => {
        if (value == null) throw failure();
        return complete(value, run);
      };
    }
    const complete = this.present(type, nodes);
    return (value, run) => (value == null ? null : complete(value, run));
  }

  /** As `completion`, of a value that is not null. */
  private present(type: GraphQLOutputType, nodes: readonly FieldNode[]): Completion {
    if (isLeafType(type)) {
      return (value) => {
        const told = value instanceof Error ? undefined : type.serialize(value);
        if (told == null) throw failure();
        return told;
      };
    }
    if (isListType(type)) {
      const complete = this.completion(type.ofType as GraphQLOutputType, nodes);
      return (value, run) => listOf(complete, value, run);
    }
    if (!isObjectType(type)) throw new NotCompiled();
    return this.object(
      type,
      nodes.map(({ selectionSet }) => selectionSet!),
    );
  }

  /** Resolvers learn which field it is, not where in the answer it stands. */
  private info(
    parentType: GraphQLObjectType,
    { name, type }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
    { variables }: Run,
  ): GraphQLResolveInfo {
    return {
      fieldName: name,
      fieldNodes,
      returnType: type,
      parentType,
      path: { prev: undefined, key: fieldNodes[0]!.alias?.value ?? name, typename: parentType.name },
      schema: this.schema,
      fragments: this.fragments,
      rootValue: undefined,
      operation: this.operation,
      variableValues: variables,
    };
  }

  private collect(
    type: GraphQLObjectType,
    set: SelectionSetNode,
    into: Map<string, FieldNode[]>,
    seen: Set<SelectionSetNode>,
  ): void {
    if (seen.has(set)) return;
    seen.add(set);
    for (const node of set.selections) {
      if (node.directives?.length) throw new NotCompiled();
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        into.set(key, [...(into.get(key) ?? []), node]);
      } else {
        const { typeCondition, selectionSet } = this.opened(node);
        if (typeCondition === undefined || this.fits(type, typeCondition.name.value))
          this.collect(type, selectionSet, into, seen);
      }
    }
  }

  private opened(node: Exclude<SelectionNode, FieldNode>) {
    return node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments[node.name.value]!;
  }

  private fits(type: GraphQLObjectType, condition: string): boolean {
    const named = this.schema.getType(condition);
    return named === type || (isAbstractType(named) && this.schema.isSubType(named, type));
  }
}

/** A field of the root whose failures say where they happened, as those of graphql-js do: without it nobody takes them for an outage. */
function located({ key, value }: CompiledField, nodes: readonly FieldNode[]): CompiledField {
  const fail = (error: unknown): never => {
    throw locatedError(error, nodes, [key]);
  };
  return {
    key,
    value: (source, run) => {
      try {
        const told = value(source, run);
        return isPromise(told) ? told.catch(fail) : told;
      } catch (error) {
        return fail(error);
      }
    },
  };
}

function objectOf(fields: readonly CompiledField[], source: object, run: Run): unknown {
  const answer: Record<string, unknown> = {};
  const pending: Promise<void>[] = [];
  try {
    for (const { key, value } of fields) {
      const told = value(source, run);
      // Takes its place now, so that the answer has its fields in the order of the query.
      answer[key] = told;
      if (isPromise(told))
        pending.push(
          told.then((settled) => {
            answer[key] = settled;
          }),
        );
    }
  } catch (error) {
    hush(pending);
    throw error;
  }
  return pending.length === 0 ? answer : Promise.all(pending).then(() => answer);
}

function listOf(complete: Completion, value: unknown, run: Run): unknown {
  if (!Array.isArray(value)) throw failure();
  if (value.length > SHORT) return longListOf(complete, value, run);
  const told: unknown[] = [];
  const pending: PromiseLike<unknown>[] = [];
  try {
    for (const item of value as unknown[]) {
      const one = isPromise(item) ? item.then((settled) => complete(settled, run)) : complete(item, run);
      if (isPromise(one)) pending.push(one);
      told.push(one);
    }
  } catch (error) {
    hush(pending);
    throw error;
  }
  return pending.length === 0 ? told : Promise.all(told);
}

/**
 * A list that would hold up whoever else waits if it were completed at once. Where its rows ask loaders it is: what a list
 * asks for in one turn is one statement.
 */
async function longListOf(complete: Completion, items: readonly unknown[], run: Run): Promise<unknown[]> {
  const turns = new Turns();
  const told: unknown[] = [];
  const pending: PromiseLike<unknown>[] = [];
  try {
    for (const item of items) {
      const one = isPromise(item) ? item.then((settled) => complete(settled, run)) : complete(item, run);
      if (isPromise(one)) pending.push(one);
      told.push(one);
      if (pending.length === 0 && turns.isOver) await turns.next();
    }
  } catch (error) {
    hush(pending);
    throw error;
  }
  return pending.length === 0 ? told : Promise.all(told);
}

/** Nobody waits for these any more; that they fail must not end the process. */
function hush(pending: readonly PromiseLike<unknown>[]): void {
  for (const one of pending) one.then(undefined, () => undefined);
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && typeof (value as Promise<unknown>).then === "function";

function hasVariables(node: FieldNode): boolean {
  let found = false;
  for (const argument of node.arguments ?? []) visit(argument, { Variable: () => void (found = true) });
  return found;
}
