/*
 * The notation for the contract's tables of resources: a table is an object, and each field of it is described by a
 * word. A question mark means that it may be null; other fields are never null.
 */

/** The type of a value. `time` is an instant to the millisecond; whether it ends in Z depends on the endpoint. */
type ScalarKind = "id" | "integer" | "number" | "text" | "boolean" | "time" | "uuid" | "amounts" | "texts" | "object";

/** A field of a table. */
export type ContractField =
  ScalarKind | `${ScalarKind}?` | ClosedList | ListField | EmptyList | NullableField | ContractTable;

/** The fields of a resource. None is ever absent, and there are no others. */
export interface ContractTable {
  readonly [name: string]: ContractField;
}

/** One of the values of an enum. */
export class ClosedList {
  constructor(readonly values: readonly string[]) {}
}

/** Any number of values. */
export class ListField {
  constructor(readonly item: ContractField) {}
}

/** A list that is always empty: its table names it, and no record can be in it. */
export class EmptyList {
  readonly isEmpty = true;
}

/** A value, or null. */
export class NullableField {
  constructor(readonly field: ClosedList | ListField | ContractTable) {}
}

export const closedList = (...list: string[]): ClosedList => new ClosedList(list);
export const listOf = (of: ContractField): ListField => new ListField(of);
export const emptyList = new EmptyList();
export const nullableField = (of: ClosedList | ListField | ContractTable): NullableField => new NullableField(of);

/** A field without the mark of nullability. */
export function unwrapNullable(field: ContractField): {
  field: Exclude<ContractField, NullableField | `${ScalarKind}?`>;
  nullable: boolean;
} {
  if (field instanceof NullableField) return { field: field.field, nullable: true };
  if (typeof field === "string" && field.endsWith("?"))
    return { field: field.slice(0, -1) as ScalarKind, nullable: true };
  return { field: field as Exclude<ContractField, NullableField | `${ScalarKind}?`>, nullable: false };
}
