import { nearestWord } from "../../../kernel/suggestions.ts";
import { defineCommand, printLines, printOutput, toRecordOutput, toTableLines } from "../../command.ts";
import { apiOptions, readApiClient } from "../api-client.ts";
import type { Trigger } from "./trigger-context.ts";
import { triggerEvent, triggers, typeByName } from "./trigger-event.ts";
import { untriggerableEvents } from "./untriggerable-events.ts";

/** The rows of `recoup trigger --list`. */
const listLines = (): string[] => {
  const names = [...typeByName.keys()];
  return toTableLines(
    ["event", "how"],
    names.map((name) => [
      name,
      untriggerableEvents[name] ??
        (triggers[name]?.advancesClock ? "recoup trigger, with --advance-clock" : "recoup trigger"),
    ]),
  );
};

/** Checks the name. @returns its trigger. */
function findTrigger(name: string): { trigger: Trigger | undefined; error: string } {
  if (Object.hasOwn(triggers, name)) return { trigger: triggers[name], error: "" };
  const reason = Object.hasOwn(untriggerableEvents, name) ? untriggerableEvents[name] : undefined;
  const names = Object.keys(triggers);
  const nearest = nearestWord(name, names);
  return {
    trigger: undefined,
    error: reason
      ? `${name} cannot be triggered. ${reason}`
      : `The event must be one of: ${names.join(", ")}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
  };
}

/** `recoup trigger`. */
export const triggerCommand = defineCommand(
  {
    name: "trigger",
    description:
      "Makes an event occur in a sandbox by the operations that cause it, with records of its own, and waits until it has been recorded",
  },
  {
    event: { type: "positional", required: false, description: "Name of the event, such as order.paid (required)" },
    "advance-clock": {
      type: "boolean",
      description: "Allow to advance the test clock, for events that time brings. What else is due by then is done too",
    },
    list: { type: "boolean", description: "List all events, and those that cannot be triggered with the reason" },
    ...apiOptions,
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    if (args.list) {
      errors.throwIfAny();
      const names = [...typeByName.keys()].map((event) => ({ event, reason: untriggerableEvents[event] ?? null }));
      printLines(args.json ? [JSON.stringify({ events: names })] : listLines());
      return;
    }
    const name = args.event ?? "";
    const { trigger, error } = findTrigger(name);
    errors.check(trigger !== undefined, error);
    errors.check(
      !trigger?.advancesClock || args["advance-clock"] === true,
      `${name} needs time to pass: add --advance-clock. Everything else in the sandbox that is due by then is done too.`,
    );
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const { vendor, events } = await client.run<{
      vendor: { sandbox: boolean; now: string };
      events: { pageInfo: { endCursor: string | null } };
    }>("{ vendor { sandbox now } events(last: 1) { pageInfo { endCursor } } }");
    errors.check(vendor.sandbox, "--token: events are triggered in a sandbox only, and this vendor is live.");
    errors.throwIfAny();

    const before = { now: new Date(vendor.now), newestEvent: events.pageInfo.endCursor };
    printOutput(args.json, toRecordOutput(await triggerEvent(client, name, before)));
  },
  Object.keys(triggers),
);
