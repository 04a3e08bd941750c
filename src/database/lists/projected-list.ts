import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../client.ts";
import { idIsOneOf } from "../conditions.ts";
import { isDistributed } from "../distributed-handles.ts";
import { PagedList, type Answer, type ListDefinition, type VendorTable } from "./paged-list.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { ResponseText } from "../../kernel/response-text.ts";
import { toJsonSql, type Projection, type Selection } from "../projection.ts";
import { insertSharedTexts } from "./shared-texts.ts";
import { fillSplitEdges, splitReadOf, type SplitRead } from "./split-read.ts";
import { TextPlan } from "../response-text/text-plan.ts";
import { toRowText } from "../response-text/row-values.ts";
import type { SharedRecord, TextSql } from "../response-text/shared-records.ts";
import { toTextSql, type RowOwner } from "../response-text/text-sql.ts";

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
  /** Tells lists of a table apart whose records are read differently. */
  readonly key: string;

  /** @param definition Its `key` defaults to the table's name. */
  constructor(
    db: Handle,
    {
      projection,
      key,
      ...definition
    }: ListDefinition<Filter, Field, Parent> & { projection: Projection; key?: string },
  ) {
    super(db, projection.table as VendorTable, definition);
    this.projection = projection;
    this.key = key ?? this.name;
  }

  /** The record that satisfies the condition, or null. */
  async findOne(vendorId: number, condition: SQL, selection: RecordSelection): Promise<ProjectedRow | null> {
    const [found] = await this.readRecords(vendorId, condition, selection, sql`limit 1`);
    return found ?? null;
  }

  byId(vendorId: number, id: number, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.findOne(vendorId, eq(this.table.id, id), selection);
  }

  /** Those of the numbers that exist, in no particular order. */
  byIds(vendorId: number, ids: readonly number[], selection: RecordSelection): Promise<ProjectedRow[]> {
    return this.readRecords(vendorId, idIsOneOf(this.table.id, ids), selection);
  }

  /** Reads a few records, in one statement. A cluster plans their statement each time, so it is kept short there (decision 111). */
  protected async readRecords(
    vendorId: number,
    condition: SQL,
    selection: RecordSelection,
    tail = sql``,
  ): Promise<ProjectedRow[]> {
    const rowText =
      selection instanceof TextPlan && isDistributed(this.db)
        ? toRowText(this.projection, selection, this.rowOwner)
        : undefined;
    const columns = rowText
      ? sql`${sql.raw(rowText.sql)} as row_values, ${this.textColumns(vendorId, rowText.shared)}`
      : this.columns(vendorId, selection);
    const statement = sql`select ${columns} from ${this.table}
      where ${and(this.isOfVendor(vendorId), condition)} ${tail}`;
    if (!rowText)
      return (await this.queryRecords<Answer>(vendorId, statement, selection)).map((answer) => this.toRow(answer));
    const rows = await this.query<Answer>(statement);
    const texts = rows.map(({ row_values: values }) => rowText.write(values));
    return (await this.withSharedTexts(vendorId, rows, texts, rowText.shared)).map((answer) => this.toRow(answer));
  }

  protected override columns(vendorId: number, selection: RecordSelection): SQL {
    if (!(selection instanceof TextPlan))
      return sql`${sql.raw(toJsonSql(this.splitReadOf(selection).projection, selection))} as node`;
    const text = this.textSqlOf(selection);
    return sql`${sql.raw(text.sql)} as text, ${this.textColumns(vendorId, text.shared)}`;
  }

  /** What is read beside a text: the row's number, and the version of what its shared records are kept under. */
  private textColumns(vendorId: number, shared: readonly SharedRecord[]): SQL {
    const [kept] = shared.flatMap(({ projection }) => projection.kept ?? []);
    const version = kept && sql`, ${kept.versionOf(vendorId)} as text_version`;
    return sql`${this.table.id} as text_id${version}`;
  }

  private get rowOwner(): RowOwner {
    return this.definition.ownerColumn ? "OTHERS" : "VENDOR";
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
    const texts = rows.map(({ text }) => String(text));
    return this.withSharedTexts(vendorId, rows, texts, this.textSqlOf(selection).shared);
  }

  /** The rows with their texts, and all shared records in their places. */
  private async withSharedTexts<Row extends Answer>(
    vendorId: number,
    rows: readonly Row[],
    texts: readonly string[],
    shared: readonly SharedRecord[],
  ): Promise<Row[]> {
    const version = rows[0]?.["text_version"] as string | undefined;
    const source = { query: <Below>(below: SQL) => this.query<Below>(below), vendorId, version };
    const filled = await insertSharedTexts(source, texts, shared);
    return rows.map((row, index) => ({ ...row, text: itemAt(filled, index) }));
  }

  private textSqlOf(plan: TextPlan): TextSql {
    return toTextSql(this.projection, plan, this.rowOwner);
  }

  protected override toRow({ node, text, text_id: id }: Answer): ProjectedRow {
    return typeof text === "string" ? new ResponseText(Number(id), text) : (node as ProjectedRow);
  }
}
