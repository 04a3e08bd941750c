import { EventType } from "../../schema/vocabulary.ts";
import { toWireName } from "../events/event.message.ts";
import { invalidFields } from "../kernel/refusals.ts";
import { keysOf } from "../kernel/typed-records.ts";

const typeNames: ReadonlySet<string> = new Set(keysOf(EventType).map(toWireName));

/** @throws a Refusal INVALID_ARGUMENT that names each entry that is no type, and an empty list. */
export function refuseEventTypes(eventTypes: readonly string[] | null | undefined): void {
  if (eventTypes == null) return;
  if (eventTypes.length === 0)
    throw invalidFields([
      {
        path: "eventTypes",
        code: "INVALID_VALUE",
        message: "must have at least one entry; leave it out, or send null, for all types.",
      },
    ]);
  const errors = eventTypes.flatMap((value, index) =>
    typeNames.has(value)
      ? []
      : [
          {
            path: `eventTypes[${index}]`,
            code: "INVALID_VALUE" as const,
            message: "must be the name of an event type, such as order.paid; docs/events.md lists them.",
            value,
          },
        ],
  );
  if (errors.length > 0) throw invalidFields(errors);
}
