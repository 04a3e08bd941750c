import { and, asc, count, desc, eq, getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable, SelectedFields } from "drizzle-orm/pg-core";
import type { SortDirection } from "../../schema/vocabulary.ts";
import { invalidField } from "../kernel/refusals.ts";
import { isWritableInstant } from "../kernel/instants.ts";
import { DEFAULT_SLICE_SIZE, type Slice, type SliceRequest } from "../kernel/slice.ts";
import type { Handle } from "./client.ts";

/** One way in which a list can be sorted: by a value that every row has, ties by id. */
export interface SortKey<Row> {
  expression: PgColumn | SQL;
  valueOf: (row: Row) => Date;
}

/** What a list is sorted by. */
export interface SortOrder<Field extends string = string> {
  field: Field;
  direction: SortDirection;
}

type FencedTable = PgTable & { vendorId: PgColumn; id: PgColumn };

/** How a list is made of a table. */
export interface KeysetListDefinition<Row, Filter, Field extends string, Parent extends string> {
  table: FencedTable;
  sorts: Record<Field, SortKey<Row>>;
  /** The columns by which rows belong to a parent. */
  parentColumns: Record<Parent, PgColumn>;
  filterCondition: (filter: Filter) => SQL | undefined;
}

/**
 * A vendor's list, read slice by slice: whole, or one list for each of many parents in a single statement.
 * A slice begins after a key, not after a count of rows, so the last page costs what the first one does.
 */
export class KeysetList<
  Row extends { id: number },
  Filter,
  Field extends string = string,
  Parent extends string = string,
> {
  /** The table that the list is made of. */
  readonly name: string;
  private readonly table: FencedTable;

  constructor(
    private readonly db: Handle,
    private readonly definition: KeysetListDefinition<Row, Filter, Field, Parent>,
  ) {
    this.table = definition.table;
    this.name = getTableName(definition.table);
  }

  /** One slice of all the rows that match. */
  async slice(vendorId: number, filter: Filter, request: SliceRequest, sorting: SortOrder<Field>): Promise<Slice<Row>> {
    const plan = this.planSlice(request, sorting);
    const rows = await this.db
      .select()
      .from(this.table as PgTable)
      .where(and(eq(this.table.vendorId, vendorId), this.definition.filterCondition(filter), plan.beyond))
      .orderBy(...plan.order)
      .limit(plan.size + 1);
    return this.toSlice(rows as Row[], request, plan, sorting);
  }

  /** For loaders: the same slice of the list of each parent. */
  async sliceOfEach(
    vendorId: number,
    parent: Parent,
    parentIds: readonly number[],
    filter: Filter,
    request: SliceRequest,
    sorting: SortOrder<Field>,
  ): Promise<Slice<Row>[]> {
    const plan = this.planSlice(request, sorting);
    const child = this.db
      .select()
      .from(this.table as PgTable)
      .where(
        and(
          eq(this.table.vendorId, vendorId),
          eq(this.definition.parentColumns[parent], sql`parent.id`),
          this.definition.filterCondition(filter),
          plan.beyond,
        ),
      )
      .orderBy(...plan.order)
      .limit(plan.size + 1)
      .as("child");
    const columns = getTableColumns(this.table);
    const fields = Object.fromEntries(
      Object.keys(columns).map((key) => [key, (child as never)[key]]),
    ) as SelectedFields;
    const rows = await this.db
      .select({ ...fields, parentOfSlice: sql<number>`parent.id`.mapWith(Number).as("parent_of_slice") })
      .from(sql`unnest(${bigintArray(parentIds)}) as parent(id)`)
      .innerJoinLateral(child, sql`true`);
    const lists = new Map(parentIds.map((id) => [id, [] as Row[]]));
    for (const { parentOfSlice, ...row } of rows) lists.get(parentOfSlice)?.push(row as unknown as Row);
    return parentIds.map((id) => this.toSlice(lists.get(id) ?? [], request, plan, sorting));
  }

  /** How many rows match. */
  count(vendorId: number, filter: Filter): Promise<number> {
    return this.db.$count(
      this.table as PgTable,
      and(eq(this.table.vendorId, vendorId), this.definition.filterCondition(filter)),
    );
  }

  /** For loaders: how many rows of each parent match. */
  async countOfEach(vendorId: number, parent: Parent, parentIds: readonly number[], filter: Filter): Promise<number[]> {
    const column = this.definition.parentColumns[parent];
    const rows = await this.db
      .select({ parent: sql<number>`${column}`.mapWith(Number), total: count() })
      .from(this.table as PgTable)
      .where(
        and(eq(this.table.vendorId, vendorId), idIsOneOf(column, parentIds), this.definition.filterCondition(filter)),
      )
      .groupBy(column);
    const totals = new Map(rows.map((row) => [row.parent, row.total]));
    return parentIds.map((id) => totals.get(id) ?? 0);
  }

  private planSlice(request: SliceRequest, { field, direction }: SortOrder<Field>) {
    const backwards = request.last != null;
    const ascending = (direction === "ASC") !== backwards;
    const [sort, id] = [this.definition.sorts[field].expression, this.table.id];
    const cursor = backwards ? request.before : request.after;
    const [order, comparison] = ascending ? [asc, sql`>`] : [desc, sql`<`];
    const start =
      cursor == null ? undefined : decodeCursor(cursor, `${this.name}:${field}`, backwards ? "before" : "after");
    return {
      backwards,
      size: (backwards ? request.last : request.first) ?? DEFAULT_SLICE_SIZE,
      order: [order(sort), order(id)],
      // Both at once, so that the slice is one range of the index.
      beyond:
        start && sql`(${sort}, ${id}) ${comparison} (${start.value.toISOString()}::timestamptz, ${start.id}::bigint)`,
    };
  }

  private toSlice(
    rows: Row[],
    request: SliceRequest,
    plan: { backwards: boolean; size: number },
    { field }: SortOrder<Field>,
  ): Slice<Row> {
    const hasMore = rows.length > plan.size;
    const kept = rows.slice(0, plan.size);
    if (plan.backwards) kept.reverse();
    return {
      rows: kept.map((row) => ({
        row,
        cursor: encodeCursor(`${this.name}:${field}`, this.definition.sorts[field].valueOf(row), row.id),
      })),
      hasNextPage: plan.backwards ? request.before != null : hasMore,
      hasPreviousPage: plan.backwards ? hasMore : request.after != null,
    };
  }
}

/** A column is one of many numbers: one statement shape, however many they are. */
export const idIsOneOf = (column: PgColumn, ids: readonly number[]): SQL => sql`${column} = any(${bigintArray(ids)})`;

/** Numbers as one parameter: one statement shape, however many they are. */
export const bigintArray = (ids: readonly number[]) => sql`${`{${ids.join(",")}}`}::bigint[]`;

const encodeCursor = (list: string, value: Date, id: number): string =>
  Buffer.from(`${list}:${value.getTime()}:${id}`).toString("base64url");

/** A cursor names its list and order, so that one of another is not taken for a place in this one. */
function decodeCursor(cursor: string, list: string, argument: string): { value: Date; id: number } {
  const [value, id] = Buffer.from(cursor, "base64url").toString().split(":").slice(-2).map(Number);
  const instant = new Date(value ?? NaN);
  const isValid = isWritableInstant(instant) && Number.isSafeInteger(id) && id! > 0;
  // Written anew it must be the same: there is one cursor for each place.
  if (!isValid || encodeCursor(list, instant, id!) !== cursor) {
    throw invalidField(argument, "is not a cursor of this list in this order; take one from `pageInfo` or an edge.");
  }
  return { value: instant, id: id! };
}
