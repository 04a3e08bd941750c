import { and, eq, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { SortDirection } from "../../../schema/vocabulary.ts";
import { DEFAULT_SLICE_SIZE, type Slice, type SliceRequest } from "../../kernel/slice.ts";
import type { Handle } from "../client.ts";
import { bigintArray, idIsOneOf } from "../conditions.ts";
import { decodeCursor, encodeCursor, sortNameOf, type CursorPosition } from "./cursor.ts";
import type { ProjectedValue } from "../projection.ts";
import { sortKeyOf, type SortKey } from "./sort-key.ts";

/** The sort order of a list. Ties are sorted by id. */
export interface SortOrder<Field extends string = string> {
  field: Field;
  direction: SortDirection;
}

/** A page by its number, counted from 0. */
export interface NumberedPageRequest {
  page: number;
  size: number;
}

/** A table whose rows belong to vendors. */
export type VendorTable = PgTable & { vendorId: PgColumn; id: PgColumn };

/** The rows of a list, and their sorts. Each sort needs an index. */
export interface ListDefinition<Filter, Field extends string, Parent extends string> {
  /** The column with the vendor of a row. Defaults to `vendor_id`. */
  ownerColumn?: PgColumn;
  /** A column that can be null is a time; SQL is a time of every row. */
  sorts: Record<Field, ProjectedValue>;
  /** The column, or the condition, by which rows belong to a parent. */
  parentConditions: Record<Parent, PgColumn | ((parentId: SQL, vendorId: number) => SQL)>;
  filterCondition: (filter: Filter, vendorId: number) => SQL | undefined;
}

/** One row of an answer, as the driver gives it. */
export type Answer = Readonly<Record<string, unknown>>;

type SliceAnswer = Answer & { cursor_value: string | null; slice_parent?: string };

/** How one slice is read: which rows, in which order, and how the order is written into cursors. */
export interface SlicePlan {
  isBackwards: boolean;
  size: number;
  key: SortKey;
  sortName: string;
  start: CursorPosition | undefined;
  isAscending: boolean;
  /** The rows beyond the cursor, whose position is `start`; both undefined for all. */
  beyondCursor: SQL | undefined;
  /** The order and limit of the statement: one row more than the slice has says whether others follow. */
  tail: SQL;
}

/**
 * Reads a vendor's table as slices after or before a cursor, as numbered pages, and as a slice for each of many parents. Each
 * is one statement. Subclasses say what is read of a row; `Read` are the arguments that they need for it.
 */
export abstract class PagedList<
  Row extends { id: number },
  Filter,
  Field extends string = string,
  Parent extends string = string,
  Read extends readonly object[] = readonly object[],
> {
  /** The name of the table. */
  readonly name: string;

  constructor(
    protected readonly db: Handle,
    protected readonly table: VendorTable,
    protected readonly definition: ListDefinition<Filter, Field, Parent>,
  ) {
    this.name = getTableName(table);
  }

  /** SQL of the columns that are read of a vendor's row. */
  protected abstract columns(vendorId: number, ...read: Read): SQL;

  /** The row with these columns. */
  protected abstract toRow(answer: Answer): Row;

  /** One slice of all rows that match. A cursor is a key of the index, so the last slice costs what the first one does. */
  async slice(
    vendorId: number,
    filter: Filter,
    request: SliceRequest,
    sorting: SortOrder<Field>,
    ...read: Read
  ): Promise<Slice<Row>> {
    const plan = this.planSlice(request, sorting);
    const condition = this.isInSlice(vendorId, filter, plan);
    const rowCondition = isSearch(filter)
      ? await this.isAmongFound(
          vendorId,
          sql`select ${this.table.id} from ${this.table} where ${condition} ${plan.tail}`,
        )
      : condition;
    const answers = await this.queryRecords<SliceAnswer>(
      vendorId,
      sql`select ${this.columns(vendorId, ...read)}, ${plan.key.text} as cursor_value from ${this.table} where ${rowCondition} ${plan.tail}`,
      ...read,
    );
    return this.toSlice(answers, request, plan);
  }

  /** For loaders: the same slice of the list of each parent. */
  async sliceOfEach(
    vendorId: number,
    parent: Parent,
    parentIds: readonly number[],
    filter: Filter,
    request: SliceRequest,
    sorting: SortOrder<Field>,
    ...read: Read
  ): Promise<Slice<Row>[]> {
    const plan = this.planSlice(request, sorting);
    const condition = and(this.matches(vendorId, filter), this.isOfParent(vendorId, parent), plan.beyondCursor);
    const answers = await this.queryRecords<SliceAnswer>(
      vendorId,
      sql`select parent.id as slice_parent, child.*
      from unnest(${bigintArray(parentIds)}) as parent(id)
      cross join lateral (select ${this.columns(vendorId, ...read)}, ${plan.key.text} as cursor_value from ${this.table}
        where ${condition} ${plan.tail}) as child`,
      ...read,
    );
    const lists = new Map(parentIds.map((id) => [id, [] as SliceAnswer[]]));
    for (const answer of answers) lists.get(Number(answer.slice_parent))?.push(answer);
    return parentIds.map((id) => this.toSlice(lists.get(id) ?? [], request, plan));
  }

  /** The rows of a numbered page. Their ids are found on the index alone before anything else of them is read. */
  async page(
    vendorId: number,
    filter: Filter,
    { page, size }: NumberedPageRequest,
    sorting: SortOrder<Field>,
    ...read: Read
  ): Promise<Row[]> {
    const order = this.orderBy(sorting.field, sorting.direction === "ASC");
    const ids = this.idsOfPage(vendorId, filter, page * size, size, sorting);
    const rowCondition = isSearch(filter)
      ? await this.isAmongFound(vendorId, ids)
      : and(this.isOfVendor(vendorId), sql`${this.table.id} = any(array(${ids}))`);
    const answers = await this.queryRecords<Answer>(
      vendorId,
      sql`select ${this.columns(vendorId, ...read)} from ${this.table} where ${rowCondition} order by ${order}`,
      ...read,
    );
    return answers.map((answer) => this.toRow(answer));
  }

  /** Number of matching rows. */
  async count(vendorId: number, filter: Filter): Promise<number> {
    const query = sql`select count(*) as total from ${this.table} where ${this.matches(vendorId, filter)}`;
    const [found] = await (isSearch(filter) ? this.runSearch<CountAnswer>(query) : this.query<CountAnswer>(query));
    return Number(found?.total);
  }

  /** For loaders: how many rows of each parent match. */
  async countOfEach(vendorId: number, parent: Parent, parentIds: readonly number[], filter: Filter): Promise<number[]> {
    const column = this.definition.parentConditions[parent];
    const matches = this.matches(vendorId, filter);
    // Where a column says whose a row is, counting all at once reads the index once, not once for each parent.
    const query =
      typeof column === "function"
        ? sql`select parent.id as parent,
            (select count(*) from ${this.table} where ${and(matches, this.isOfParent(vendorId, parent))}) as total
            from unnest(${bigintArray(parentIds)}) as parent(id)`
        : sql`select ${column} as parent, count(*) as total from ${this.table}
            where ${and(matches, idIsOneOf(column, parentIds))} group by ${column}`;
    const answers = await this.query<CountAnswer & { parent: string }>(query);
    const totals = new Map(answers.map(({ parent: id, total }) => [Number(id), Number(total)]));
    return parentIds.map((id) => totals.get(id) ?? 0);
  }

  /** The statement that finds the ids of a page's rows. */
  protected idsOfPage(vendorId: number, filter: Filter, offset: number, size: number, sorting: SortOrder<Field>): SQL {
    const order = this.orderBy(sorting.field, sorting.direction === "ASC");
    return sql`select ${this.table.id} from ${this.table}
      where ${this.matches(vendorId, filter)} order by ${order} limit ${size} offset ${offset}`;
  }

  /** The rows that a slice begins with. A list can lead to them by an index of its own. */
  protected isInSlice(vendorId: number, filter: Filter, { beyondCursor }: SlicePlan): SQL | undefined {
    return and(this.matches(vendorId, filter), beyondCursor);
  }

  protected isOfVendor(vendorId: number): SQL {
    return eq(this.definition.ownerColumn ?? this.table.vendorId, vendorId);
  }

  /** The rows of a statement that reads records. */
  protected async queryRecords<Row extends Answer>(_vendorId: number, statement: SQL, ..._read: Read): Promise<Row[]> {
    return this.query<Row>(statement);
  }

  protected async query<Row>(statement: SQL): Promise<Row[]> {
    return fetchRows<Row>(this.db, statement);
  }

  private matches(vendorId: number, filter: Filter): SQL | undefined {
    return and(this.isOfVendor(vendorId), this.definition.filterCondition(filter, vendorId));
  }

  /** Rows belong to the `parent` of the statement. */
  private isOfParent(vendorId: number, parent: Parent): SQL {
    const parentCondition = this.definition.parentConditions[parent];
    const parentId = sql`parent.id`;
    return typeof parentCondition === "function"
      ? parentCondition(parentId, vendorId)
      : sql`${parentCondition} = ${parentId}`;
  }

  /** Reads the rows that a search finds by another statement, which is long and need not be planned anew. */
  private async isAmongFound(vendorId: number, search: SQL): Promise<SQL | undefined> {
    const found = await this.runSearch<{ id: string }>(search);
    const ids = found.map(({ id }) => Number(id));
    return and(this.isOfVendor(vendorId), idIsOneOf(this.table.id, ids));
  }

  /** Plans a search anew each time: how much a keyword finds, and so which index is best, depends on the keyword. */
  private runSearch<Row>(statement: SQL): Promise<Row[]> {
    return this.db.transaction(async (handle) => {
      await handle.execute(sql`set local plan_cache_mode = force_custom_plan`);
      return fetchRows<Row>(handle, statement);
    });
  }

  private sortKey(field: Field): SortKey {
    return sortKeyOf(this.definition.sorts[field], `"${this.name}"`);
  }

  private orderBy(field: Field, isAscending: boolean): SQL {
    const direction = isAscending ? sql`asc` : sql`desc`;
    const sortTerm =
      this.definition.sorts[field] === this.table.id
        ? undefined
        : sql`${this.sortKey(field).expression} ${direction}, `;
    return sql`${sortTerm}${this.table.id} ${direction}`;
  }

  private planSlice(request: SliceRequest, { field, direction }: SortOrder<Field>): SlicePlan {
    const isBackwards = request.last != null;
    const isAscending = (direction === "ASC") !== isBackwards;
    const size = (isBackwards ? request.last : request.first) ?? DEFAULT_SLICE_SIZE;
    const key = this.sortKey(field);
    const sortName = sortNameOf(this.name, field, direction);
    const [argument, cursor] = isBackwards
      ? (["before", request.before] as const)
      : (["after", request.after] as const);
    const start = cursor == null ? undefined : decodeCursor(cursor, sortName, key, argument);
    return {
      isBackwards,
      size,
      key,
      sortName,
      start,
      isAscending,
      beyondCursor: start && this.isBeyond(start, key, isAscending),
      tail: sql`order by ${this.orderBy(field, isAscending)} limit ${size + 1}`,
    };
  }

  /** Compares both values at once, so that the slice is one range of the index. */
  private isBeyond({ value, id }: CursorPosition, key: SortKey, isAscending: boolean): SQL {
    const comparison = isAscending ? sql`>` : sql`<`;
    return sql`(${key.expression}, ${this.table.id}) ${comparison} (${key.toParameter(value)}, ${id}::bigint)`;
  }

  private toSlice(answers: readonly SliceAnswer[], request: SliceRequest, plan: SlicePlan): Slice<Row> {
    const { isBackwards, size, sortName } = plan;
    const hasMore = answers.length > size;
    const kept = answers.slice(0, size);
    if (isBackwards) kept.reverse();
    return {
      rows: kept.map((answer) => {
        const row = this.toRow(answer);
        return { row, cursor: encodeCursor(sortName, { value: answer.cursor_value, id: row.id }) };
      }),
      hasNextPage: isBackwards ? request.before != null : hasMore,
      hasPreviousPage: isBackwards ? hasMore : request.after != null,
    };
  }
}

interface CountAnswer {
  total: string;
}

const fetchRows = async <Row>(handle: Pick<Handle, "execute">, statement: SQL): Promise<Row[]> => [
  ...((await handle.execute(statement)) as Iterable<Row>),
];

/** Whether a filter has a text to look for. */
const isSearch = (filter: unknown): boolean => {
  const { keyword, phone } = filter as { keyword?: string | null; phone?: string | null };
  return keyword != null || phone != null;
};
