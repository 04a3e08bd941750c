import { getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Handle } from "../client.ts";
import { PagedList, type Answer, type ListDefinition, type VendorTable } from "./paged-list.ts";
import { columnOfRow } from "../projection.ts";

/** A vendor's list of whole records: all columns of a row, as Drizzle reads them. */
export class RecordList<
  Row extends { id: number },
  Filter,
  Field extends string = string,
  Parent extends string = string,
> extends PagedList<Row, Filter, Field, Parent, []> {
  constructor(db: Handle, { table, ...definition }: ListDefinition<Filter, Field, Parent> & { table: VendorTable }) {
    super(db, table, definition);
  }

  protected override columns(): SQL {
    return sql.raw(columnsOf(this.table).text);
  }

  protected override toRow(answer: Answer): Row {
    const record: Record<string, unknown> = {};
    for (const [key, column] of columnsOf(this.table).all) {
      const value = answer[column.name];
      record[key] = value === null ? null : column.mapFromDriverValue(value);
    }
    // `Row` is the row of this table, which Drizzle types only for a table that is not generic.
    return record as Row;
  }
}

interface Columns {
  text: string;
  all: [key: string, column: PgColumn][];
}

const columnsOfTables = new WeakMap<PgTable, Columns>();

function columnsOf(table: PgTable): Columns {
  let columns = columnsOfTables.get(table);
  if (!columns) {
    const all = Object.entries(getTableColumns(table));
    columns = { all, text: all.map(([, column]) => columnOfRow(`"${getTableName(table)}"`, column)).join(", ") };
    columnsOfTables.set(table, columns);
  }
  return columns;
}
