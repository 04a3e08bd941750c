import { invariant } from "./refusals.ts";

/*
 * Values that must exist although their type cannot express it: each function throws if its value does not, and names
 * it. Prefer a type that can express it (a filter with a type predicate, a union, a join that returns the column).
 */

/** A value that is there, by what the code around it has made sure of. */
export function required<T>(value: T | null | undefined, name: string): T {
  invariant(value != null, `${name} is known here`);
  return value;
}

/** The item at an index that the list has. */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  // The item itself may be undefined.
  if (!(index >= 0 && index < list.length)) throw new RangeError(`a list of ${list.length} has no item at ${index}`);
  return list[index] as T;
}

/** The first item of a list that has one. */
export const firstOf = <T>(list: ArrayLike<T>): T => itemAt(list, 0);

/** The last item of a list that has one. */
export const lastOf = <T>(list: ArrayLike<T>): T => itemAt(list, list.length - 1);

/** The value of a key that the map has. */
export function getOrThrow<Key, Value>(map: { get(key: Key): Value | undefined }, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`a map has no value for ${String(key)}`);
  return value;
}
