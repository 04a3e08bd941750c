import { Column, getTableName } from "drizzle-orm";
import {
  columnOfRow,
  NestedSqlBuilder,
  quoteIdentifier,
  type ProjectedEdge,
  type ProjectedObject,
  type ProjectedValue,
  type Projection,
  type RowAlias,
} from "../projection.ts";
import { leafSql, listSql, type LeafSql } from "./leaf-sql.ts";
import { concatSql, quoteText, type TextPart } from "./text-parts.ts";
import { placeSql, type SharedRecord, type TextSql } from "./shared-records.ts";
import {
  GAP_END,
  GAP_END_SQL,
  GAP_START,
  GAP_START_SQL,
  type TextContent,
  type TextField,
  type TextPlan,
} from "./text-plan.ts";

/** Whose rows are read: the vendor's own, or also those of other vendors that point at it. */
export type RowOwner = "VENDOR" | "OTHERS";

type CompiledSql = WeakMap<TextPlan, Map<Projection, TextSql>>;
const compiledSql: Record<RowOwner, CompiledSql> = { VENDOR: new WeakMap(), OTHERS: new WeakMap() };

/** SQL of a row's text. In the statement the row has its table's name. */
export function toTextSql(projection: Projection, plan: TextPlan, owner: RowOwner): TextSql {
  const sqlByProjection = compiledSql[owner].get(plan) ?? new Map<Projection, TextSql>();
  compiledSql[owner].set(plan, sqlByProjection);
  let text = sqlByProjection.get(projection);
  if (!text) {
    text = new TextSqlBuilder(owner === "VENDOR").rowSql(projection, plan.fields);
    sqlByProjection.set(projection, text);
  }
  return text;
}

class TextSqlBuilder {
  /** Numbers the rows of the whole statement, those of gaps among them. */
  private readonly nested = new NestedSqlBuilder();

  private readonly shared: SharedRecord[] = [];

  /** `mayShare`: whether a statement for the records below the current one would read rows of one vendor only. */
  constructor(private mayShare: boolean) {}

  rowSql(projection: Projection, fields: readonly TextField[]): TextSql {
    const row = quoteIdentifier(getTableName(projection.table));
    return { sql: concatSql(this.objectParts(projection, fields, row)), shared: this.shared };
  }

  /** The text of an object, in braces. */
  objectParts(source: Projection, fields: readonly TextField[], row: RowAlias): TextPart[] {
    return [
      { constant: "{" },
      ...fields.flatMap((field, index) => [
        { constant: `${index === 0 ? "" : ","}${field.key}:` },
        ...this.valueParts(source, field, row),
      ]),
      { constant: "}" },
    ];
  }

  private valueParts(source: Projection, field: TextField, row: RowAlias): TextPart[] {
    const { content, name } = field;
    const number = source.fields["id"] ?? source.fields["databaseId"];
    if (content === "CODE") return this.gapParts(source, field, row);
    if (content === "RECORD_NUMBER")
      return this.leafParts(source, field, row, number && leafSql(number, "BIG_INT", row, field.nullText), number);
    if ("constant" in content) return [{ constant: content.constant }];
    if ("globalIdOf" in content)
      return number instanceof Column
        ? [{ constant: '"' }, { sql: globalIdSql(content.globalIdOf, columnOfRow(row, number)) }, { constant: '"' }]
        : this.gapParts(source, field, row);
    const value = source.fields[name];
    if (value) {
      const format = "format" in content ? content.format : undefined;
      const leaf = content.isList ? listSql(value, format, row) : format && leafSql(value, format, row, field.nullText);
      return this.leafParts(source, field, row, leaf, value);
    }
    if ("format" in content) return this.gapParts(source, field, row);
    const { fields, isList } = content;
    const { objects, one, many } = source;
    if (objects?.[name] && !isList) return this.nestedObjectParts(source, objects[name], field, fields, row);
    if (one?.[name] && !isList) return this.recordParts(one[name], field, fields, row);
    if (many?.[name] && isList) return this.recordListParts(many[name], field, fields, row);
    return this.gapParts(source, field, row);
  }

  private leafParts(
    source: Projection,
    field: TextField,
    row: RowAlias,
    leaf: LeafSql | undefined,
    value: ProjectedValue | undefined,
  ): TextPart[] {
    if (!leaf) return this.gapParts(source, field, row);
    const { sql, isUnquoted, nulls } = leaf;
    if (nulls === "NONE") return isUnquoted ? [{ constant: '"' }, { sql }, { constant: '"' }] : [{ sql }];
    const json = isUnquoted ? `'"' || ${sql} || '"'` : `(${sql})::text`;
    if (nulls === "OF_VALUE") return [{ sql: `coalesce(${json}, ${this.nullSql(field)})` }];
    const gap = concatSql(this.gapParts(source, field, row));
    const isNull = value instanceof Column && !value.notNull && `${columnOfRow(row, value)} is null`;
    const other =
      isNull && field.nullText ? `case when ${isNull} then ${quoteText(field.nullText)} else ${gap} end` : gap;
    return [{ sql: `coalesce(${json}, ${other})` }];
  }

