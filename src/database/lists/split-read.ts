import { eq, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { idIsOneOf } from "../conditions.ts";
import type { VendorTable } from "./paged-list.ts";
import {
  NestedSqlBuilder,
  toJsonSql,
  type ProjectedEdge,
  type ProjectedValue,
  type Projection,
  type Selection,
} from "../projection.ts";

/*
 * PostgreSQL prepares every subquery of a statement before it runs any, also those that find no row: an order with all that the
 * contract shows below it is a statement of a quarter of a megabyte, which takes 20 ms to start. Above a number of
 * edges the largest are therefore read by statements of their own, which are sent only if there are rows.
 */

/** The most edges that one statement reads. Pages of dashboards stay far below, so that they are one statement. */
const MAX_EDGES = 24;

/** An edge whose rows another statement reads; its place in the record has their ids until then. */
interface SplitEdge {
  /** The names that lead from a record to the edge. */
  path: readonly string[];
  projection: Projection;
  selection: Selection;
  /** The column with the vendor of the records, where the rows belong to its child vendors. */
  ownerColumn: PgColumn | undefined;
}

/** How the records of a selection are read: with ids in place of the rows of large edges. */
export interface SplitRead {
  projection: Projection;
  edges: readonly SplitEdge[];
}

type Node = Record<string, unknown>;
type Query = <Row>(statement: SQL) => Promise<Row[]>;

const knownSplits = new WeakMap<Selection, Map<Projection, SplitRead>>();

/** How the records of a selection are read. */
export function splitReadOf(projection: Projection, selection: Selection): SplitRead {
  const splits = knownSplits.get(selection) ?? new Map<Projection, SplitRead>();
  knownSplits.set(selection, splits);
  const split = splits.get(projection) ?? planSplit(projection, selection);
  splits.set(projection, split);
  return split;
}

/** Puts the rows of the large edges into records of one vendor, in the place of their ids. */
export async function fillSplitEdges(
  query: Query,
  vendorId: number,
  nodes: readonly Node[],
  { edges }: SplitRead,
): Promise<void> {
  for (const { path, projection, selection, ownerColumn } of edges) {
    const name = path.at(-1) ?? "";
    const holders = path.slice(0, -1).reduce(recordsBelow, nodes);
    const ids = [...new Set(holders.flatMap((holder) => (holder[name] ?? []) as number | number[]))];
    if (ids.length === 0) continue;
    // Rows of child vendors are few, and what is below them belongs to several vendors: it is read with them.
    const split = ownerColumn ? { projection, edges: [] } : splitReadOf(projection, selection);
    const { vendorId: vendorColumn, id } = projection.table as VendorTable;
    const rows = await query<{ id: string; node: Node }>(sql`
      select ${id} as id, ${sql.raw(toJsonSql(split.projection, selection))} as node
      from ${projection.table} where ${eq(ownerColumn ?? vendorColumn, vendorId)} and ${idIsOneOf(id, ids)}`);
    const found = rows.map(({ node }) => node);
    await fillSplitEdges(query, vendorId, found, split);
    const nodesById = new Map(rows.map((row) => [Number(row.id), row.node]));
    // A row that was deleted in between is left out.
    for (const holder of holders) {
      const place = holder[name];
      if (Array.isArray(place)) holder[name] = place.flatMap((one: number) => nodesById.get(one) ?? []);
      else if (place != null) holder[name] = nodesById.get(place as number) ?? null;
    }
  }
}

/** The records of an edge, one or many, of all nodes. */
const recordsBelow = (nodes: readonly Node[], name: string): Node[] =>
  nodes.flatMap((node): Node | readonly Node[] => (node[name] ?? []) as Node | readonly Node[]);

function planSplit(projection: Projection, selection: Selection, maxEdges = MAX_EDGES): SplitRead {
  const counted = edgesOf(projection, selection)
    .map((edge) => ({ ...edge, count: countEdges(edge.edge, edge.selection) }))
    .toSorted((a, b) => b.count - a.count);
  const isMany = (name: string) => projection.many?.[name] !== undefined;
  let count = counted.reduce((sum, edge) => sum + edge.count, 0);
  const fields: Record<string, ProjectedValue> = { ...projection.fields };
  const replaced: Record<string, ProjectedEdge> = {};
  const edges: SplitEdge[] = [];
  for (const { name, edge, selection: below, count: edgeCount } of counted) {
    if (count <= maxEdges || edgeCount === 1) break;
    if (isSplittable(edge)) {
      // A field comes before an edge of the same name.
      fields[name] = isMany(name) ? idListSql(edge) : idSql(edge);
      edges.push({ path: [name], projection: edge.projection(), selection: below, ownerColumn: edge.ownerColumn });
      count -= edgeCount;
    } else if (!edge.crossesVendors) {
      const split = planSplit(edge.projection(), below, 0);
      replaced[name] = { ...edge, projection: () => split.projection };
      edges.push(...split.edges.map((inner) => ({ ...inner, path: [name, ...inner.path] })));
      count -= edgeCount - 1;
    }
  }
  if (edges.length === 0) return { projection, edges };
  const withReplaced = (all: Record<string, ProjectedEdge> = {}) =>
    Object.fromEntries(Object.entries(all).map(([name, edge]) => [name, replaced[name] ?? edge]));
  const { one, many } = projection;
  return { projection: { ...projection, fields, one: withReplaced(one), many: withReplaced(many) }, edges };
}

/** Whether a statement of its own can read the rows: by their numbers, and as those of the parent's vendor. */
const isSplittable = ({ projection, crossesVendors, ownerColumn }: ProjectedEdge): boolean =>
  "id" in projection().table && "vendorId" in projection().table && (!crossesVendors || ownerColumn !== undefined);

/** The edges that a selection reads of a row. */
const edgesOf = ({ one, many }: Projection, selection: Selection) =>
  [...selection].flatMap(([name, below]) => {
    const edge = one?.[name] ?? many?.[name];
    return edge ? [{ name, edge, selection: below }] : [];
  });

/** An edge with all edges below it. */
const countEdges = (edge: ProjectedEdge, selection: Selection): number =>
  edgesOf(edge.projection(), selection).reduce((sum, below) => sum + countEdges(below.edge, below.selection), 1);

const idSql = (edge: ProjectedEdge) => (parent: string) => {
  const { child, from } = new NestedSqlBuilder("s").childSource(edge, parent);
  const limit = edge.orderBy ? ` order by ${edge.orderBy(child, parent)} limit 1` : "";
  return `(select ${child}."id" ${from}${limit})`;
};

const idListSql = (edge: ProjectedEdge) => (parent: string) => {
  const { child, from } = new NestedSqlBuilder("s").childSource(edge, parent);
  const order = edge.orderBy ? ` order by ${edge.orderBy(child, parent)}` : "";
  const limit = edge.limit === undefined ? "" : ` limit ${edge.limit}`;
  const list = edge.nullIfEmpty ? `json_agg(x."id")` : `coalesce(json_agg(x."id"), '[]'::json)`;
  return `(select ${list} from (select ${child}."id" ${from}${order}${limit}) x)`;
};
