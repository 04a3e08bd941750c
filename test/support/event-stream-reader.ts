import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import type { RawData } from "./raw-data.ts";
import type { TestGateway } from "./test-gateway.ts";

/** One block of a stream of server-sent events: its fields, or a comment. */
export interface StreamBlock {
  id?: string;
  event?: string;
  /** The data as JSON. */
  data?: RawData;
  retry?: string;
  comment?: string;
}

/** The fields of an event that a stream is read with. */
export const STREAM = "{ events { databaseId cursor type data } }";

/** The address of GraphQL at a gateway of a test, which listens from then on. */
export async function listenToGraphQL({ gateway }: TestGateway): Promise<string> {
  if (!gateway.server.server.listening) await gateway.server.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(gateway.server.server.address() as AddressInfo).port}/graphql`;
}

/** A stream that is read with nothing but fetch, as the specification of server-sent events says. */
export class EventStreamReader {
  private readonly blocks: StreamBlock[] = [];
  private text = "";
  private hasEnded = false;
  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    readonly close: () => void,
  ) {}

  /** Opens a stream; it is closed after the file's tests. */
  static async open(
    url: string,
    { token, query = `subscription ${STREAM}`, variables, headers, method = "POST" }: StreamRequest,
  ): Promise<EventStreamReader> {
    const closing = new AbortController();
    const close = () => closing.abort();
    const address = new URL(url);
    if (method === "GET") {
      address.searchParams.set("query", query);
      if (variables) address.searchParams.set("variables", JSON.stringify(variables));
    }
    const response = await fetch(address, {
      method,
      headers: {
        accept: "text/event-stream",
        "secret-token": token,
        ...(method === "POST" && { "content-type": "application/json" }),
        ...headers,
      },
      ...(method === "POST" && { body: JSON.stringify({ query, variables }) }),
      signal: closing.signal,
    });
    afterAll(close);
    return new EventStreamReader(response, response.body!.getReader(), close);
  }

  /** The next block; undefined at the end of the stream. */
  async nextBlock(): Promise<StreamBlock | undefined> {
    while (this.blocks.length === 0 && !this.hasEnded) {
      const { done, value } = await this.reader.read();
      if (done) this.hasEnded = true;
      else this.addText(Buffer.from(value).toString());
    }
    return this.blocks.shift();
  }

  /** The next so many messages, without comments and without blocks of fields alone. */
  async nextMessages(count: number): Promise<StreamBlock[]> {
    const messages: StreamBlock[] = [];
    while (messages.length < count) {
      const block = await this.nextBlock();
      if (!block) throw new Error(`the stream ended after ${messages.length} messages`);
      if (block.event) messages.push(block);
    }
    return messages;
  }

  /** The rest of the stream. */
  async readToEnd(): Promise<StreamBlock[]> {
    const rest: StreamBlock[] = [];
    for (let block = await this.nextBlock(); block; block = await this.nextBlock()) rest.push(block);
    return rest;
  }

  private addText(text: string): void {
    const parts = (this.text + text).split("\n\n");
    this.text = parts.pop()!;
    this.blocks.push(...parts.map(toBlock));
  }
}

interface StreamRequest {
  token: string;
  query?: string;
  variables?: Record<string, unknown>;
  headers?: Record<string, string>;
  method?: "GET" | "POST";
}

function toBlock(text: string): StreamBlock {
  if (text.startsWith(":")) return { comment: text.slice(1) };
  const fields = text
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  const { data, ...block } = Object.fromEntries(fields) as Record<string, string>;
  return { ...block, ...(data && { data: JSON.parse(data) }) };
}

/** The numbers of the events in messages. */
export const numbersOf = (messages: readonly StreamBlock[]): number[] =>
  messages.map(({ data }) => data.data.events.databaseId);
