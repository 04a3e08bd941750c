import { EventType } from "../../../../schema/vocabulary.ts";
import { toWireName } from "../../../events/event.message.ts";
import { ApiRefusal, type ApiClient } from "../api-client.ts";
import { accountTriggers } from "./account-triggers.ts";
import { orderTriggers } from "./order-triggers.ts";
import { recoveryTriggers } from "./recovery-triggers.ts";
import { subscriptionTriggers } from "./subscription-triggers.ts";
import { TriggerContext, type Created, type Trigger } from "./trigger-context.ts";

/** How each event is made to occur. Those that cannot be are in `untriggerableEvents`. */
export const triggers: Readonly<Record<string, Trigger>> = {
  ...orderTriggers,
  ...subscriptionTriggers,
  ...recoveryTriggers,
  ...accountTriggers,
};

/** Workers look for some of what is due once a minute. */
const EVENT_LIMIT_MS = 90_000;

/** An event of the feed. */
interface EventNode {
  messageId: string;
  data: Record<string, unknown> & { facts?: Record<string, unknown> };
}

/** The types of events, by their names on the wire. */
export const typeByName = new Map(Object.values(EventType).map((type) => [toWireName(type), type]));

/** The newest event of a type after a position that is about one of the records; undefined until it was recorded. */
async function findEvent(
  client: ApiClient,
  { name, after, created }: { name: string; after: string | null; created: Created },
): Promise<EventNode | undefined> {
  const { events } = await client.run<{ events: { nodes: EventNode[] } }>(
    "query ($after: String, $types: [EventType!]) { events(first: 100, after: $after, types: $types) { nodes { messageId data } } }",
    { after, types: [typeByName.get(name)] },
  );
  const isAbout = ({ data }: EventNode) =>
    Object.entries(created).some(([key, id]) => String({ ...data.facts, ...data }[key]) === String(id));
  return events.nodes.findLast(isAbout);
}

/** The sandbox before an event is triggered. */
export interface SandboxState {
  /** The time by its clock. */
  now: Date;
  /** The position of its newest event; null before the first. */
  newestEvent: string | null;
}

/**
 * Makes an event occur, and waits until it has been recorded.
 * @throws an ApiRefusal if an operation was refused, or if the event was not recorded in time.
 */
export async function triggerEvent(
  client: ApiClient,
  name: string,
  { now, newestEvent }: SandboxState,
): Promise<Created> {
  const context = new TriggerContext(client, now);
  const created = (await triggers[name]?.act(context)) ?? {};
  let event: EventNode | undefined;
  await context.waitFor(async () => {
    event = await findEvent(client, { name, after: newestEvent, created });
    return event !== undefined;
  }, EVENT_LIMIT_MS);
  if (!event)
    throw new ApiRefusal(
      `No ${name} was recorded within ${EVENT_LIMIT_MS / 1000} seconds. If a worker brings it, is one running?`,
    );
  return { event: name, eventId: event.messageId, ...created };
}
