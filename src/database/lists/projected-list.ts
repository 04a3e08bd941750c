import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../client.ts";
import { idIsOneOf } from "../conditions.ts";
import { PagedList, type Answer, type ListDefinition, type VendorTable } from "./paged-list.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { ResponseText } from "../../kernel/response-text.ts";
import { toJsonSql, type Projection, type Selection } from "../projection.ts";
import { insertSharedTexts } from "./shared-texts.ts";
import { fillSplitEdges, splitReadOf, type SplitRead } from "./split-read.ts";
import { TextPlan } from "../response-text/text-plan.ts";
import type { TextSql } from "../response-text/shared-records.ts";
import { toTextSql } from "../response-text/text-sql.ts";

/** What is read of a record: its selected fields, or its text in the answer. */
export type RecordSelection = Selection | TextPlan;

/** A record as it was selected, its values as they stand on the wire. Its number is always there. */
export interface ProjectedRow {
  id: number;
  [field: string]: unknown;
}

/**
 * A vendor's list of records that are read as they are selected, with all that lies below them, in one statement; large
 * selections in several.
 */
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
    const [found] = await this.queryRecords<Answer>(
      vendorId,
      sql`select ${this.columns(vendorId, selection)} from ${this.table}
      where ${and(this.isOfVendor(vendorId), condition)} limit 1`,
      selection,
    );
    return found ? this.toRow(found) : null;
  }

  byId(vendorId: number, id: number, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.findOne(vendorId, eq(this.table.id, id), selection);
  }

  /** Those of the numbers that exist, in no particular order. */
  async byIds(vendorId: number, ids: readonly number[], selection: RecordSelection): Promise<ProjectedRow[]> {
    const found = await this.queryRecords<Answer>(
      vendorId,
      sql`select ${this.columns(vendorId, selection)} from ${this.table}
      where ${and(this.isOfVendor(vendorId), idIsOneOf(this.table.id, ids))}`,
      selection,
    );
    return found.map((answer) => this.toRow(answer));
  }

  protected override columns(vendorId: number, selection: RecordSelection): SQL {
    if (!(selection instanceof TextPlan))
      return sql`${sql.raw(toJsonSql(this.splitReadOf(selection).projection, selection))} as node`;
    const text = this.textSqlOf(selection);
    const [kept] = text.shared.flatMap(({ projection }) => projection.kept ?? []);
    const version = kept && sql`, ${kept.versionOf(vendorId)} as text_version`;
    return sql`${sql.raw(text.sql)} as text, ${this.table.id} as text_id${version}`;
  }

  /** Rows of a list that belongs to another vendor than its rows are read by one statement. */
  private splitReadOf(selection: Selection): SplitRead {
    const { projection } = this;
    return this.definition.ownerColumn ? { projection, edges: [] } : splitReadOf(projection, selection);
  }

  /** The rows with what further statements read of them. */
  protected override async queryRecords<Row extends Answer>(
    vendorId: number,
    statement: SQL,
    selection: RecordSelection,
  ): Promise<Row[]> {
    const rows = await this.query<Row>(statement);
    if (!(selection instanceof TextPlan)) {
      const nodes = rows.map(({ node }) => node as Record<string, unknown>);
      await fillSplitEdges((below) => this.query(below), vendorId, nodes, this.splitReadOf(selection));
      return rows;
    }
    const version = rows[0]?.["text_version"] as string | undefined;
    const texts = await insertSharedTexts(
      { query: (below) => this.query(below), vendorId, version },
      rows.map(({ text }) => String(text)),
      this.textSqlOf(selection).shared,
    );
    return rows.map((row, index) => ({ ...row, text: itemAt(texts, index) }));
  }

  private textSqlOf(plan: TextPlan): TextSql {
    return toTextSql(this.projection, plan, this.definition.ownerColumn ? "OTHERS" : "VENDOR");
  }

  protected override toRow({ node, text, text_id: id }: Answer): ProjectedRow {
    return typeof text === "string" ? new ResponseText(Number(id), text) : (node as ProjectedRow);
  }
}
