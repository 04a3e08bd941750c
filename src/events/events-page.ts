import type { EventType } from "../../schema/vocabulary.ts";
import { required } from "../kernel/required-values.ts";
import { keysOf } from "../kernel/typed-records.ts";
import { eventTypeMeanings } from "./enums.ts";
import { eventExamples, toExampleEvent } from "./event.examples.ts";
import { toEventMessage, toWireName } from "./event.message.ts";

/** The catalogue of events for readers of the docs: each type with its meaning, and a message made by the code that sends it. */
export function renderEventsPage(): string {
  const types = keysOf(eventTypeMeanings);
  const recorded = types.filter((type) => eventExamples[type]);
  const missing = types.filter((type) => !eventExamples[type]);
  const head = `# Events

Every change is one event of the vendor. Events are read by \`events\` over GraphQL and \`GET /api/v1/events\` over REST, both after a position
and by type, and [streamed](#stream); [webhooks](webhooks.md) send them, and timelines of records show them. \`npm run contracts\` writes this page from the code.

- \`id\` never changes. \`type\` is the value of \`EventType\` with a point: \`ORDER_PAID\` is \`order.paid\`. \`timestamp\` is the time by the clock of the
  vendor, which a sandbox can move.
- \`data.subject\` says what the event is about; the field of its id follows. Further ids are there if the record belongs to others.
  \`coverOrderId\` and \`coverSubscriptionId\` are orders and subscriptions that were registered for recovery and are charged elsewhere.
- \`data.change\` is more exact than the type, but later versions may rename it. \`statusBefore\` is null if the event created the subject.
- \`data.amount\` is a decimal as text, with its \`currency\`. \`data.facts\` depends on the change. There are no secrets and no personal details.
- \`data.author\` says who caused the event: \`{ "kind": "KEY", "keyId": 7 }\`, \`{ "kind": "PERSON", "personId": 3 }\`, or the kind \`WORKER\`, \`PAYER\`,
  \`PAYMENT_GATEWAY\` or \`OPERATOR\`. A merchant's page with a session token is a KEY with a \`sessionId\`. Events from before authors were recorded have none. Over GraphQL, \`author\` has the name too.
- A feed has the events of one subject in order. Later versions may add types and fields: ignore those that you do not know.

\`\`\`sh
curl -s 'http://127.0.0.1:4000/api/v1/events?types=COVER_STARTED' -H 'Secret-Token: demo-secret-token'
\`\`\`

## Stream

The subscription \`events\` of the root \`EventStream\` sends events as they come, as
[server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html) by the protocol
[GraphQL over SSE](https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md). Send it to \`/graphql\`, by \`POST\` or \`GET\`, with
\`Accept: text/event-stream\` and no other type:

\`\`\`sh
curl -sN http://127.0.0.1:4000/graphql -H 'Secret-Token: demo-secret-token' -H 'Accept: text/event-stream' -H 'Content-Type: application/json' \\
  -d '{"query": "subscription { events(types: [ORDER_PAID]) { messageId name occurredAt data } }"}'
\`\`\`

- **Position.** Each message has the event's \`cursor\` as its \`id\`. Send the last one as \`Last-Event-ID\`, and the stream goes on exactly after it. The argument
  \`after\` takes the same cursors, also those of the query \`events\`; the header takes precedence. Without either, the stream has the events from now on.
  To miss nothing before the first message, begin with the position of \`events(last: 1) { pageInfo { endCursor } }\`.
- **Messages.** \`event: next\` has a GraphQL result as its data. \`event: complete\` ends the stream for good: after it, do not connect again. If the connection ends without it,
  connect again after the time in \`retry\`. Comments come every 12 seconds, so that proxies keep the connection open.
- **Refusals.** A refused document is a message with \`errors\` and then \`complete\`. A wrong token is the status 403. 20 streams of a key, 100 of a vendor and 2,000 of a
  process may be open; beyond that the status is 429 and the code \`TOO_MANY_STREAMS\`. If the key is revoked or the vendor disabled, the stream ends within seconds
  with \`TOKEN_INVALID\` or \`VENDOR_DISABLED\`.
- **Slow readers.** A stream waits for its reader, and then reads on from the log: no event is left out. A reader that takes nothing for a minute is disconnected.
- **Clients.** The library \`graphql-sse\` connects again by itself; it sends the position if \`headers\` is a function. \`EventSource\` of browsers cannot send the token,
  which is not accepted in the address. Apollo's Sandbox and Explorer stream over WebSockets and multipart responses only, which this gateway does not offer:
  try subscriptions with curl, or with GraphiQL at \`/graphql?explorer=graphiql\`.

\`\`\`js
import { createClient } from "graphql-sse";

const stored = {}; // In production: where the receiver saves its work.
const client = createClient({
  url: "http://127.0.0.1:4000/graphql",
  headers: () => ({ "secret-token": "demo-secret-token", ...(stored.cursor && { "last-event-id": stored.cursor }) }),
  retryAttempts: Infinity,
});
for await (const { data, errors } of client.iterate({ query: "subscription { events { cursor name data } }" })) {
  if (errors) throw new Error(errors[0].message);
  console.log(data.events.name, data.events.data);
  stored.cursor = data.events.cursor;
}
\`\`\`
`;
  const tail = missing.length === 0 ? [] : [toMissingSection(missing)];
  return [head, ...recorded.map(toSection), ...tail].join("\n");
}

const toMissingSection = (missing: readonly EventType[]): string => `## Not recorded yet

${missing.map((type) => `\`${toWireName(type)}\``).join(", ")}
`;

function toSection(type: EventType): string {
  const example = required(eventExamples[type], type);
  const message = JSON.stringify(toEventMessage(toExampleEvent(type, example)), null, 2)
    // Short lists stand on one line, as Prettier writes them.
    .replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => `[${items.replace(/\s+/g, " ")}]`);
  return `## \`${toWireName(type)}\`\n\n${eventTypeMeanings[type]}\n\n\`\`\`json\n${message}\n\`\`\`\n`;
}
