import {
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { parseJsonBody } from "../kernel/json-reader.ts";
import { nearestWord } from "../kernel/suggestions.ts";
import { rowProblem, type RowProblem } from "./import.refusal.ts";

/** Turns the text of a cell into the value that its type reads. */
type ReadCell = (text: string) => unknown;

/** Scalars whose value is an object: a column names one of its keys. */
const objectScalars = new Set(["CurrencyAmounts", "JSONObject"]);
const wholeNumbers = new Set(["Int", "PositiveInt", "NonNegativeInt"]);

/** The first line of a CSV file: which field of the row each column is, written as `recurring.interval`. */
export class CsvHeader {
  private readonly columns: { path: string[]; read: ReadCell }[];

  constructor(names: readonly string[], rowType: GraphQLInputObjectType) {
    this.columns = names.map((name) => {
      const path = name.split(".");
      return { path, read: findCellReader(path, rowType) ?? String };
    });
  }

  /** What is wrong with the names of columns. */
  static problemsOf(names: readonly string[], rowType: GraphQLInputObjectType): RowProblem[] {
    return names.flatMap((name, index) => {
      if (names.indexOf(name) < index)
        return [rowProblem("COLUMN_REPEATED", name, `The column \`${name}\` stands twice in the first line.`)];
      if (findCellReader(name.split("."), rowType)) return [];
      const near = nearestWord(name, Object.keys(rowType.getFields()));
      const suggestion = near === undefined ? "" : ` Did you mean \`${near}\`?`;
      return [rowProblem("COLUMN_UNKNOWN", name, `There is no column \`${name}\`.${suggestion}`)];
    });
  }

  /** The number of columns. */
  get width(): number {
    return this.columns.length;
  }

  /** The values of a row; empty cells are left out. */
  toValues(cells: readonly string[]): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const [index, { path, read }] of this.columns.entries()) {
      const text = cells[index] ?? "";
      if (text !== "") setAtPath(values, path, read(text));
    }
    return values;
  }
}

/** How the cells of a column are read; undefined if no field has this path. */
function findCellReader(path: readonly string[], rowType: GraphQLInputObjectType): ReadCell | undefined {
  let type: GraphQLInputType = rowType;
  for (const [depth, name] of path.entries()) {
    const named = withoutNonNull(type);
    if (!isInputObjectType(named)) {
      const isKey = depth === path.length - 1 && !isListType(named) && objectScalars.has(named.name);
      return isKey && name !== "" ? String : undefined;
    }
    const fields = named.getFields();
    const next: GraphQLInputType | undefined = Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
    if (!next) return undefined;
    type = next;
  }
  const leaf = withoutNonNull(type);
  if (isListType(leaf) || isInputObjectType(leaf) || objectScalars.has(leaf.name)) return readJson;
  if (leaf.name === "Boolean") return readBoolean;
  return wholeNumbers.has(leaf.name) ? readWholeNumber : String;
}

const withoutNonNull = (type: GraphQLInputType) => (isNonNullType(type) ? type.ofType : type);

/** A list or an object is JSON in its cell; a text that is none is refused by the type. */
function readJson(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch {
    return text;
  }
}

const readWholeNumber: ReadCell = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** Spreadsheets write TRUE. */
function readBoolean(text: string): unknown {
  const word = text.toLowerCase();
  return word === "true" ? true : word === "false" ? false : text;
}

function setAtPath(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = values;
  for (const key of path.slice(0, -1)) {
    const inner: unknown = Object.hasOwn(target, key) ? target[key] : undefined;
    const next = isRecord(inner) ? inner : {};
    defineValue(target, key, next);
    target = next;
  }
  defineValue(target, path.at(-1) ?? "", value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Assigned, a key `__proto__` would not become one. */
function defineValue(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
