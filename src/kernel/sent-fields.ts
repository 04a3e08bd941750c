import { invalidFields } from "./refusals.ts";

/** The fields that were sent: absent ones leave the record unchanged. */
export function sentFields<Fields extends object>(
  fields: Fields,
): { [K in keyof Fields]?: Exclude<Fields[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** The fields that were sent with a value: for required fields of a record, null means the same as absent. */
export function nonNullFields<Fields extends object>(fields: Fields): { [K in keyof Fields]?: NonNullable<Fields[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;
}

/**
 * Refuses nulls in a change, which would otherwise be ignored silently: a required value can be omitted or replaced,
 * but not removed.
 * @throws a Refusal INVALID_ARGUMENT that names each, except for clearable fields.
 */
export function refuseNulls(fields: object, clearable: readonly string[], pathPrefix = ""): void {
  const nulls = Object.entries(fields).filter(([name, value]) => value === null && !clearable.includes(name));
  if (nulls.length > 0)
    throw invalidFields(
      nulls.map(([name]) => ({
        path: pathPrefix + name,
        code: "REQUIRED",
        message: "must not be null; leave it out to keep its value.",
      })),
    );
}
