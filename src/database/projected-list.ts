import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Handle } from "./client.ts";
import { idIsOneOf } from "./conditions.ts";
import { PagedList, type Answer, type ListDefinition, type VendorTable } from "./paged-list.ts";
import { ResponseText } from "../kernel/response-text.ts";
import { toJsonSql, type Projection, type Selection } from "./projection.ts";
import { TextPlan } from "./response-text/text-plan.ts";
import { toTextSql } from "./response-text/text-sql.ts";

/** What is read of a record: its selected fields, or its text in the answer. */
export type RecordSelection = Selection | TextPlan;

/** A record as it was selected, its values as they stand on the wire. Its number is always there. */
export interface ProjectedRow {
  id: number;
  [field: string]: unknown;
}

/** A vendor's list of records that are read as they are selected, with all that lies below them, in one statement. */
export class ProjectedList<Filter, Field extends string = string, Parent extends string = string> extends PagedList<
  ProjectedRow,
  Filter,
  Field,
  Parent,
  [selection: RecordSelection]
> {
  private readonly projection: Projection;

  constructor(
    db: Handle,
    { projection, ...definition }: ListDefinition<Filter, Field, Parent> & { projection: Projection },
  ) {
    super(db, projection.table as VendorTable, definition);
    this.projection = projection;
  }

  /** The record that satisfies the condition, or null. */
  async findOne(vendorId: number, condition: SQL, selection: RecordSelection): Promise<ProjectedRow | null> {
    const [found] = await this.query<Answer>(sql`select ${this.columns(selection)} from ${this.table}
      where ${and(this.isOfVendor(vendorId), condition)} limit 1`);
    return found ? this.toRow(found) : null;
  }

  byId(vendorId: number, id: number, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.findOne(vendorId, eq(this.table.id, id), selection);
  }

  /** Those of the numbers that exist, in no particular order. */
  async byIds(vendorId: number, ids: readonly number[], selection: RecordSelection): Promise<ProjectedRow[]> {
    const found = await this.query<Answer>(sql`select ${this.columns(selection)} from ${this.table}
      where ${and(this.isOfVendor(vendorId), idIsOneOf(this.table.id, ids))}`);
    return found.map((answer) => this.toRow(answer));
  }

  protected override columns(selection: RecordSelection): SQL {
    return selection instanceof TextPlan
      ? sql`${sql.raw(toTextSql(this.projection, selection))} as text, ${this.table.id} as text_id`
      : sql`${sql.raw(toJsonSql(this.projection, selection))} as node`;
  }

  protected override toRow({ node, text, text_id: id }: Answer): ProjectedRow {
    return typeof text === "string" ? new ResponseText(Number(id), text) : (node as ProjectedRow);
  }
}
