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
import { DEFAULT_SLICE, MOST_PER_SLICE } from "../../kernel/slice.ts";
import { pathOfArgument } from "../errors/document-errors.ts";
import { asksForSchema, type Introspection } from "../introspection.ts";
import { defaultsOf, fragmentsOf, rootFieldsOf, type Fragments } from "../root-fields.ts";

/** Documents with more tokens than this are refused while they are read. */
export const MOST_TOKENS = 2_000;

/** Longer documents are refused before they are read: that is fifty characters for each of their tokens. */
export const LONGEST_DOCUMENT = 100_000;

const DEEPEST = 12;
const MOST_ALIASES = 30;
const MOST_ROOT_FIELDS = 10;

/** Rows that the slices of one document could hold together, each multiplied by those that it lies in. */
const MOST_ROWS = 50_000;

/** How long a list within a record commonly is. The page of orders behind GET /orders, with all its lists in each other, has to fit. */
const FEW = 3;

/**
 * Lists that are no connections, and how many rows they count for: the most they give, or what is common for parts of a
 * record. They lie in one another without an end (a product's plans, their product, its plans), so they have to count.
 */
export const LISTS: Readonly<Record<string, number>> = {
  renewalOrders: MOST_PER_SLICE,
  latestOrders: MOST_PER_SLICE,
  latestSubscriptions: MOST_PER_SLICE,
  relatedOrders: MOST_PER_SLICE,
  stoppedCovers: FEW,
  childOrders: FEW,
  subscriptions: FEW,
  items: FEW,
  orderLogs: FEW,
  histories: FEW,
  claimHistories: FEW,
  prices: FEW,
  combinedProducts: FEW,
  // Of few, but of few plans: most are of no bundle.
  bundlePrices: 1,
  options: FEW,
  optionGroups: FEW,
  optionCombinations: FEW,
  categories: FEW,
  paymentMethods: FEW,
  refunds: FEW,
  overrides: FEW,
};

/**
 * How long the parts of a record are where a document comes back to the same list twice below itself: the plans of a bundle's
 * members lie below the bundle's own, but only who wants many rows asks for the plans of plans of plans.
 */
const MANY = 100;

/** What a selection adds up to, fragments opened. */
interface Size {
  depth: number;
  aliases: number;
  rows: number;
  /** Lists within records, by type and field, and in how many levels each lies in itself. */
  lists: ReadonlyMap<string, number>;
}

const NOTHING: Size = { depth: 0, aliases: 0, rows: 0, lists: new Map() };

/**
 * Refuses an operation that is too deep, too wide or too dear before anything of it runs.
 * Each fragment is measured once, so that fragments which spread each other twice cannot make the measuring dear.
 * @returns how many rows the slices of the document could hold together. @throws a Refusal with the code of the limit.
 */
export function refuseExcess(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
  introspection: Introspection,
): number {
  const variables = { ...defaultsOf(operation), ...given };
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const size = new Ruler(schema, document, fragments, variables).measure(operation.selectionSet, root);
  const roots = countRoots(operation.selectionSet, fragments);
  if (size.depth > DEEPEST)
    throw invalid("QUERY_TOO_DEEP", `The document is ${size.depth} levels deep; ${DEEPEST} are allowed.`);
  if (size.aliases > MOST_ALIASES)
    throw invalid("TOO_MANY_ALIASES", `The document has ${size.aliases} aliases; ${MOST_ALIASES} are allowed.`);
  if (roots > MOST_ROOT_FIELDS)
    throw invalid("TOO_MANY_ROOT_FIELDS", `The document has ${roots} root fields; ${MOST_ROOT_FIELDS} are allowed.`);
  if (size.rows > MOST_ROWS) {
    throw invalid(
      "QUERY_TOO_COSTLY",
      `The slices of the document could hold ${Math.ceil(size.rows)} rows; ${MOST_ROWS} are allowed. Ask for smaller slices.`,
    );
  }
  introspection.refuseExcess(operation, fragments, variables);
  return size.rows;
}