  private nestedObjectParts(
    source: Projection,
    { fields: values, presentColumn }: ProjectedObject,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
  ): TextPart[] {
    const parts = this.objectParts({ table: source.table, fields: values }, fields, row);
    if (!presentColumn) return parts;
    const isAbsent = `${columnOfRow(row, presentColumn)} is null`;
    return [{ sql: `case when ${isAbsent} then ${this.nullSql(field)} else ${concatSql(parts)} end` }];
  }

  private recordParts(edge: ProjectedEdge, field: TextField, fields: readonly TextField[], row: RowAlias): TextPart[] {
    if (edge.sharedKey && this.mayShare && fields.some(({ content }) => hasRecords(content)))
      return [{ sql: this.sharedRecordSql(edge.projection(), columnOfRow(row, edge.sharedKey), field, fields) }];
    const { projection, child, from } = this.nested.childSource(edge, row);
    const limit = edge.orderBy ? ` order by ${edge.orderBy(child, row)} limit 1` : "";
    const record = `(select ${concatSql(this.objectParts(projection, fields, child))} ${from}${limit})`;
    return [{ sql: `coalesce(${record}, ${this.nullSql(field)})` }];
  }

  /** The place of a record that is read by a statement of its own. */
  private sharedRecordSql(projection: Projection, key: string, field: TextField, fields: readonly TextField[]): string {
    const text = new TextSqlBuilder(true).rowSql(projection, fields);
    const absentText = field.nullText ?? `${GAP_START}${field.gap}{}${GAP_END}`;
    const shared = this.shared.push({ projection, text, absentText }) - 1;
    return `case when ${key} is null then ${this.nullSql(field)} else ${placeSql(shared, key)} end`;
  }

  private recordListParts(
    edge: ProjectedEdge,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
  ): TextPart[] {
    const { projection, child, from } = this.nested.childSource(edge, row);
    const order = edge.orderBy ? ` order by ${edge.orderBy(child, row)}` : "";
    const limit = edge.limit === undefined ? "" : ` limit ${edge.limit}`;
    const mayShare = this.mayShare;
    this.mayShare = mayShare && !edge.crossesVendors;
    const rows = `select ${concatSql(this.objectParts(projection, fields, child))} as text ${from}${order}${limit}`;
    this.mayShare = mayShare;
    const list = `(select string_agg(text, ',') from (${rows}) ${this.nested.nextAlias("r")})`;
    return edge.nullIfEmpty
      ? [{ sql: `coalesce('[' || ${list} || ']', ${this.nullSql(field)})` }]
      : [{ constant: "[" }, { sql: list }, { constant: "]" }];
  }

  /** The JSON of what is null: an error where it must not be, which code reports. */
  private nullSql({ nullText, gap }: TextField): string {
    return nullText === undefined
      ? concatSql([{ sql: GAP_START_SQL }, { constant: `${gap}{}` }, { sql: GAP_END_SQL }])
      : quoteText(nullText);
  }

  /** A place that code fills in, with the values that the field's resolver needs. */
  private gapParts(source: Projection, { content, gap, name, selection }: TextField, row: RowAlias): TextPart[] {
    const values = this.nested.valuesOf(source, new Map([[name, selection]]), row);
    const hasResolver = typeof content === "string" || "globalIdOf" in content;
    const list = values
      .filter(([key]) => hasResolver || key === name)
      .map(([key, value]) => `${quoteText(key)}, ${value}`)
      .join(", ");
    // A function call, because each subselect costs time whenever the statement is started.
    return [
      { sql: GAP_START_SQL },
      { constant: String(gap) },
      { sql: `json_build_object(${list})` },
      { sql: GAP_END_SQL },
    ];
  }
}

/** Whether a field consists of other records: they cost most of what a record costs. */
const hasRecords = (content: TextContent): boolean => typeof content === "object" && "fields" in content;

/** As `toGlobalId` makes it. PostgreSQL breaks lines of base64, which URLs do not have. */
const globalIdSql = (type: string, number: string): string =>
  `translate(encode(convert_to(${quoteText(`${type}:`)} || ${number}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
