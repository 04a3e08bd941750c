import { Column, getTableName } from "drizzle-orm";
import { itemAt } from "../../kernel/required-values.ts";
import {
  columnOfRow,
  NestedSqlBuilder,
  quoteIdentifier,
  type ProjectedEdge,
  type ProjectedObject,
  type Projection,
  type RowAlias,
} from "../projection.ts";
import { RecordPlaces } from "./record-places.ts";
import { placeOfRow, type SharedRecord } from "./shared-records.ts";
import { rowTextSql, type RowOwner } from "./text-sql.ts";
import { gapText, needsRow, type TextField, type TextPlan } from "./text-plan.ts";

/*
 * The second way to a record's text. `text-sql.ts` lets the database write it, which is the fastest once the statement is planned. Where
 * a statement is planned each time it is sent, as on a cluster, this way takes little more than half as long: the statement has the values alone, and code
 * writes the same text of them, with a gap for each value.
 */

/** A row as values, and its text. */
export interface RowText {
  /** SQL of the values. In the statement the row has its table's name. */
  sql: string;
  /** Records that are read by statements of their own; their places are in the text. */
  shared: readonly SharedRecord[];
  write: (values: unknown) => string;
}

/** Values of a row, in the order of their SQL. */
type Values = readonly unknown[];
/** A piece of a text: constant characters, or what is made of the values. */
type RowPart = string | ((values: Values) => string);

const compiledRows: Record<RowOwner, WeakMap<TextPlan, Map<Projection, RowText>>> = {
  VENDOR: new WeakMap(),
  OTHERS: new WeakMap(),
};

/** How a row of a projection is read as values. */
export function toRowText(projection: Projection, plan: TextPlan, owner: RowOwner): RowText {
  const rowsByProjection = compiledRows[owner].get(plan) ?? new Map<Projection, RowText>();
  compiledRows[owner].set(plan, rowsByProjection);
  let row = rowsByProjection.get(projection);
  if (!row) {
    row = new RowTextBuilder(new RecordPlaces(owner === "VENDOR")).rowText(projection, plan.fields);
    rowsByProjection.set(projection, row);
  }
  return row;
}

/** A function of PostgreSQL takes at most a hundred arguments. */
const MAX_ARGUMENTS = 100;

/** The SQL of a row's values, each once. */
class ValueList {
  private readonly expressions: string[] = [];

  /** @returns the place of the value. */
  add(sql: string): number {
    const known = this.expressions.indexOf(sql);
    return known < 0 ? this.expressions.push(sql) - 1 : known;
  }

  get sql(): string {
    const lists: string[] = [];
    for (let start = 0; start < this.expressions.length; start += MAX_ARGUMENTS)
      lists.push(`json_build_array(${this.expressions.slice(start, start + MAX_ARGUMENTS).join(", ")})`);
    return lists.length === 1 ? itemAt(lists, 0) : `json_build_array(${lists.join(", ")})`;
  }

  /** The values in the JSON that the SQL returns. */
  read(json: unknown): Values {
    return this.expressions.length <= MAX_ARGUMENTS ? (json as Values) : (json as Values[]).flat();
  }
}

class RowTextBuilder {
  /** Numbers the rows of the whole statement. */
  private readonly nested = new NestedSqlBuilder();

  constructor(private readonly places: RecordPlaces) {}

  rowText(projection: Projection, fields: readonly TextField[]): RowText {
    const { sql, write } = this.record(projection, fields, quoteIdentifier(getTableName(projection.table)));
    return { sql, shared: this.places.shared, write };
  }

  private record(source: Projection, fields: readonly TextField[], row: RowAlias) {
    const values = new ValueList();
    const parts = this.objectParts(source, fields, row, values);
    const { sql } = values;
    return { sql, write: (json: unknown) => joinParts(parts, values.read(json)) };
  }

  private objectParts(
    source: Projection,
    fields: readonly TextField[],
    row: RowAlias,
    values: ValueList,
  ): readonly RowPart[] {
    const members = fields.flatMap((field, index) => [
      `${index === 0 ? "" : ","}${field.key}:`,
      ...this.valueParts(source, field, row, values),
    ]);
    return ["{", ...members, "}"];
  }

  private valueParts(source: Projection, field: TextField, row: RowAlias, values: ValueList): readonly RowPart[] {
    const { content, name } = field;
    const { fields, objects, one, many } = source;
    if (typeof content === "object" && "constant" in content) return [content.constant];
    if (fields[name] === undefined && typeof content === "object" && "fields" in content) {
      const { fields: below, isList } = content;
      if (objects?.[name] && !isList) return this.nestedObjectParts(source, objects[name], field, below, row, values);
      if (one?.[name] && !isList) return [this.recordPart(one[name], field, below, row, values)];
      if (many?.[name] && isList) return [this.listPart(many[name], field, below, row, values)];
    }
    return [this.gapPart(source, field, row, values)];
  }

