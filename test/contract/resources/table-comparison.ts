import {
  unwrapNullable,
  EmptyList,
  ListField,
  ClosedList,
  type ContractField,
  type ContractTable,
} from "./contract-field.ts";

/** The format of instants in the answers of an endpoint: with Z in the recovery module, without on the billing side. */
export type TimeFormat = "Z" | "ZONELESS";

const instantPatterns: Readonly<Record<TimeFormat, RegExp>> = {
  Z: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  ZONELESS: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/,
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isAmounts = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).every(([code, amount]) => /^[A-Z]{3}$/.test(code) && Number.isFinite(amount));

const isTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((text) => typeof text === "string");

const kindPredicates: Readonly<Record<string, (value: unknown, times: TimeFormat) => boolean>> = {
  id: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  text: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  time: (value, times) => typeof value === "string" && instantPatterns[times].test(value),
  uuid: (value) => typeof value === "string" && UUID.test(value),
  amounts: isAmounts,
  texts: isTexts,
  object: isObject,
};

/** How a field was seen: as null, as an empty value (0, an empty text, list or object), or filled. */
type SeenAs = "NULL" | "EMPTY" | "FILLED";

function seenAs(value: unknown): SeenAs {
  if (value === null) return "NULL";
  const isEmpty = typeof value === "object" ? Object.keys(value).length === 0 : value === "" || value === 0;
  return isEmpty ? "EMPTY" : "FILLED";
}

/** Compares answers with tables, and records which parts of the tables it has seen. */
export class TableComparison {
  /** By the names of their fields: a resource that is in several tables has to be seen in one of them. */
  private readonly seenValues = new Map<ClosedList, Set<string>>();
  private readonly seenTables = new Map<
    string,
    { at: string; tables: Set<ContractTable>; fields: Map<string, Set<SeenAs>> }
  >();

  /** The differences between an answer and its table: missing fields, additional ones, and those of another type. */
  differencesOf(field: ContractField, value: unknown, times: TimeFormat, at = "body"): string[] {
    const { field: what, nullable } = unwrapNullable(field);
    if (value === undefined) return [`${at} is missing`];
    if (value === null) return nullable ? [] : [`${at} is null`];
    if (typeof what === "string") return kindPredicates[what]!(value, times) ? [] : [`${at} is no ${what}`];
    if (what instanceof ClosedList) {
      this.seenValues.set(what, (this.seenValues.get(what) ?? new Set()).add(value as string));
      return what.values.includes(value as string) ? [] : [`${at} is none of its words: ${JSON.stringify(value)}`];
    }
    if (what instanceof EmptyList) return Array.isArray(value) && value.length === 0 ? [] : [`${at} is no empty list`];
    if (what instanceof ListField) {
      if (!Array.isArray(value)) return [`${at} is no list`];
      return value.flatMap((item, index) => this.differencesOf(what.item, item, times, `${at}[${index}]`));
    }
    return isObject(value) ? this.tableDifferencesOf(what, value, times, at) : [`${at} is no object`];
  }

  private tableDifferencesOf(
    table: ContractTable,
    value: Record<string, unknown>,
    times: TimeFormat,
    at: string,
  ): string[] {
    const extra = Object.keys(value).filter((name) => !(name in table));
    return [
      ...extra.map((name) => `${at}.${name} is not in the table`),
      ...Object.entries(table).flatMap(([name, field]) => {
        this.recordField(table, name, value[name], at);
        return this.differencesOf(field, value[name], times, `${at}.${name}`);
      }),
    ];
  }

  private recordField(table: ContractTable, name: string, value: unknown, at: string): void {
    const key = Object.keys(table).sort().join();
    const met = this.seenTables.get(key) ?? { at, tables: new Set(), fields: new Map<string, Set<SeenAs>>() };
    this.seenTables.set(key, met);
    met.tables.add(table);
    const shown = met.fields.get(name) ?? new Set();
    met.fields.set(name, shown);
    shown.add(seenAs(value));
  }

  /** The values of an enum that no answer has shown. */
  unseenValuesOf(list: ClosedList): string[] {
    const seen = this.seenValues.get(list);
    return list.values.filter((word) => !seen?.has(word));
  }

  /** The parts of the tables that no answer has shown: any field with a value, and a nullable one as null. */
  unseenFields(): string[] {
    const unseen = [...this.seenTables.values()].flatMap(({ at, tables, fields }) =>
      [...tables].flatMap((table) =>
        Object.entries(table).flatMap(([name, field]) =>
          unseenForms(field, fields.get(name)!).map((what) => `${at}.${name} ${what}`),
        ),
      ),
    );
    return [...new Set(unseen)];
  }
}

function unseenForms(field: ContractField, shown: ReadonlySet<SeenAs>): string[] {
  const { field: what, nullable } = unwrapNullable(field);
  return [
    ...(nullable && !shown.has("NULL") ? ["as null"] : []),
    ...(!(what instanceof EmptyList) && what !== "boolean" && !shown.has("FILLED") ? ["filled"] : []),
  ];
}
