import { SYNCHRONOUS_LIMIT, TimeSlices } from "../../kernel/scheduling/cooperative-work.ts";
import type { CompiledField, CompleteValue, OperationRun } from "./compiled-selection.ts";

/** A failure that graphql-js reports with its own message. */
export const fieldFailure = () => new Error("A field of a compiled operation failed.");

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && typeof (value as Promise<unknown>).then === "function";

export function completeObject(fields: readonly CompiledField[], source: object, run: OperationRun): unknown {
  const result: Record<string, unknown> = {};
  const pending: Promise<void>[] = [];
  try {
    for (const { key, resolveValue } of fields) {
      const fieldResult = resolveValue(source, run);
      // Takes its place now, so that the answer has its fields in the order of the query.
      result[key] = fieldResult;
      if (isPromise(fieldResult))
        pending.push(
          fieldResult.then((settled) => {
            result[key] = settled;
          }),
        );
    }
  } catch (error) {
    ignoreRejections(pending);
    throw error;
  }
  return pending.length === 0 ? result : Promise.all(pending).then(() => result);
}

export function completeList(complete: CompleteValue, value: unknown, run: OperationRun): unknown {
  if (!Array.isArray(value)) throw fieldFailure();
  if (value.length > SYNCHRONOUS_LIMIT) return completeLongList(complete, value, run);
  const results: unknown[] = [];
  const pending: PromiseLike<unknown>[] = [];
  try {
    for (const item of value as unknown[]) {
      const result = isPromise(item) ? item.then((settled) => complete(settled, run)) : complete(item, run);
      if (isPromise(result)) pending.push(result);
      results.push(result);
    }
  } catch (error) {
    ignoreRejections(pending);
    throw error;
  }
  return pending.length === 0 ? results : Promise.all(results);
}

/**
 * Completes a long list in slices, because at once it would block all other requests. If its rows use loaders it is
 * completed at once: the loads of one turn become one statement.
 */
async function completeLongList(
  complete: CompleteValue,
  items: readonly unknown[],
  run: OperationRun,
): Promise<unknown[]> {
  const slices = new TimeSlices();
  const results: unknown[] = [];
  const pending: PromiseLike<unknown>[] = [];
  try {
    for (const item of items) {
      const result = isPromise(item) ? item.then((settled) => complete(settled, run)) : complete(item, run);
      if (isPromise(result)) pending.push(result);
      results.push(result);
      if (pending.length === 0 && slices.isOver) await slices.yieldToOthers();
    }
  } catch (error) {
    ignoreRejections(pending);
    throw error;
  }
  return pending.length === 0 ? results : Promise.all(results);
}

/** Nobody waits for these any more; that they fail must not end the process. */
function ignoreRejections(pending: readonly PromiseLike<unknown>[]): void {
  for (const one of pending) one.then(undefined, () => undefined);
}
