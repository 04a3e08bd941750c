import { createClient } from "graphql-sse";
import { EventType } from "../../../schema/vocabulary.ts";
import { toWireName } from "../../events/event.message.ts";
import { systemClock } from "../../kernel/clock.ts";
import { parseUrl } from "../../kernel/parsed-url.ts";
import { generateWebhookSecret, signatureHeaders } from "../../webhooks/webhook.signature.ts";
import { defineCommand, printLines, UnreachableError, type CommandGroup } from "../command.ts";
import { ApiRefusal, apiOptions, readApiClient, type ApiClient } from "./api-client.ts";

/** An event of the stream, with the fields of a webhook's body. */
interface StreamedEvent {
  cursor: string;
  messageId: string;
  name: string;
  occurredAt: string;
  data: object;
}

const SUBSCRIPTION =
  "subscription ($types: [EventType!]) { events(types: $types) { cursor messageId name occurredAt data } }";
const RECEIVER_TIMEOUT_MS = 15_000;

const listen = defineCommand(
  {
    name: "listen",
    description:
      "Sends the vendor's events to an address of this machine, signed as webhooks are, and prints each with the status of the answer. It needs no endpoint and no public address. It runs until it is stopped with Ctrl+C",
  },
  {
    "forward-to": {
      type: "string",
      valueHint: "address",
      description: "Address that receives the messages, such as http://127.0.0.1:3000/webhooks (required)",
    },
    types: {
      type: "string",
      valueHint: "names",
      description: "Types of events with commas between, such as order.paid,cover.recovered. Defaults to all",
    },
    secret: {
      type: "string",
      valueHint: "whsec_…",
      description: "Secret of the signatures. Defaults to WEBHOOK_SECRET, then to a new one, which is printed",
    },
    count: { type: "string", valueHint: "number", description: "Stop after so many events. Defaults to no limit" },
    ...apiOptions,
    json: { type: "boolean", description: "Print one JSON object a line" },
  },
  async (args, errors) => {
    const receiver = parseUrl(args["forward-to"] ?? "");
    errors.check(
      receiver !== undefined && /^https?:$/.test(receiver.protocol),
      args["forward-to"] === undefined ? "--forward-to is missing." : "--forward-to must be an http or https address.",
    );
    const types = args.types?.split(",").map((name) => typeOf(name.trim()));
    errors.check(
      types?.every((type) => type !== undefined) ?? true,
      "--types has a name that no event has: docs/events.md lists them.",
    );
    const given = args.secret ?? process.env["WEBHOOK_SECRET"];
    errors.check(
      given === undefined || /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(given),
      "--secret must be whsec_ and base64, as an endpoint's secret is.",
    );
    const count = args.count === undefined ? Infinity : Number(args.count);
    errors.check(count >= 1 && !(count % 1), "--count must be a whole number from 1.");
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const secret = given ?? generateWebhookSecret();
    // The stream begins once its first answer has come; a wrong token is refused before it.
    await client.run("{ vendor { uuid } }");
    process.stderr.write(`Forwarding events of ${client.url} to ${receiver?.href ?? ""}\n`);
    if (given === undefined) process.stderr.write(`The secret of the signatures: ${secret}\n`);
    let forwarded = 0;
    for await (const event of streamEvents(client, types)) {
      const { name, messageId } = event;
      const outcome = await forward(event, receiver?.href ?? "", secret);
      printLines([args.json ? JSON.stringify({ id: messageId, type: name, ...outcome }) : toLine(event, outcome)]);
      // Whoever reads the output has ended.
      if (++forwarded >= count || !process.stdout.writable) return;
    }
  },
);

const typeOf = (name: string): EventType | undefined =>
  Object.values(EventType).find((type) => type === name || toWireName(type) === name);

async function* streamEvents(client: ApiClient, types: readonly unknown[] | undefined): AsyncGenerator<StreamedEvent> {
  let cursor: string | undefined;
  const stream = createClient({
    url: `${client.url}/graphql`,
    headers: () => ({ "secret-token": client.token, ...(cursor !== undefined && { "last-event-id": cursor }) }),
    retryAttempts: Infinity,
  });
  try {
    for await (const { data, errors } of stream.iterate<{ events: StreamedEvent }>({
      query: SUBSCRIPTION,
      variables: { types: types ?? null },
    })) {
      if (errors) throw new ApiRefusal(errors.map(({ message }) => message).join("\n"));
      if (!data) continue;
      cursor = data.events.cursor;
      yield data.events;
    }
  } catch (error) {
    if (error instanceof ApiRefusal) throw error;
    throw new UnreachableError(`The stream of events at ${client.url} ended: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    stream.dispose();
  }
}

interface ForwardOutcome {
  status: number | null;
  milliseconds: number;
}

async function forward(event: StreamedEvent, url: string, secret: string): Promise<ForwardOutcome> {
  const { messageId: id, name: type, occurredAt: timestamp, data } = event;
  const body = JSON.stringify({ id, type, timestamp, data });
  const started = performance.now();
  const status = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...signatureHeaders({ id, sentAt: systemClock.now(), body }, [secret]),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
  }).then(
    (answer) => answer.body?.cancel().then(() => answer.status) ?? answer.status,
    () => null,
  );
  return { status, milliseconds: Math.round(performance.now() - started) };
}

const toLine = ({ messageId, name }: StreamedEvent, { status, milliseconds }: ForwardOutcome): string =>
  `${name}\t${messageId}\t${status ?? "no answer"}\t${milliseconds} ms`;

/** `recoup webhooks`. */
export const webhooksCommands: CommandGroup = {
  meta: { name: "webhooks", description: "Forwards events to a local address." },
  subCommands: { listen },
};