class Ruler {
  private readonly measured = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
    private readonly fragments: Fragments,
    private readonly variables: Record<string, unknown>,
  ) {}

  measure({ selections }: SelectionSetNode, on: GraphQLNamedType | undefined): Size {
    return selections
      .map((node) => {
        if (node.kind === Kind.FIELD) return this.measureField(node, on);
        return node.kind === Kind.INLINE_FRAGMENT
          ? this.measure(
              node.selectionSet,
              node.typeCondition ? this.schema.getType(node.typeCondition.name.value) : on,
            )
          : this.measureFragment(node.name.value);
      })
      .reduce(
        (sum, size) => ({
          depth: Math.max(sum.depth, size.depth),
          aliases: sum.aliases + size.aliases,
          rows: sum.rows + size.rows,
          lists: deepest(sum.lists, size.lists),
        }),
        NOTHING,
      );
  }

  private measureField(field: FieldNode, on: GraphQLNamedType | undefined): Size {
    const type = isObjectType(on) || isInterfaceType(on) ? on.getFields()[field.name.value]?.type : undefined;
    const below = field.selectionSet ? this.measure(field.selectionSet, type && getNamedType(type)) : NOTHING;
    const list =
      field.name.value in LISTS && isListType(getNullableType(type)) ? `${on!.name}.${field.name.value}` : "";
    const levels = below.lists.get(list) ?? 0;
    // What the schema tells of itself is counted where it is told; it holds no rows.
    const slice = asksForSchema(field) ? undefined : this.sliceOf(field);
    const length = slice === undefined ? undefined : slice * repeated(slice, levels);
    return {
      // A type is wrapped four times at most, however many levels of it tools ask for.
      depth: below.depth + (field.name.value === "ofType" ? 0 : 1),
      aliases: below.aliases + (field.alias ? 1 : 0),
      rows: length === undefined ? below.rows : length * Math.max(1, below.rows + 1),
      lists: list ? new Map([...below.lists, [list, levels + 1]]) : below.lists,
    };
  }

  private measureFragment(name: string): Size {
    const known = this.measured.get(name);
    if (known) return known;
    const fragment = this.fragments.get(name);
    const size = fragment
      ? this.measure(fragment.selectionSet, this.schema.getType(fragment.typeCondition.name.value))
      : NOTHING;
    this.measured.set(name, size);
    return size;
  }

  /** How many rows a list gives at most; undefined for a field that is none. */
  private sliceOf({ name, arguments: given = [], selectionSet }: FieldNode): number | undefined {
    const sizes = given.flatMap((node) => {
      const [argument, value] = [node.name.value, node.value];
      if (argument !== "first" && argument !== "last" && argument !== "size") return [];
      const size =
        value.kind === Kind.VARIABLE
          ? this.variables[value.name.value]
          : value.kind === Kind.INT
            ? Number(value.value)
            : undefined;
      if (typeof size !== "number") return [];
      // The sizes of numbered pages have bounds of their own, held where they are read.
      if (argument === "size") return [Math.max(1, size)];
      if (size < 1 || size > MOST_PER_SLICE)
        throw invalidField(pathOfArgument(this.document, node), `must be from 1 to ${MOST_PER_SLICE}.`, size);
      return [size];
    });
    if (sizes[0] !== undefined) return sizes[0];
    return this.lengthOfIds(name.value, given) ?? (this.hasRows(selectionSet) ? DEFAULT_SLICE : LISTS[name.value]);
  }

  /** The list that the caller names row by row. */
  private lengthOfIds(name: string, given: readonly ArgumentNode[]): number | undefined {
    const ids = name === "nodes" ? given.find((argument) => argument.name.value === "ids")?.value : undefined;
    const list =
      ids?.kind === Kind.VARIABLE ? this.variables[ids.name.value] : ids?.kind === Kind.LIST ? ids.values : undefined;
    return Array.isArray(list) ? list.length : undefined;
  }

  /** Whether a selection asks for rows, in however many fragments; each is looked into once. */
  private hasRows(selectionSet: SelectionSetNode | undefined, seen = new Set<string>()): boolean {
    return (selectionSet?.selections ?? []).some((node) => {
      if (node.kind === Kind.FIELD) return /^(?:edges|nodes|pageInfo|rows)$/.test(node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return this.hasRows(node.selectionSet, seen);
      if (seen.has(node.name.value)) return false;
      seen.add(node.name.value);
      return this.hasRows(this.fragments.get(node.name.value)?.selectionSet, seen);
    });
  }
}

/** By how much longer a list counts that has so many levels of itself below: the first time for the levels below as well. */
const repeated = (length: number, levels: number): number =>
  levels < 2 || length >= MANY ? 1 : levels === 2 ? (MANY / length) ** 3 : MANY / length;

function deepest(one: Size["lists"], other: Size["lists"]): Size["lists"] {
  if (other.size === 0) return one;
  const both = new Map(one);
  for (const [list, levels] of other) both.set(list, Math.max(levels, both.get(list) ?? 0));
  return both;
}

/** How many fields the answer has at its root; two selections of one name are one field. */
const countRoots = ({ selections }: SelectionSetNode, fragments: Fragments): number =>
  new Set(rootFieldsOf(selections, fragments).map(({ alias, name }) => (alias ?? name).value)).size;
