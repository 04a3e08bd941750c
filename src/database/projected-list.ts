import { and, eq, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { invalidField } from "../kernel/refusals.ts";
import { isWritable } from "../kernel/instants.ts";
import { DEFAULT_SLICE, type Slice, type SliceRequest } from "../kernel/slice.ts";
import type { Handle } from "./client.ts";
import { sortable } from "./conditions.ts";
import { anyOf, bigints, type Sorting } from "./keyset-list.ts";
import { at, decimal, jsonOf, utc, type Selection, type Shape } from "./projection.ts";

/** A record as it was selected, its values as they stand on the wire. Its number is always there. */
export interface Shaped {
  id: number;
  [field: string]: unknown;
}

/** A page by its number, counted from 0. */
export interface PageRequest {
  page: number;
  size: number;
}

/** How a list of shaped records is made of its table. A column that it is sorted by has no nulls, or is a time. */
export interface ListShape<Filter, Field extends string, Parent extends string> {
  shape: Shape;
  /** The column that says whose the rows are, where it is not the vendor that every other table begins with. */
  owner?: PgColumn;
  sorts: Record<Field, PgColumn>;
  /** By which columns, or by which condition, rows belong to a parent. */
  parents: Record<Parent, PgColumn | ((parentId: SQL, vendorId: number) => SQL)>;
  matching: (filter: Filter, vendorId: number) => SQL | undefined;
}

/**
 * A vendor's records, read as they are selected: one, many by number, slice by slice, page by page, or one slice for each
 * of many parents. Each question is one statement, whatever lies below the records.
 */
export class ShapedList<Filter, Field extends string = string, Parent extends string = string> {
  /** The table that the list is made of. */
  readonly name: string;
  readonly fields: readonly Field[];
  protected readonly table: PgTable & { vendorId: PgColumn; id: PgColumn };

  constructor(
    protected readonly db: Handle,
    protected readonly list: ListShape<Filter, Field, Parent>,
  ) {
    this.table = list.shape.table as typeof this.table;
    this.name = getTableName(this.table);
    this.fields = Object.keys(list.sorts) as Field[];
  }

  /** The record for which a condition holds, or null. */
  async one(vendorId: number, condition: SQL, selection: Selection): Promise<Shaped | null> {
    const [found] = await this.ask<Row>(sql`select ${this.node(selection)} as node from ${this.table}
      where ${and(this.of(vendorId), condition)} limit 1`);
    return found?.node ?? null;
  }

  byId(vendorId: number, id: number, selection: Selection): Promise<Shaped | null> {
    return this.one(vendorId, eq(this.table.id, id), selection);
  }

  /** Those of the numbers that exist, in no particular order. */
  async byIds(vendorId: number, ids: readonly number[], selection: Selection): Promise<Shaped[]> {
    const found = await this.ask<Row>(sql`select ${this.node(selection)} as node from ${this.table}
      where ${and(this.of(vendorId), anyOf(this.table.id, ids))}`);
    return found.map(({ node }) => node);
  }

  /** One slice of all the rows that match. */
  async slice(
    vendorId: number,
    filter: Filter,
    request: SliceRequest,
    sorting: Sorting<Field>,
    selection: Selection,
  ): Promise<Slice<Shaped>> {
    const plan = this.plan(request, sorting);
    const asked = and(this.of(vendorId), this.list.matching(filter, vendorId), plan.beyond);
    const tail = sql`order by ${plan.order} limit ${plan.size + 1}`;
    const which = isSearch(filter)
      ? await this.among(vendorId, sql`select ${this.table.id} from ${this.table} where ${asked} ${tail}`)
      : asked;
    const rows = await this.ask<Row>(
      sql`select ${this.node(selection)} as node, ${plan.value} as value from ${this.table} where ${which} ${tail}`,
    );
    return this.cut(rows, request, plan, sorting);
  }

  /** For loaders: the same slice of the list of each parent. */
  async sliceOfEach(
    vendorId: number,
    parent: Parent,
    parentIds: readonly number[],
    filter: Filter,
    request: SliceRequest,
    sorting: Sorting<Field>,
    selection: Selection,
  ): Promise<Slice<Shaped>[]> {
    const plan = this.plan(request, sorting);
    const rows = await this.ask<Row>(sql`select parent.id as parent, child.node, child.value
      from unnest(${bigints(parentIds)}) as parent(id)
      cross join lateral (select ${this.node(selection)} as node, ${plan.value} as value from ${this.table}
        where ${and(this.of(vendorId), this.mine(vendorId, parent), this.list.matching(filter, vendorId), plan.beyond)}
        order by ${plan.order} limit ${plan.size + 1}) as child`);
    const lists = new Map(parentIds.map((id) => [id, [] as Row[]]));
    for (const row of rows) lists.get(Number(row.parent))?.push(row);
    return parentIds.map((id) => this.cut(lists.get(id) ?? [], request, plan, sorting));
  }

  /** The rows of a numbered page. They are found on the index alone before anything of them is read. */
  async page(
    vendorId: number,
    filter: Filter,
    { page, size }: PageRequest,
    sorting: Sorting<Field>,
    selection: Selection,
  ): Promise<Shaped[]> {
    const order = this.order(sorting.field, sorting.direction === "ASC");
    const keys = this.keysAt(vendorId, filter, page * size, size, sorting);
    const which = isSearch(filter)
      ? await this.among(vendorId, keys)
      : and(this.of(vendorId), sql`${this.table.id} = any(array(${keys}))`);
    const rows = await this.ask<Row>(
      sql`select ${this.node(selection)} as node from ${this.table} where ${which} order by ${order}`,
    );
    return rows.map(({ node }) => node);
  }

  /** How many rows match. */
  async count(vendorId: number, filter: Filter): Promise<number> {
    const condition = and(this.of(vendorId), this.list.matching(filter, vendorId));
    const query = sql`select count(*) as total from ${this.table} where ${condition}`;
    const [found] = await (isSearch(filter) ? this.search<Total>(query) : this.ask<Total>(query));
    return Number(found!.total);
  }

  /** For loaders: how many rows of each parent match. */
  async countOfEach(vendorId: number, parent: Parent, parentIds: readonly number[], filter: Filter): Promise<number[]> {
    const mine = and(this.of(vendorId), this.mine(vendorId, parent), this.list.matching(filter, vendorId));
    const rows = await this.ask<{ parent: string; total: string }>(sql`select parent.id as parent,
      (select count(*) from ${this.table} where ${mine}) as total from unnest(${bigints(parentIds)}) as parent(id)`);
    const totals = new Map(rows.map(({ parent: id, total }) => [Number(id), Number(total)]));
    return parentIds.map((id) => totals.get(id) ?? 0);
  }

  /** The numbers of a page's rows, as a statement. */
  protected keysAt(vendorId: number, filter: Filter, offset: number, size: number, sorting: Sorting<Field>): SQL {
    const order = this.order(sorting.field, sorting.direction === "ASC");
    return sql`select ${this.table.id} from ${this.table}
      where ${and(this.of(vendorId), this.list.matching(filter, vendorId))} order by ${order} limit ${size} offset ${offset}`;
  }

  protected order(field: Field, rising: boolean): SQL {
    const [sort, id] = [this.list.sorts[field], this.table.id];
    const direction = rising ? sql`asc` : sql`desc`;
    const own = sort === id ? undefined : sql`${sortable(sort)} ${direction}, `;
    return sql`${own}${id} ${direction}`;
  }

  /** Rows belong to the parent of the statement. */
  private mine(vendorId: number, parent: Parent): SQL {
    const by = this.list.parents[parent];
    const parentId = sql`parent.id`;
    return typeof by === "function" ? by(parentId, vendorId) : sql`${by} = ${parentId}`;
  }

  protected of(vendorId: number): SQL {
    return eq(this.list.owner ?? this.table.vendorId, vendorId);
  }

  private node(selection: Selection): SQL {
    return sql.raw(jsonOf(this.list.shape, selection));
  }

  protected ask<Answer>(query: SQL): Promise<Answer[]> {
    return answersOf<Answer>(this.db, query);
  }

  /** The rows that a search finds. They are read by another statement, which is long and need not be planned anew. */
  private async among(vendorId: number, keys: SQL): Promise<SQL> {
    const found = await this.search<{ id: string }>(keys);
    return and(
      this.of(vendorId),
      anyOf(
        this.table.id,
        found.map(({ id }) => Number(id)),
      ),
    )!;
  }

  /** As `ask`. How much a keyword finds, and so where to begin, is not known before it is: each search is planned anew. */
  private search<Answer>(query: SQL): Promise<Answer[]> {
    return this.db.transaction(async (handle) => {
      await handle.execute(sql`set local plan_cache_mode = force_custom_plan`);
      return answersOf<Answer>(handle, query);
    });
  }

  private plan(request: SliceRequest, { field, direction }: Sorting<Field>) {
    const backwards = request.last != null;
    const rising = (direction === "ASC") !== backwards;
    const column = this.list.sorts[field];
    const kind = kindOf(column);
    const cursor = backwards ? request.before : request.after;
    const from =
      cursor == null ? undefined : readCursor(cursor, `${this.name}:${field}`, column, backwards ? "before" : "after");
    return {
      backwards,
      size: (backwards ? request.last : request.first) ?? DEFAULT_SLICE,
      order: this.order(field, rising),
      value: sql.raw(kind.text(at(`"${this.name}"`, column))),
      // Both at once, so that the slice is one range of the index.
      beyond:
        from &&
        sql`(${sortable(column)}, ${this.table.id}) ${rising ? sql`>` : sql`<`} (${from.value ?? "-infinity"}::${sql.raw(kind.type)}, ${from.id}::bigint)`,
    };
  }

  private cut(
    rows: Row[],
    request: SliceRequest,
    plan: { backwards: boolean; size: number },
    { field }: Sorting<Field>,
  ): Slice<Shaped> {
    const more = rows.length > plan.size;
    const kept = rows.slice(0, plan.size);
    if (plan.backwards) kept.reverse();
    return {
      rows: kept.map(({ node, value }) => ({
        row: node,
        cursor: writeCursor(`${this.name}:${field}`, value, node.id),
      })),
      hasNextPage: plan.backwards ? request.before != null : more,
      hasPreviousPage: plan.backwards ? more : request.after != null,
    };
  }
}

const answersOf = async <Answer>(handle: Pick<Handle, "execute">, query: SQL): Promise<Answer[]> => [
  ...((await handle.execute(query)) as Iterable<Answer>),
];

/** Whether a filter has a text to look for. */
const isSearch = (filter: unknown): boolean => {
  const { keyword, phone } = filter as { keyword?: string | null; phone?: string | null };
  return keyword != null || phone != null;
};

interface Total {
  total: string;
}

interface Row {
  node: Shaped;
  /** Null for a time that is not set. */
  value: string | null;
  parent?: string;
}

/** Where a cursor stands: at the value that its row is sorted by, null for a time that is not set, and at its number. */
interface Place {
  value: string | null;
  id: number;
}

/** How the values of a sort key are written into a cursor, and which texts are such values. */
interface Kind {
  type: string;
  text: (sql: string) => string;
  reads: (text: string) => boolean;
}

const kinds: Record<"timestamp" | "numeric" | "text", Kind> = {
  timestamp: {
    type: "timestamptz",
    text: utc,
    // A day that no calendar has is one of the next month to JavaScript, and an error to the database.
    reads: (text) => isWritable(new Date(text)) && new Date(text).toISOString() === text,
  },
  numeric: { type: "numeric", text: decimal, reads: (text) => /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) },
  text: { type: "text", text: (sql) => sql, reads: (text) => !text.includes("\0") && text.isWellFormed() },
};

function kindOf(column: PgColumn): Kind {
  const type = column.getSQLType();
  return type.startsWith("timestamp")
    ? kinds.timestamp
    : /^(?:numeric|bigint|integer)/.test(type)
      ? kinds.numeric
      : kinds.text;
}

const writeCursor = (list: string, value: string | null, id: number): string =>
  Buffer.from(JSON.stringify([list, value, id])).toString("base64url");

/** A cursor names its list and order, so that one of another is not taken for a place in this one. */
function readCursor(cursor: string, list: string, column: PgColumn, argument: string): Place {
  const [, value, id] = partsOf(cursor);
  const isValue = value === null ? !column.notNull : typeof value === "string" && kindOf(column).reads(value);
  const known = isValue && Number.isSafeInteger(id) && (id as number) > 0;
  // Written anew it must be the same: there is one cursor for each place.
  if (!known || writeCursor(list, value as Place["value"], id as number) !== cursor) {
    throw invalidField(argument, "is not a cursor of this list in this order; take one from `pageInfo` or an edge.");
  }
  return { value: value as Place["value"], id: id as number };
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
