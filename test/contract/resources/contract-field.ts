/*
 * How the contract's tables of resources are written down here: a table is an object, and each field of it is told by a
 * word. A question mark means that it may be null; what may not is never null.
 */

/** What a value is. `time` is an instant to the millisecond; whether it ends in Z is the endpoint's matter. */
type Kind = "id" | "integer" | "number" | "text" | "boolean" | "time" | "uuid" | "amounts" | "texts" | "object";

/** A field of a table. */
export type Field = Kind | `${Kind}?` | Words | List | Empty | Maybe | Table;

/** The fields of a resource. None is ever absent, and there are no others. */
export interface Table {
  readonly [name: string]: Field;
}

/** One of the words of a closed list. */
export class Words {
  constructor(readonly words: readonly string[]) {}
}

/** Any number of values. */
export class List {
  constructor(readonly of: Field) {}
}

/** A list that never has anything: its table names it, and there can be nothing in it. */
export class Empty {
  readonly isEmpty = true;
}

/** A value, or null. */
export class Maybe {
  constructor(readonly of: Words | List | Table) {}
}

export const words = (...list: string[]): Words => new Words(list);
export const list = (of: Field): List => new List(of);
export const empty = new Empty();
export const maybe = (of: Words | List | Table): Maybe => new Maybe(of);

/** A field without what says that it may be null. */
export function bare(field: Field): { field: Exclude<Field, Maybe | `${Kind}?`>; nullable: boolean } {
  if (field instanceof Maybe) return { field: field.of, nullable: true };
  if (typeof field === "string" && field.endsWith("?")) return { field: field.slice(0, -1) as Kind, nullable: true };
  return { field: field as Exclude<Field, Maybe | `${Kind}?`>, nullable: false };
}
