import { and, eq, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { invalidField } from "../kernel/refusals.ts";
import { isWritableInstant } from "../kernel/instants.ts";
import { DEFAULT_SLICE_SIZE, type Slice, type SliceRequest } from "../kernel/slice.ts";
import type { Handle } from "./client.ts";
import { sortExpression } from "./conditions.ts";
import { idIsOneOf, bigintArray, type SortOrder } from "./keyset-list.ts";
import { columnOfRow, decimalSql, toJsonSql, utcSql, type Selection, type Projection } from "./projection.ts";

/** A record as it was selected, its values as they stand on the wire. Its number is always there. */
export interface ProjectedRow {
  id: number;
  [field: string]: unknown;
}

/** A page by its number, counted from 0. */
export interface NumberedPageRequest {
  page: number;
  size: number;
}

/** How a list of shaped records is made of its table. A column that it is sorted by has no nulls, or is a time. */
export interface ProjectedListDefinition<Filter, Field extends string, Parent extends string> {
  projection: Projection;
  /** The column that says whose the rows are, where it is not the vendor that every other table begins with. */
  ownerColumn?: PgColumn;
  sorts: Record<Field, PgColumn>;
  /** By which columns, or by which condition, rows belong to a parent. */
  parentConditions: Record<Parent, PgColumn | ((parentId: SQL, vendorId: number) => SQL)>;
  filterCondition: (filter: Filter, vendorId: number) => SQL | undefined;
}

/**
 * A vendor's records, read as they are selected: one, many by number, slice by slice, page by page, or one slice for each
 * of many parents. Each question is one statement, whatever lies below the records.
 */
export class ProjectedList<Filter, Field extends string = string, Parent extends string = string> {
  /** The table that the list is made of. */
  readonly name: string;
  readonly fields: readonly Field[];
  protected readonly table: PgTable & { vendorId: PgColumn; id: PgColumn };

  constructor(
    protected readonly db: Handle,
    protected readonly definition: ProjectedListDefinition<Filter, Field, Parent>,
  ) {
    this.table = definition.projection.table as PgTable & { vendorId: PgColumn; id: PgColumn };
    this.name = getTableName(this.table);
    this.fields = Object.keys(definition.sorts) as Field[];
  }

  /** The record for which a condition holds, or null. */
  async findOne(vendorId: number, condition: SQL, selection: Selection): Promise<ProjectedRow | null> {
    const [found] = await this.query<NodeRow>(sql`select ${this.nodeSql(selection)} as node from ${this.table}
      where ${and(this.isOfVendor(vendorId), condition)} limit 1`);
    return found?.node ?? null;
  }

  byId(vendorId: number, id: number, selection: Selection): Promise<ProjectedRow | null> {
    return this.findOne(vendorId, eq(this.table.id, id), selection);
  }

  /** Those of the numbers that exist, in no particular order. */
  async byIds(vendorId: number, ids: readonly number[], selection: Selection): Promise<ProjectedRow[]> {
    const found = await this.query<NodeRow>(sql`select ${this.nodeSql(selection)} as node from ${this.table}
      where ${and(this.isOfVendor(vendorId), idIsOneOf(this.table.id, ids))}`);
    return found.map(({ node }) => node);
  }

  /** One slice of all the rows that match. */
  async slice(
    vendorId: number,
    filter: Filter,
    request: SliceRequest,
    sorting: SortOrder<Field>,
    selection: Selection,
  ): Promise<Slice<ProjectedRow>> {
    const plan = this.planSlice(request, sorting);
    const condition = and(this.isOfVendor(vendorId), this.definition.filterCondition(filter, vendorId), plan.beyond);
    const tail = sql`order by ${plan.order} limit ${plan.size + 1}`;
    const rowCondition = isSearch(filter)
      ? await this.isAmongFound(vendorId, sql`select ${this.table.id} from ${this.table} where ${condition} ${tail}`)
      : condition;
    const rows = await this.query<NodeRow>(
      sql`select ${this.nodeSql(selection)} as node, ${plan.value} as value from ${this.table} where ${rowCondition} ${tail}`,
    );
    return this.toSlice(rows, request, plan, sorting);
  }

  /** For loaders: the same slice of the list of each parent. */
  async sliceOfEach(
    vendorId: number,
    parent: Parent,
    parentIds: readonly number[],
    filter: Filter,
    request: SliceRequest,
    sorting: SortOrder<Field>,
    selection: Selection,
  ): Promise<Slice<ProjectedRow>[]> {
    const plan = this.planSlice(request, sorting);
    const rows = await this.query<NodeRow>(sql`select parent.id as parent, child.node, child.value
      from unnest(${bigintArray(parentIds)}) as parent(id)
      cross join lateral (select ${this.nodeSql(selection)} as node, ${plan.value} as value from ${this.table}
        where ${and(this.isOfVendor(vendorId), this.isOfParent(vendorId, parent), this.definition.filterCondition(filter, vendorId), plan.beyond)}
        order by ${plan.order} limit ${plan.size + 1}) as child`);
    const lists = new Map(parentIds.map((id) => [id, [] as NodeRow[]]));
    for (const row of rows) lists.get(Number(row.parent))?.push(row);
    return parentIds.map((id) => this.toSlice(lists.get(id) ?? [], request, plan, sorting));
  }

  /** The rows of a numbered page. They are found on the index alone before anything of them is read. */
  async page(
    vendorId: number,
    filter: Filter,
    { page, size }: NumberedPageRequest,
    sorting: SortOrder<Field>,
    selection: Selection,
  ): Promise<ProjectedRow[]> {
    const order = this.orderBy(sorting.field, sorting.direction === "ASC");
    const keys = this.idsOfPage(vendorId, filter, page * size, size, sorting);
    const rowCondition = isSearch(filter)
      ? await this.isAmongFound(vendorId, keys)
      : and(this.isOfVendor(vendorId), sql`${this.table.id} = any(array(${keys}))`);
    const rows = await this.query<NodeRow>(
      sql`select ${this.nodeSql(selection)} as node from ${this.table} where ${rowCondition} order by ${order}`,
    );
    return rows.map(({ node }) => node);
  }

  /** How many rows match. */
  async count(vendorId: number, filter: Filter): Promise<number> {
    const condition = and(this.isOfVendor(vendorId), this.definition.filterCondition(filter, vendorId));
    const query = sql`select count(*) as total from ${this.table} where ${condition}`;
    const [found] = await (isSearch(filter) ? this.runSearch<CountRow>(query) : this.query<CountRow>(query));
    return Number(found!.total);
  }

  /** For loaders: how many rows of each parent match. */
  async countOfEach(vendorId: number, parent: Parent, parentIds: readonly number[], filter: Filter): Promise<number[]> {
    const condition = and(
      this.isOfVendor(vendorId),
      this.isOfParent(vendorId, parent),
      this.definition.filterCondition(filter, vendorId),
    );
    const rows = await this.query<{ parent: string; total: string }>(sql`select parent.id as parent,
      (select count(*) from ${this.table} where ${condition}) as total from unnest(${bigintArray(parentIds)}) as parent(id)`);
    const totals = new Map(rows.map(({ parent: id, total }) => [Number(id), Number(total)]));
    return parentIds.map((id) => totals.get(id) ?? 0);
  }

  /** The numbers of a page's rows, as a statement. */
  protected idsOfPage(vendorId: number, filter: Filter, offset: number, size: number, sorting: SortOrder<Field>): SQL {
    const order = this.orderBy(sorting.field, sorting.direction === "ASC");
    return sql`select ${this.table.id} from ${this.table}
      where ${and(this.isOfVendor(vendorId), this.definition.filterCondition(filter, vendorId))} order by ${order} limit ${size} offset ${offset}`;
  }

  protected orderBy(field: Field, ascending: boolean): SQL {
    const [sort, id] = [this.definition.sorts[field], this.table.id];
    const direction = ascending ? sql`asc` : sql`desc`;
    const sortTerm = sort === id ? undefined : sql`${sortExpression(sort)} ${direction}, `;
    return sql`${sortTerm}${id} ${direction}`;
  }

  /** Rows belong to the parent of the statement. */
  private isOfParent(vendorId: number, parent: Parent): SQL {
    const parentCondition = this.definition.parentConditions[parent];
    const parentId = sql`parent.id`;
    return typeof parentCondition === "function"
      ? parentCondition(parentId, vendorId)
      : sql`${parentCondition} = ${parentId}`;
  }

  protected isOfVendor(vendorId: number): SQL {
    return eq(this.definition.ownerColumn ?? this.table.vendorId, vendorId);
  }

  private nodeSql(selection: Selection): SQL {
    return sql.raw(toJsonSql(this.definition.projection, selection));
  }

  protected query<Answer>(query: SQL): Promise<Answer[]> {
    return fetchRows<Answer>(this.db, query);
  }

  /** The rows that a search finds. They are read by another statement, which is long and need not be planned anew. */
  private async isAmongFound(vendorId: number, keys: SQL): Promise<SQL> {
    const found = await this.runSearch<{ id: string }>(keys);
    return and(
      this.isOfVendor(vendorId),
      idIsOneOf(
        this.table.id,
        found.map(({ id }) => Number(id)),
      ),
    )!;
  }

  /** As `ask`. How much a keyword finds, and so where to begin, is not known before it is: each search is planned anew. */
  private runSearch<Answer>(query: SQL): Promise<Answer[]> {
    return this.db.transaction(async (handle) => {
      await handle.execute(sql`set local plan_cache_mode = force_custom_plan`);
      return fetchRows<Answer>(handle, query);
    });
  }

  private planSlice(request: SliceRequest, { field, direction }: SortOrder<Field>) {
    const backwards = request.last != null;
    const ascending = (direction === "ASC") !== backwards;
    const column = this.definition.sorts[field];
    const kind = sortValueTypeOf(column);
    const cursor = backwards ? request.before : request.after;
    const start =
      cursor == null
        ? undefined
        : decodeCursor(cursor, `${this.name}:${field}`, column, backwards ? "before" : "after");
    return {
      backwards,
      size: (backwards ? request.last : request.first) ?? DEFAULT_SLICE_SIZE,
      order: this.orderBy(field, ascending),
      value: sql.raw(kind.toText(columnOfRow(`"${this.name}"`, column))),
      // Both at once, so that the slice is one range of the index.
      beyond:
        start &&
        sql`(${sortExpression(column)}, ${this.table.id}) ${ascending ? sql`>` : sql`<`} (${start.value ?? "-infinity"}::${sql.raw(kind.type)}, ${start.id}::bigint)`,
    };
  }

  private toSlice(
    rows: NodeRow[],
    request: SliceRequest,
    plan: { backwards: boolean; size: number },
    { field }: SortOrder<Field>,
  ): Slice<ProjectedRow> {
    const hasMore = rows.length > plan.size;
    const kept = rows.slice(0, plan.size);
    if (plan.backwards) kept.reverse();
    return {
      rows: kept.map(({ node, value }) => ({
        row: node,
        cursor: encodeCursor(`${this.name}:${field}`, value, node.id),
      })),
      hasNextPage: plan.backwards ? request.before != null : hasMore,
      hasPreviousPage: plan.backwards ? hasMore : request.after != null,
    };
  }
}

const fetchRows = async <Answer>(handle: Pick<Handle, "execute">, query: SQL): Promise<Answer[]> => [
  ...((await handle.execute(query)) as Iterable<Answer>),
];

/** Whether a filter has a text to look for. */
const isSearch = (filter: unknown): boolean => {
  const { keyword, phone } = filter as { keyword?: string | null; phone?: string | null };
  return keyword != null || phone != null;
};

interface CountRow {
  total: string;
}

interface NodeRow {
  node: ProjectedRow;
  /** Null for a time that is not set. */
  value: string | null;
  parent?: string;
}

/** Where a cursor stands: at the value that its row is sorted by, null for a time that is not set, and at its number. */
interface CursorPosition {
  value: string | null;
  id: number;
}

/** How the values of a sort key are written into a cursor, and which texts are such values. */
interface SortValueType {
  type: string;
  toText: (sql: string) => string;
  isValid: (text: string) => boolean;
}

const sortValueTypes: Record<"timestamp" | "numeric" | "text", SortValueType> = {
  timestamp: {
    type: "timestamptz",
    toText: utcSql,
    // A day that no calendar has is one of the next month to JavaScript, and an error to the database.
    isValid: (text) => isWritableInstant(new Date(text)) && new Date(text).toISOString() === text,
  },
  numeric: { type: "numeric", toText: decimalSql, isValid: (text) => /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) },
  text: { type: "text", toText: (sql) => sql, isValid: (text) => !text.includes("\0") && text.isWellFormed() },
};

function sortValueTypeOf(column: PgColumn): SortValueType {
  const type = column.getSQLType();
  return type.startsWith("timestamp")
    ? sortValueTypes.timestamp
    : /^(?:numeric|bigint|integer)/.test(type)
      ? sortValueTypes.numeric
      : sortValueTypes.text;
}

const encodeCursor = (list: string, value: string | null, id: number): string =>
  Buffer.from(JSON.stringify([list, value, id])).toString("base64url");

/** A cursor names its list and order, so that one of another is not taken for a place in this one. */
function decodeCursor(cursor: string, list: string, column: PgColumn, argument: string): CursorPosition {
  const [, value, id] = decodeCursorParts(cursor);
  const isValue =
    value === null ? !column.notNull : typeof value === "string" && sortValueTypeOf(column).isValid(value);
  const isValid = isValue && Number.isSafeInteger(id) && (id as number) > 0;
  // Written anew it must be the same: there is one cursor for each place.
  if (!isValid || encodeCursor(list, value as CursorPosition["value"], id as number) !== cursor) {
    throw invalidField(argument, "is not a cursor of this list in this order; take one from `pageInfo` or an edge.");
  }
  return { value: value as CursorPosition["value"], id: id as number };
}

function decodeCursorParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
