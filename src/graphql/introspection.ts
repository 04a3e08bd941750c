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
import { invalid } from "../kernel/refusals.ts";
import { fragmentsOf, rootFieldsOf, type Fragments } from "./root-fields.ts";

/** Fields at the root of a query with which the schema describes itself. */
const ROOTS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

/** Whether a field at the root of a query asks the schema to describe itself; `__typename` does not. */
export const asksForSchema = ({ name }: FieldNode): boolean => ROOTS.has(name.value);

/** How long an answer about the schema may be, as a multiple of what tools are told of the whole of it. */
const MOST_OF_WHOLE = 1.25;

/** How many answers are kept: one for each kind of tool that developers commonly use. */
const MOST_KEPT = 5;

/** What tools ask for: the whole schema, with all that graphql-js knows to ask. */
const WHOLE = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/**
 * What the schema tells of itself. It never changes while a process runs, so that how long an answer will be is counted before
 * anything of it is made, and the answers that tools ask for are made once.
 */
export class Introspection {
  private readonly kept = new Map<string, ExecutionResult["data"]>();
  private readonly keys = new WeakMap<OperationDefinitionNode, string>();
  private most: number | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    /** Whether callers may ask what the schema has; only then an error suggests names of it. */
    readonly open: boolean,
  ) {}

  /** @throws a Refusal where a document asks for more of the schema than anybody needs, or where its operator keeps it closed. */
  refuseExcess(operation: OperationDefinitionNode, fragments: Fragments, variables: Record<string, unknown>): void {
    const asked = rootFieldsOf(operation.selectionSet.selections, fragments).filter(asksForSchema);
    if (asked.length === 0) return;
    if (!this.open) throw invalid("INTROSPECTION_CLOSED", "This gateway does not describe its schema to its callers.");
    this.most ??= MOST_OF_WHOLE * this.lengthOfWhole();
    const length = new Length(this.schema, fragments, variables, this.most).of(asked);
    if (length > this.most) {
      throw invalid(
        "QUERY_TOO_COSTLY",
        "The document asks for more of the schema than describes the whole of it once. Ask for fewer types, or for less of each.",
      );
    }
  }

  /** The answer to a document that asks for the schema and nothing else, as it was made before or is made by `run`. */
  async answer(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    run: () => Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const key = this.keyOf(document, operation);
    const known = this.kept.get(key);
    this.kept.delete(key);
    const result = known ? { data: known } : await run();
    if (result.data && !result.errors) this.kept.set(key, result.data);
    for (const oldest of this.kept.keys()) if (this.kept.size > MOST_KEPT) this.kept.delete(oldest);
    return result;
  }

  /** Tools name the same operation differently. */
  private keyOf(document: DocumentNode, operation: OperationDefinitionNode): string {
    let key = this.keys.get(operation);
    if (key === undefined) {
      const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
      key = print({ ...document, definitions: [{ ...operation, name: undefined }, ...fragments] });
      this.keys.set(operation, key);
    }
    return key;
  }

  private lengthOfWhole(): number {
    const document = parse(WHOLE, { noLocation: true });
    const [operation] = document.definitions as [OperationDefinitionNode];
    const asked = operation.selectionSet.selections as readonly FieldNode[];
    return new Length(this.schema, fragmentsOf(document), {}, Infinity).of(asked);
  }
}

/** Whether an operation asks for the schema alone, always in the same way: its answer can be kept. */
export const asksForSchemaOnly = ({ selectionSet, variableDefinitions = [] }: OperationDefinitionNode): boolean =>
  variableDefinitions.length === 0 &&
  selectionSet.selections.every((node) => node.kind === Kind.FIELD && node.name.value === SchemaMetaFieldDef.name);

/** One key of an answer, and what is selected below it. */
interface Selected {
  key: string;
  name: string;
  nodes: FieldNode[];
  below?: Selected[];
}

/** Counts how long an answer about the schema will be, by asking what graphql-js will ask. It ends soon after `most`. */
class Length {
  private length = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
    private readonly variables: Record<string, unknown>,
    private readonly most: number,
  ) {}

  of(asked: readonly FieldNode[]): number {
    for (const selected of this.merged(asked)) {
      const type = selected.name === TypeMetaFieldDef.name ? this.schema.getType(this.typeNameIn(selected)) : undefined;
      const root = selected.name === SchemaMetaFieldDef.name ? this.schema : type;
      this.add(root, getNamedType(ROOTS.get(selected.name)!.type) as GraphQLObjectType, selected);
    }
    return this.length;
  }

  private typeNameIn({ nodes: [node] }: Selected): string {
    const value = node?.arguments?.find(({ name }) => name.value === "name")?.value;
    return value ? String(valueFromASTUntyped(value, this.variables)) : "";
  }

  /** Adds what stands under one key. What is left out by @skip or @include counts all the same. */
  private add(value: unknown, type: unknown, selected: Selected): void {
    // Quotation marks, a colon and a comma.
    this.length += selected.key.length + 4;
    this.addValue(value, type, selected);
  }

  private addValue(value: unknown, type: unknown, selected: Selected): void {
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) {
        if (this.length > this.most) return;
        this.length += 1;
        this.addValue(item, type, selected);
      }
    } else if (value != null && isObjectType(type)) {
      selected.below ??= this.merged(
        selected.nodes.flatMap(({ selectionSet }) => (selectionSet ? this.opened(selectionSet) : [])),
      );
      this.addObject(value, type, selected.below);
    } else {
      this.length += typeof value === "string" ? value.length + 2 : 4;
    }
  }

  private addObject(value: unknown, type: GraphQLObjectType, selection: readonly Selected[]): void {
    for (const selected of selection) {
      if (this.length > this.most) return;
      const field = type.getFields()[selected.name];
      const told = field?.resolve?.(value, { includeDeprecated: true }, undefined, {
        schema: this.schema,
      } as GraphQLResolveInfo);
      this.add(field ? told : type.name, field && getNamedType(field.type), selected);
    }
  }

  private merged(fields: readonly FieldNode[]): Selected[] {
    const byKey = new Map<string, Selected>();
    for (const node of fields) {
      const key = (node.alias ?? node.name).value;
      const selected = byKey.get(key) ?? { key, name: node.name.value, nodes: [] };
      selected.nodes.push(node);
      byKey.set(key, selected);
    }
    return [...byKey.values()];
  }

  private opened({ selections }: SelectionSetNode): FieldNode[] {
    return rootFieldsOf(selections, this.fragments);
  }
}
