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
import { RecordPlaces } from "./record-places.ts";
import { placeSql, type TextSql } from "./shared-records.ts";
import { GAP_END_SQL, GAP_START_SQL, gapText, needsRow, type TextField, type TextPlan } from "./text-plan.ts";

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
    text = rowTextSql(projection, plan.fields, owner);
    sqlByProjection.set(projection, text);
  }
  return text;
}

/** The same for the fields of a row that a place is for. */
export const rowTextSql = (projection: Projection, fields: readonly TextField[], owner: RowOwner): TextSql =>
  new TextSqlBuilder(new RecordPlaces(owner === "VENDOR")).rowSql(projection, fields);

class TextSqlBuilder {
  /** Numbers the rows of the whole statement, those of gaps among them. */
  private readonly nested = new NestedSqlBuilder();

  constructor(private readonly places: RecordPlaces) {}

  rowSql(projection: Projection, fields: readonly TextField[]): TextSql {
    const row = quoteIdentifier(getTableName(projection.table));
    return { sql: concatSql(this.objectParts(projection, fields, row)), shared: this.places.shared };
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
    if (content === "CODE" || content === "CODE_OF_VALUE") return this.gapParts(source, field, row);
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
    const { sql, isUnquoted, nulls, computed } = leaf;
    if (computed !== undefined) {
      const gap = concatSql(toGapParts(field, `${quoteText(field.name)}, v`));
      // Once for the leaf and the gap. Without the offset the planner would put the value in each place.
      return [{ sql: `(select coalesce(${sql}, ${gap}) from (select ${computed} as v offset 0) s)` }];
    }
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
    if (edge.sharedKey && this.places.isReadApart(fields)) {
      const key = columnOfRow(row, edge.sharedKey);
      const place = this.placeOf(edge, key, fields, field.nullText ?? gapText(field, {}));
      return [{ sql: `case when ${key} is null then ${this.nullSql(field)} else ${place} end` }];
    }
    const { projection, child, from } = this.nested.childSource(edge, row);
    const limit = edge.orderBy ? ` order by ${edge.orderBy(child, row)} limit 1` : "";
    const record = `(select ${concatSql(this.objectParts(projection, fields, child))} ${from}${limit})`;
    return [{ sql: `coalesce(${record}, ${this.nullSql(field)})` }];
  }

  /** The place of a record that is read by a statement of its own. */
  private placeOf(edge: ProjectedEdge, key: string, fields: readonly TextField[], absentText: string): string {
    const text = rowTextSql(edge.projection(), fields, edge.ownerColumn ? "OTHERS" : "VENDOR");
    return placeSql(this.places.add(edge, text, absentText), key);
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
    const rows = `select ${this.listedRowSql(edge, projection, field, fields, child)} as text ${from}${order}${limit}`;
    const list = `(select string_agg(text, ',') from (${rows}) ${this.nested.nextAlias("r")})`;
    return edge.nullIfEmpty
      ? [{ sql: `coalesce('[' || ${list} || ']', ${this.nullSql(field)})` }]
      : [{ constant: "[" }, { sql: list }, { constant: "]" }];
  }

  private listedRowSql(
    edge: ProjectedEdge,
    projection: Projection,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
  ): string {
    if (this.places.areReadApart(edge, fields)) return this.placeOf(edge, `${row}."id"`, fields, gapText(field, {}));
    return this.places.below(edge, () => concatSql(this.objectParts(projection, fields, row)));
  }

  /** The JSON of what is null: an error where it must not be, which code reports. */
  private nullSql({ nullText, gap }: TextField): string {
    return nullText === undefined
      ? concatSql([{ sql: GAP_START_SQL }, { constant: `${gap}{}` }, { sql: GAP_END_SQL }])
      : quoteText(nullText);
  }

  /** A place that code fills in, with the values that the field's resolver needs. */
  private gapParts(source: Projection, field: TextField, row: RowAlias): TextPart[] {
    const { name, selection } = field;
    const values = this.nested.valuesOf(source, new Map([[name, selection]]), row);
    const list = values
      .filter(([key]) => needsRow(field) || key === name)
      .map(([key, value]) => `${quoteText(key)}, ${value}`)
      .join(", ");
    return toGapParts(field, list);
  }
}

/** A gap with a list of names and values. A function call, because each subselect costs time whenever the statement is started. */
const toGapParts = ({ gap }: TextField, list: string): TextPart[] => [
  { sql: GAP_START_SQL },
  { constant: String(gap) },
  { sql: `json_build_object(${list})` },
  { sql: GAP_END_SQL },
];

/** As `toGlobalId` makes it. PostgreSQL breaks lines of base64, which URLs do not have. */
const globalIdSql = (type: string, number: string): string =>
  `translate(encode(convert_to(${quoteText(`${type}:`)} || ${number}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
