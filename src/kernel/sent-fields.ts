import { invalidFields } from "./refusals.ts";

type SentFields<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
type NonNullFields<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

const isSent = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined;

/** The fields that were sent: absent ones leave the record unchanged. */
export function sentFields<Fields extends object>(fields: Fields): SentFields<Fields> {
  const sent: SentFields<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (isSent(value)) sent[name] = value;
  }
  return sent;
}

/** The fields that were sent with a value: for required fields of a record, null means the same as absent. */
export function nonNullFields<Fields extends object>(fields: Fields): NonNullFields<Fields> {
  const sent: NonNullFields<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value != null) sent[name] = value;
  }
  return sent;
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