  private nestedObjectParts(
    { table }: Projection,
    { fields: values, presentColumn }: ProjectedObject,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
    list: ValueList,
  ): readonly RowPart[] {
    const parts = this.objectParts({ table, fields: values }, fields, row, list);
    if (!presentColumn) return parts;
    const place = list.add(columnOfRow(row, presentColumn));
    return [(read) => (read[place] === null ? nullTextOf(field) : joinParts(parts, read))];
  }

  private recordPart(
    edge: ProjectedEdge,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
    values: ValueList,
  ): RowPart {
    const nullText = nullTextOf(field);
    if (edge.isAbsent) return nullText;
    if (edge.sharedKey && this.places.isReadApart(fields)) {
      const shared = this.placesOf(edge, fields, nullText);
      const place = values.add(columnOfRow(row, edge.sharedKey));
      return (read) => (read[place] === null ? nullText : placeOfRow(shared, read[place]));
    }
    const { projection, child, from } = this.nested.childSource(edge, row);
    const limit = edge.orderBy ? ` order by ${edge.orderBy(child, row)} limit 1` : "";
    const { sql, write } = this.record(projection, fields, child);
    const place = values.add(`(select ${sql} ${from}${limit})`);
    return (read) => (read[place] === null ? nullText : write(read[place]));
  }

  private listPart(
    edge: ProjectedEdge,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
    values: ValueList,
  ): RowPart {
    const emptyText = edge.nullIfEmpty ? nullTextOf(field) : "[]";
    if (edge.isAbsent) return emptyText;
    const { projection, child, from } = this.nested.childSource(edge, row);
    const order = edge.orderBy ? ` order by ${edge.orderBy(child, row)}` : "";
    const limit = edge.limit === undefined ? "" : ` limit ${edge.limit}`;
    const { sql, write } = this.listedRow(edge, projection, field, fields, child);
    const place = values.add(`array(select ${sql} ${from}${order}${limit})`);
    return (read) => {
      const rows = read[place] as Values;
      return rows.length === 0 ? emptyText : `[${rows.map(write).join(",")}]`;
    };
  }

  private listedRow(
    edge: ProjectedEdge,
    projection: Projection,
    field: TextField,
    fields: readonly TextField[],
    row: RowAlias,
  ) {
    if (!this.places.areReadApart(edge, fields))
      return this.places.below(edge, () => this.record(projection, fields, row));
    const shared = this.placesOf(edge, fields, gapText(field, {}));
    return { sql: `${row}."id"`, write: (id: unknown) => placeOfRow(shared, id) };
  }

  /** The places of records that are read by a statement of their own. */
  private placesOf(edge: ProjectedEdge, fields: readonly TextField[], absentText: string): number {
    const text = rowTextSql(edge.projection(), fields, edge.ownerColumn ? "OTHERS" : "VENDOR");
    return this.places.add(edge, text, absentText);
  }

  /** A place that code fills in, with the values that the field's resolver needs. */
  private gapPart(source: Projection, field: TextField, row: RowAlias, values: ValueList): RowPart {
    const needed = this.nested
      .valuesOf(source, new Map([[field.name, field.selection]]), row)
      .filter(([key]) => needsRow(field) || key === field.name)
      .map(([key, sql]) => {
        const column = source.fields[key];
        const isTime = column instanceof Column && column.getSQLType().startsWith("timestamp");
        const place = values.add(isTime ? columnOfRow(row, column) : sql);
        return { key, of: isTime ? (read: Values) => toUtcText(read[place]) : (read: Values) => read[place] };
      });
    return (read) => gapText(field, Object.fromEntries(needed.map((value) => [value.key, value.of(read)])));
  }
}

const joinParts = (parts: readonly RowPart[], values: Values): string =>
  parts.reduce<string>((text, part) => text + (typeof part === "string" ? part : part(values)), "");

/** The JSON of what is null: an error where it must not be, which code reports. */
const nullTextOf = (field: TextField): string => field.nullText ?? gapText(field, {});

/** A time of PostgreSQL's JSON as `utcSql` writes it: UTC with milliseconds, and null for infinity. */
function toUtcText(time: unknown): string | null {
  const milliseconds = Date.parse(String(time));
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}
