import {
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { invalid, invalidField } from "../../kernel/refusals.ts";
import { DEFAULT_SLICE_SIZE, MAX_SLICE_SIZE } from "../../kernel/slice.ts";
import { pathOfArgument } from "../errors/document-errors.ts";
import { isIntrospectionField, type IntrospectionGuard } from "../documents/introspection.ts";
import { variableDefaultsOf, fragmentsOf, rootFieldsOf, type Fragments } from "../documents/root-fields.ts";

/** Documents with more tokens than this are refused while they are read. */
export const MAX_TOKENS = 2_000;

/** Longer documents are refused before they are read: that is fifty characters for each of their tokens. */
export const MAX_DOCUMENT_LENGTH = 100_000;

const MAX_DEPTH = 12;
const MAX_ALIASES = 30;
const MAX_ROOT_FIELDS = 10;

/** Maximum number of rows in the slices of one document, each multiplied by its enclosing slices. */
export const MAX_ROWS = 50_000;

/**
 * Assumed length of a list within a record. The page of orders behind GET /orders, with all its nested lists, has to
 * fit.
 */
const TYPICAL_LIST_LENGTH = 3;

/**
 * Lists that are no connections, and how many rows they count for: the most they give, or what is common for parts of a
 * record. They lie in one another without an end (a product's plans, their product, its plans), so they have to count.
 */
export const LIST_LENGTHS: Readonly<Record<string, number>> = {
  renewalOrders: MAX_SLICE_SIZE,
  latestOrders: MAX_SLICE_SIZE,
  latestSubscriptions: MAX_SLICE_SIZE,
  relatedOrders: MAX_SLICE_SIZE,
  unmappedDeclines: MAX_SLICE_SIZE,
  stoppedCovers: TYPICAL_LIST_LENGTH,
  childOrders: TYPICAL_LIST_LENGTH,
  subscriptions: TYPICAL_LIST_LENGTH,
  items: TYPICAL_LIST_LENGTH,
  orderLogs: TYPICAL_LIST_LENGTH,
  histories: TYPICAL_LIST_LENGTH,
  claimHistories: TYPICAL_LIST_LENGTH,
  prices: TYPICAL_LIST_LENGTH,
  combinedProducts: TYPICAL_LIST_LENGTH,
  // Few plans have any: most belong to no bundle.
  bundlePrices: 1,
  options: TYPICAL_LIST_LENGTH,
  optionGroups: TYPICAL_LIST_LENGTH,
  optionCombinations: TYPICAL_LIST_LENGTH,
  categories: TYPICAL_LIST_LENGTH,
  paymentMethods: TYPICAL_LIST_LENGTH,
  refunds: TYPICAL_LIST_LENGTH,
  overrides: TYPICAL_LIST_LENGTH,
  amounts: TYPICAL_LIST_LENGTH,
  attempts: TYPICAL_LIST_LENGTH,
  // Nine at most; two are common.
  arms: TYPICAL_LIST_LENGTH,
};

/**
 * Assumed length of the lists of a record where a document nests the same list twice: the plans of a bundle's members
 * are below the bundle's own, but only a request for many rows nests plans of plans of plans.
 */
const NESTED_LIST_LENGTH = 100;

/** The size of a selection, with fragments expanded. */
interface SelectionSize {
  depth: number;
  aliases: number;
  rows: number;
  /** Lists within records, by type and field, and in how many levels each lies in itself. */
  listLevels: ReadonlyMap<string, number>;
}

const EMPTY_SIZE: SelectionSize = { depth: 0, aliases: 0, rows: 0, listLevels: new Map() };

/**
 * Refuses an operation that is too deep, too wide or too expensive before it runs. Each fragment is measured once, so
 * that fragments which spread each other twice cannot make the measuring expensive.
 * @returns the maximum number of rows in the slices of the document. @throws a Refusal with the code of the limit.
 */
export function requireDocumentWithinLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  sentVariables: Record<string, unknown>,
  introspection: IntrospectionGuard,
): number {
  const variables = { ...variableDefaultsOf(operation), ...sentVariables };
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const size = new DocumentMeasurer(schema, document, fragments, variables).measureSelection(
    operation.selectionSet,
    root,
  );
  const rootFieldCount = countRootFields(operation.selectionSet, fragments);
  if (size.depth > MAX_DEPTH)
    throw invalid("QUERY_TOO_DEEP", `The document is ${size.depth} levels deep; ${MAX_DEPTH} are allowed.`);
  if (size.aliases > MAX_ALIASES)
    throw invalid("TOO_MANY_ALIASES", `The document has ${size.aliases} aliases; ${MAX_ALIASES} are allowed.`);
  if (rootFieldCount > MAX_ROOT_FIELDS)
    throw invalid(
      "TOO_MANY_ROOT_FIELDS",
      `The document has ${rootFieldCount} root fields; ${MAX_ROOT_FIELDS} are allowed.`,
    );
  if (size.rows > MAX_ROWS) {
    throw invalid(
      "QUERY_TOO_COSTLY",
      `The lists of the document could return ${Math.ceil(size.rows)} rows; ${MAX_ROWS} are allowed. Request smaller slices.`,
    );
  }
  introspection.requireWithinLimit(operation, fragments, variables);
  return size.rows;
}

