import DataLoader from "dataloader";
import { getOrThrow } from "../kernel/required-values.ts";

/*
 * Work that runs many times at once in one transaction makes the same calls in the same order. The repositories of such a
 * transaction put the calls that are made at the same time into one statement, so that their number does not grow with the work.
 */

/** A call of one of many pieces of work for a vendor. */
type Call<Argument, Result> = (vendorId: number, argument: Argument) => Promise<Result>;

/** Puts calls together: `run` gets their arguments and returns their results in the same order. */
export function batchCalls<Argument, Result>(
  run: (vendorId: number, all: readonly Argument[]) => Promise<readonly Result[]>,
): Call<Argument, Result> {
  const loaders = new Map<number, DataLoader<Argument, Result>>();
  const loaderOf = (vendorId: number) => {
    const loader =
      loaders.get(vendorId) ?? new DataLoader<Argument, Result>((all) => run(vendorId, all), { cache: false });
    loaders.set(vendorId, loader);
    return loader;
  };
  return (vendorId, argument) => loaderOf(vendorId).load(argument);
}

/** Puts reads by a value together. Each read gets the rows with its own value, in the order of the statement. */
export function batchReads<Value, Row>(
  read: (vendorId: number, values: readonly Value[]) => Promise<readonly Row[]>,
  valueOf: (row: Row) => Value,
): Call<Value, Row[]> {
  return batchCalls(async (vendorId, values) => {
    const rowsByValue = new Map<Value, Row[]>(values.map((value) => [value, []]));
    for (const row of await read(vendorId, [...rowsByValue.keys()])) rowsByValue.get(valueOf(row))?.push(row);
    return values.map((value) => getOrThrow(rowsByValue, value));
  });
}

/** Puts reads by several values each together. */
export function batchListReads<Value, Row>(
  read: (vendorId: number, values: readonly Value[]) => Promise<readonly Row[]>,
  valueOf: (row: Row) => Value,
): Call<readonly Value[], Row[]> {
  return batchCalls(async (vendorId, lists) => {
    const rows = await read(vendorId, [...new Set(lists.flat())]);
    return lists.map((list) => rows.filter((row) => list.includes(valueOf(row))));
  });
}

/** Puts writes together. */
export function batchWrites<Argument>(
  write: (vendorId: number, all: readonly Argument[]) => Promise<unknown>,
): Call<Argument, void> {
  return batchCalls(async (vendorId, all) => {
    await write(vendorId, all);
    return all.map(() => undefined);
  });
}

/** Makes a read that depends on the vendor alone once for all calls that are made at the same time. */
export function shareRead<Result>(read: (vendorId: number) => Promise<Result>): (vendorId: number) => Promise<Result> {
  const shared = batchCalls<true, Result>(async (vendorId, all) => {
    const result = await read(vendorId);
    return all.map(() => result);
  });
  return (vendorId) => shared(vendorId, true);
}
