import {
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  print,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  valueFromASTUntyped,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { invalid } from "../../kernel/refusals.ts";
import { getOrThrow } from "../../kernel/required-values.ts";
import { fragmentsOf, rootFieldsOf, type Fragments } from "./root-fields.ts";

/** Fields at the root of a query with which the schema describes itself. */
const INTROSPECTION_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

/** Whether a root field of a query reads the schema; `__typename` does not. */
export const isIntrospectionField = ({ name }: FieldNode): boolean => INTROSPECTION_FIELDS.has(name.value);

/** Limit for the length of an introspection answer, as a multiple of the full one that tools request. */
const MAX_SHARE_OF_FULL_SCHEMA = 1.25;

/** Number of cached answers: one for each kind of tool that developers commonly use. */
const MAX_CACHED_ANSWERS = 5;

/** The query of tools for the whole schema, with all options of graphql-js. */
const FULL_INTROSPECTION_QUERY = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/**
 * Limits and caches introspection. The schema never changes while a process runs, so the length of an answer is counted
 * before it is built, and the answers for common tools are built once.
 */
export class IntrospectionGuard {
  private readonly cachedAnswers = new Map<string, ExecutionResult["data"]>();
  private readonly cacheKeys = new WeakMap<OperationDefinitionNode, string>();
  private maxLength: number | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    /** Whether callers may read the schema; only then errors suggest names from it. */
    readonly isOpen: boolean,
  ) {}

  /**
   * @throws a Refusal if a document requests more of the schema than tools need, or if the operator has closed
   * introspection.
   */
  requireWithinLimit(
    operation: OperationDefinitionNode,
    fragments: Fragments,
    variables: Record<string, unknown>,
  ): void {
    const introspectionFields = rootFieldsOf(operation.selectionSet.selections, fragments).filter(isIntrospectionField);
    if (introspectionFields.length === 0) return;
    if (!this.isOpen)
      throw invalid("INTROSPECTION_CLOSED", "This gateway does not describe its schema to its callers.");
    this.maxLength ??= MAX_SHARE_OF_FULL_SCHEMA * this.fullSchemaLength();
    const length = new IntrospectionLength(this.schema, fragments, variables, this.maxLength).measure(
      introspectionFields,
    );
    if (length > this.maxLength) {
      throw invalid(
        "QUERY_TOO_COSTLY",
        "The document requests more of the schema than one full introspection. Request fewer types or fewer of their fields.",
      );
    }
  }

  /** The answer to a document that requests only the schema, from the cache or made by `run`. */
  async answerFromCache(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    run: () => Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const key = this.cacheKeyOf(document, operation);
    const cached = this.cachedAnswers.get(key);
    this.cachedAnswers.delete(key);
    const result = cached ? { data: cached } : await run();
    if (result.data && !result.errors) this.cachedAnswers.set(key, result.data);
    for (const oldest of this.cachedAnswers.keys())
      if (this.cachedAnswers.size > MAX_CACHED_ANSWERS) this.cachedAnswers.delete(oldest);
    return result;
  }

  /** Tools name the same operation differently. */
  private cacheKeyOf(document: DocumentNode, operation: OperationDefinitionNode): string {
    let key = this.cacheKeys.get(operation);
    if (key === undefined) {
      const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
      key = print({ ...document, definitions: [{ ...operation, name: undefined }, ...fragments] });
      this.cacheKeys.set(operation, key);
    }
    return key;
  }

  private fullSchemaLength(): number {
    const document = parse(FULL_INTROSPECTION_QUERY, { noLocation: true });
    const [operation] = document.definitions as [OperationDefinitionNode];
    const asked = operation.selectionSet.selections as readonly FieldNode[];
    return new IntrospectionLength(this.schema, fragmentsOf(document), {}, Infinity).measure(asked);
  }
}

/** Whether an operation requests only the schema and has no variables: its answer can be cached. */
export const isPlainIntrospection = ({ selectionSet, variableDefinitions = [] }: OperationDefinitionNode): boolean =>
  variableDefinitions.length === 0 &&
  selectionSet.selections.every((node) => node.kind === Kind.FIELD && node.name.value === SchemaMetaFieldDef.name);

/** One key of an answer, and what is selected below it. */
interface SelectedField {
  key: string;
  name: string;
  nodes: FieldNode[];
  subfields?: SelectedField[];
}

/** Counts the length of an introspection answer by simulating the reads of graphql-js. It stops soon after `most`. */
class IntrospectionLength {
  private length = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
    private readonly variables: Record<string, unknown>,
    private readonly maxLength: number,
  ) {}

  measure(fields: readonly FieldNode[]): number {
    for (const selected of this.mergeByKey(fields)) {
      const type =
        selected.name === TypeMetaFieldDef.name ? this.schema.getType(this.typeNameArgumentOf(selected)) : undefined;
      const root = selected.name === SchemaMetaFieldDef.name ? this.schema : type;
      this.addField(
        root,
        getNamedType(getOrThrow(INTROSPECTION_FIELDS, selected.name).type) as GraphQLObjectType,
        selected,
      );
    }
    return this.length;
  }

  private typeNameArgumentOf({ nodes: [node] }: SelectedField): string {
    const value = node?.arguments?.find(({ name }) => name.value === "name")?.value;
    return value ? String(valueFromASTUntyped(value, this.variables)) : "";
  }

  /** Adds the length of the value under one key. Fields with @skip or @include count in any case. */
  private addField(value: unknown, type: unknown, selected: SelectedField): void {
    // Quotation marks, a colon and a comma.
    this.length += selected.key.length + 4;
    this.addValue(value, type, selected);
  }

  private addValue(value: unknown, type: unknown, selected: SelectedField): void {
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) {
        if (this.length > this.maxLength) return;
        this.length += 1;
        this.addValue(item, type, selected);
      }
    } else if (value != null && isObjectType(type)) {
      selected.subfields ??= this.mergeByKey(
        selected.nodes.flatMap(({ selectionSet }) => (selectionSet ? this.openFragments(selectionSet) : [])),
      );
      this.addObject(value, type, selected.subfields);
    } else {
      this.length += typeof value === "string" ? value.length + 2 : 4;
    }
  }

  private addObject(value: unknown, type: GraphQLObjectType, selection: readonly SelectedField[]): void {
    for (const selected of selection) {
      if (this.length > this.maxLength) return;
      const field = type.getFields()[selected.name];
      const resolved = field?.resolve?.(value, { includeDeprecated: true }, undefined, {
        schema: this.schema,
      } as GraphQLResolveInfo);
      this.addField(field ? resolved : type.name, field && getNamedType(field.type), selected);
    }
  }

  private mergeByKey(fields: readonly FieldNode[]): SelectedField[] {
    const byKey = new Map<string, SelectedField>();
    for (const node of fields) {
      const key = (node.alias ?? node.name).value;
      const selected = byKey.get(key) ?? { key, name: node.name.value, nodes: [] };
      selected.nodes.push(node);
      byKey.set(key, selected);
    }
    return [...byKey.values()];
  }

  private openFragments({ selections }: SelectionSetNode): FieldNode[] {
    return rootFieldsOf(selections, this.fragments);
  }
}