class DocumentMeasurer {
  private readonly fragmentSizes = new Map<string, SelectionSize>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
    private readonly fragments: Fragments,
    private readonly variables: Record<string, unknown>,
  ) {}

  measureSelection({ selections }: SelectionSetNode, parentType: GraphQLNamedType | undefined): SelectionSize {
    return selections
      .map((node) => {
        if (node.kind === Kind.FIELD) return this.measureField(node, parentType);
        return node.kind === Kind.INLINE_FRAGMENT
          ? this.measureSelection(
              node.selectionSet,
              node.typeCondition ? this.schema.getType(node.typeCondition.name.value) : parentType,
            )
          : this.measureFragment(node.name.value);
      })
      .reduce(
        (sum, size) => ({
          depth: Math.max(sum.depth, size.depth),
          aliases: sum.aliases + size.aliases,
          rows: sum.rows + size.rows,
          listLevels: mergeListLevels(sum.listLevels, size.listLevels),
        }),
        EMPTY_SIZE,
      );
  }

  private measureField(field: FieldNode, parentType: GraphQLNamedType | undefined): SelectionSize {
    const type =
      isObjectType(parentType) || isInterfaceType(parentType)
        ? parentType.getFields()[field.name.value]?.type
        : undefined;
    const subselection = field.selectionSet
      ? this.measureSelection(field.selectionSet, type && getNamedType(type))
      : EMPTY_SIZE;
    const list =
      parentType && field.name.value in LIST_LENGTHS && isListType(getNullableType(type))
        ? `${parentType.name}.${field.name.value}`
        : "";
    const levels = subselection.listLevels.get(list) ?? 0;
    // Introspection is counted separately; it has no rows.
    const slice = isIntrospectionField(field) ? undefined : this.maxRowsOf(field);
    const length = slice === undefined ? undefined : slice * nestedListFactor(slice, levels);
    return {
      // A type is wrapped four times at most, however many levels tools request.
      depth: subselection.depth + (field.name.value === "ofType" ? 0 : 1),
      aliases: subselection.aliases + (field.alias ? 1 : 0),
      rows: length === undefined ? subselection.rows : length * Math.max(1, subselection.rows + 1),
      listLevels: list ? new Map([...subselection.listLevels, [list, levels + 1]]) : subselection.listLevels,
    };
  }

  private measureFragment(name: string): SelectionSize {
    const cached = this.fragmentSizes.get(name);
    if (cached) return cached;
    const fragment = this.fragments.get(name);
    const size = fragment
      ? this.measureSelection(fragment.selectionSet, this.schema.getType(fragment.typeCondition.name.value))
      : EMPTY_SIZE;
    this.fragmentSizes.set(name, size);
    return size;
  }

  /** The maximum number of rows of a list; undefined for a field that is not a list. */
  private maxRowsOf({ name, arguments: argumentNodes = [], selectionSet }: FieldNode): number | undefined {
    const sizes = argumentNodes.flatMap((node) => {
      const [argument, value] = [node.name.value, node.value];
      if (argument !== "first" && argument !== "last" && argument !== "size") return [];
      const size =
        value.kind === Kind.VARIABLE
          ? this.variables[value.name.value]
          : value.kind === Kind.INT
            ? Number(value.value)
            : undefined;
      if (typeof size !== "number") return [];
      // The sizes of numbered pages have their own bounds, enforced where they are read.
      if (argument === "size") return [Math.max(1, size)];
      if (size < 1 || size > MAX_SLICE_SIZE)
        throw invalidField(pathOfArgument(this.document, node), `must be from 1 to ${MAX_SLICE_SIZE}.`, size);
      return [size];
    });
    if (sizes[0] !== undefined) return sizes[0];
    return (
      this.lengthOfIds(name.value, argumentNodes) ??
      (this.selectsRows(selectionSet) ? DEFAULT_SLICE_SIZE : LIST_LENGTHS[name.value])
    );
  }

  /** The length of a list that the caller requests by ids. */
  private lengthOfIds(name: string, argumentNodes: readonly ArgumentNode[]): number | undefined {
    const ids = name === "nodes" ? argumentNodes.find((argument) => argument.name.value === "ids")?.value : undefined;
    const list =
      ids?.kind === Kind.VARIABLE ? this.variables[ids.name.value] : ids?.kind === Kind.LIST ? ids.values : undefined;
    return Array.isArray(list) ? list.length : undefined;
  }

  /** Whether a selection requests rows, through any fragments; each fragment is visited once. */
  private selectsRows(selectionSet: SelectionSetNode | undefined, seen = new Set<string>()): boolean {
    return (selectionSet?.selections ?? []).some((node) => {
      if (node.kind === Kind.FIELD) return /^(?:edges|nodes|pageInfo|rows)$/.test(node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return this.selectsRows(node.selectionSet, seen);
      if (seen.has(node.name.value)) return false;
      seen.add(node.name.value);
      return this.selectsRows(this.fragments.get(node.name.value)?.selectionSet, seen);
    });
  }
}

/** The factor for a list that nests further levels of itself: the first time for the levels below as well. */
const nestedListFactor = (length: number, levels: number): number =>
  levels < 2 || length >= NESTED_LIST_LENGTH
    ? 1
    : levels === 2
      ? (NESTED_LIST_LENGTH / length) ** 3
      : NESTED_LIST_LENGTH / length;

function mergeListLevels(
  one: SelectionSize["listLevels"],
  other: SelectionSize["listLevels"],
): SelectionSize["listLevels"] {
  if (other.size === 0) return one;
  const both = new Map(one);
  for (const [list, levels] of other) both.set(list, Math.max(levels, both.get(list) ?? 0));
  return both;
}

/** Number of root fields in the answer; two selections of one name are one field. */
const countRootFields = ({ selections }: SelectionSetNode, fragments: Fragments): number =>
  new Set(rootFieldsOf(selections, fragments).map(({ alias, name }) => (alias ?? name).value)).size;
