import type { MessageKind } from "../../../schema/vocabulary.ts";
import { invalidFields, type FieldError } from "../../kernel/refusals.ts";
import { keysOf } from "../../kernel/typed-records.ts";
import { durationError, toDurationMs } from "./message-durations.ts";
import { messageKinds } from "./message-kinds.ts";
import type { MessageDelay } from "./message-settings.repository.ts";

const BOUNDS = { min: "PT1M", max: "P7D" };

/**
 * The delays to store.
 * @throws a Refusal INVALID_ARGUMENT that names every wrong value.
 */
export function readDelays(requested: readonly MessageDelay[]): MessageDelay[] {
  const errors = requested.flatMap(({ kind, delay }, index): FieldError[] => {
    const errorAt = (name: string, message: string | undefined): FieldError[] =>
      message === undefined ? [] : [{ path: `delays[${index}].${name}`, code: "INVALID_VALUE", message }];
    const isRepeated = requested.findIndex((one) => one.kind === kind) < index;
    return [
      ...errorAt("kind", isRepeated ? `must not have ${kind} twice.` : kindError(kind)),
      ...errorAt("delay", durationError(delay, BOUNDS)),
    ];
  });
  if (errors.length > 0) throw invalidFields(errors);
  return requested.map(({ kind, delay }) => ({ kind, delay }));
}

function kindError(kind: MessageKind): string | undefined {
  if (messageKinds[kind].canBeDelayed) return undefined;
  const others = keysOf(messageKinds).filter((one) => messageKinds[one].canBeDelayed);
  return `must not be ${kind}, which has a date of its own. Kinds that can be delayed: ${others.join(", ")}.`;
}

/** The time at which a message is due that follows from an event of now. */
export function delayedFrom(now: Date, kind: MessageKind, delays: readonly MessageDelay[]): Date {
  const own = delays.find((one) => one.kind === kind);
  return own ? new Date(now.getTime() + toDurationMs(own.delay)) : now;
}
