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
and by type; timelines of records show them too. \`npm run contracts\` writes this page from the code.

- \`id\` never changes. \`type\` is the value of \`EventType\` with a point: \`ORDER_PAID\` is \`order.paid\`. \`timestamp\` is the time by the clock of the
  vendor, which a sandbox can move.
- \`data.subject\` says what the event is about; the field of its id follows. Further ids are there if the record belongs to others.
  \`coverOrderId\` and \`coverSubscriptionId\` are orders and subscriptions that were registered for recovery and are charged elsewhere.
- \`data.change\` is more exact than the type, but later versions may rename it. \`statusBefore\` is null if the event created the subject.
- \`data.amount\` is a decimal as text, with its \`currency\`. \`data.facts\` depends on the change. There are no secrets and no personal details.
- A feed has the events of one subject in order. Later versions may add types and fields: ignore those that you do not know.

\`\`\`sh
curl -s 'http://127.0.0.1:4000/api/v1/events?types=COVER_STARTED' -H 'Secret-Token: demo-secret-token'
\`\`\`
`;
  const tail = `## Not recorded yet

${missing.map((type) => `\`${toWireName(type)}\``).join(", ")}
`;
  return [head, ...recorded.map(toSection), tail].join("\n");
}

function toSection(type: EventType): string {
  const example = required(eventExamples[type], type);
  const message = JSON.stringify(toEventMessage(toExampleEvent(type, example)), null, 2);
  return `## \`${toWireName(type)}\`\n\n${eventTypeMeanings[type]}\n\n\`\`\`json\n${message}\n\`\`\`\n`;
}
