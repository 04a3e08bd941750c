/*
 * Records over a closed list of keys. TypeScript types the keys of any object as `string`, because a value may have more
 * keys than its type: these are for records that were written with exactly the keys of their type.
 */

/** The keys of a record. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[];

/** A record with a value for each key. */
export const toRecord = <Key extends string, Value>(
  keys: readonly Key[],
  toValue: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<Key, Value>;
