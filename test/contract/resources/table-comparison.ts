import { bare, Empty, List, Words, type Field, type Table } from "./contract-field.ts";

/** How instants stand in the answers of an endpoint: with Z in the recovery module, without on the billing side. */
export type Times = "Z" | "ZONELESS";

const instants: Readonly<Record<Times, RegExp>> = {
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

const kinds: Readonly<Record<string, (value: unknown, times: Times) => boolean>> = {
  id: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  text: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  time: (value, times) => typeof value === "string" && instants[times].test(value),
  uuid: (value) => typeof value === "string" && UUID.test(value),
  amounts: isAmounts,
  texts: isTexts,
  object: isObject,
};

/** How a field was met: as null, as a value that says nothing (0, an empty text, list or object), or filled. */
type Shown = "NULL" | "EMPTY" | "FILLED";

function shownAs(value: unknown): Shown {
  if (value === null) return "NULL";
  const isEmpty = typeof value === "object" ? Object.keys(value).length === 0 : value === "" || value === 0;
  return isEmpty ? "EMPTY" : "FILLED";
}

/** Compares answers with tables, and remembers what of the tables it has seen. */
export class Walk {
  /** By the names of their fields: a resource that stands in several tables has to be seen in one of them. */
  private readonly words = new Map<Words, Set<string>>();
  private readonly met = new Map<string, { at: string; tables: Set<Table>; fields: Map<string, Set<Shown>> }>();

  /** Where an answer is not what its table says: what is missing, what is too much, what is of another type. */
  faults(field: Field, value: unknown, times: Times, at = "body"): string[] {
    const { field: what, nullable } = bare(field);
    if (value === undefined) return [`${at} is missing`];
    if (value === null) return nullable ? [] : [`${at} is null`];
    if (typeof what === "string") return kinds[what]!(value, times) ? [] : [`${at} is no ${what}`];
    if (what instanceof Words) {
      this.words.set(what, (this.words.get(what) ?? new Set()).add(value as string));
      return what.words.includes(value as string) ? [] : [`${at} is none of its words: ${JSON.stringify(value)}`];
    }
    if (what instanceof Empty) return Array.isArray(value) && value.length === 0 ? [] : [`${at} is no empty list`];
    if (what instanceof List) {
      if (!Array.isArray(value)) return [`${at} is no list`];
      return value.flatMap((item, index) => this.faults(what.of, item, times, `${at}[${index}]`));
    }
    return isObject(value) ? this.faultsOfTable(what, value, times, at) : [`${at} is no object`];
  }

  private faultsOfTable(table: Table, value: Record<string, unknown>, times: Times, at: string): string[] {
    const extra = Object.keys(value).filter((name) => !(name in table));
    return [
      ...extra.map((name) => `${at}.${name} is not in the table`),
      ...Object.entries(table).flatMap(([name, field]) => {
        this.remember(table, name, value[name], at);
        return this.faults(field, value[name], times, `${at}.${name}`);
      }),
    ];
  }

  private remember(table: Table, name: string, value: unknown, at: string): void {
    const key = Object.keys(table).sort().join();
    const met = this.met.get(key) ?? { at, tables: new Set(), fields: new Map<string, Set<Shown>>() };
    this.met.set(key, met);
    met.tables.add(table);
    const shown = met.fields.get(name) ?? new Set();
    met.fields.set(name, shown);
    shown.add(shownAs(value));
  }

  /** Those of a closed list that no answer has shown. */
  unseenOf(list: Words): string[] {
    const seen = this.words.get(list);
    return list.words.filter((word) => !seen?.has(word));
  }

  /** What of the tables no answer has shown: any field with something in it, and one that may be null as null. */
  unseen(): string[] {
    const unseen = [...this.met.values()].flatMap(({ at, tables, fields }) =>
      [...tables].flatMap((table) =>
        Object.entries(table).flatMap(([name, field]) =>
          lacking(field, fields.get(name)!).map((what) => `${at}.${name} ${what}`),
        ),
      ),
    );
    return [...new Set(unseen)];
  }
}

function lacking(field: Field, shown: ReadonlySet<Shown>): string[] {
  const { field: what, nullable } = bare(field);
  return [
    ...(nullable && !shown.has("NULL") ? ["as null"] : []),
    ...(!(what instanceof Empty) && what !== "boolean" && !shown.has("FILLED") ? ["filled"] : []),
  ];
}
