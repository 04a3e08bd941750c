import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import { createHandler, type RequestParams } from "graphql-sse";
import type { ContextFactory } from "../graphql/context.ts";
import { withCodesAndTraceId } from "../graphql/errors/failures.ts";
import type { EventFollower, EventStreamArgs, StreamContext } from "../graphql/event-stream-root.ts";
import type { StreamMessage, SubscriptionRunner } from "../graphql/subscription-runner.ts";
import { runAsParty } from "../kernel/scheduling/current-party.ts";
import { invariant } from "../kernel/refusals.ts";
import { requireReadableDocument } from "./graphql-handler.ts";
import { StreamInterruption, type OpenStream, type OpenStreams } from "./open-streams.ts";

/** The dependencies of the stream's route. */
export interface EventStreamDependencies {
  runner: SubscriptionRunner;
  streams: OpenStreams;
  follower: EventFollower;
  contexts: ContextFactory;
  onFault: (error: unknown, traceId: string) => void;
}

/** The time after which a client connects again that lost its connection, in milliseconds. */
const RETRY_MS = 2_000;

/** The same after a failure of ours. */
const RETRY_AFTER_FAULT_MS = 5_000;

/** The bytes that a connection reads ahead of its reader. */
const READ_AHEAD_BYTES = 16_384;

/** True for a request that accepts nothing but a stream. Clients of queries list several types, and get JSON. */
export const acceptsOnlyEventStream = ({ headers: { accept = "" } }: FastifyRequest): boolean =>
  /\btext\/event-stream\b/.test(accept) && !/\bapplication\/|\*\/\*/.test(accept);

/**
 * Streams subscriptions as server-sent events, by the protocol "GraphQL over SSE" with one connection for each
 * subscription.
 */
export function createEventStreamHandler(dependencies: EventStreamDependencies) {
  const handle = createHandler<FastifyRequest, StreamDelivery>({
    // The request has been authenticated. Without a token here, each subscription has a connection of its own.
    authenticate: () => null,
    onSubscribe: ({ context }, params) => context.subscribe(params),
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireReadableDocument(request);
    const { place, vendor, method, url } = request;
    invariant(place && vendor, "a request that was let in has a place and a vendor");
    const delivery = new StreamDelivery(dependencies, request, reply);
    const [body, { status, statusText }] = await place.holdDuring(() =>
      runAsParty({ kind: "API", id: vendor.id }, () =>
        handle({
          method,
          url,
          headers: { get: (name) => (name === "accept" ? "text/event-stream" : (request.headers[name] as string)) },
          body: (request.body ?? null) as Record<string, unknown> | null,
          raw: request,
          context: delivery,
        }),
      ),
    );
    void reply.code(status);
    if (body === null || typeof body === "string") {
      const errors = body ?? JSON.stringify({ errors: [{ message: statusText }] });
      const answer = withCodesAndTraceId(errors, request.id, request.server.address());
      request.errorCode = answer.code;
      return reply.header("content-type", "application/json; charset=utf-8").send(answer.body);
    }
    place.endResponse();
    // Proxies of the kind of nginx must not collect the stream.
    void reply.headers({ "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
    return reply.send(Readable.from(delivery.toFrames(body), { objectMode: false, highWaterMark: READ_AHEAD_BYTES }));
  };
}

/** One subscription on its way to its caller: adds ids to messages, and lets at most one wait for the reader. */
class StreamDelivery {
  private stream: OpenStream | undefined;
  private startCursor: string | undefined;
  /** The cursors of the messages that are not sent yet; undefined for a message without an event. */
  private readonly unsentCursors: (string | undefined)[] = [];

  constructor(
    private readonly dependencies: EventStreamDependencies,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** Opens a subscription. @throws a Refusal if the caller has too many. */
  async subscribe({ query, operationName, variables }: RequestParams): Promise<AsyncGenerator<ExecutionResult>> {
    const { vendor, caller, id: traceId } = this.request;
    invariant(vendor && caller, "a request that was let in has a vendor and a caller");
    const context: StreamContext = {
      ...this.dependencies.contexts.createContext(vendor, traceId, caller),
      openEventStream: (args) => this.openEventStream(args, context),
    };
    const messages = await this.dependencies.runner.open({ query, operationName, variables }, context);
    return this.paceMessages(messages, context);
  }

  /** The text of the stream: the messages of the protocol, with the id of each event. */
  async *toFrames(messages: AsyncGenerator<string>): AsyncGenerator<string> {
    try {
      if (this.startCursor !== undefined) yield `retry: ${RETRY_MS}\nid: ${this.startCursor}\n\n`;
      for await (const message of messages) {
        const isResult = message.startsWith("event: next");
        const cursor = isResult ? this.unsentCursors.shift() : undefined;
        yield cursor === undefined ? message : `id: ${cursor}\n${message}`;
        if (isResult) this.stream?.markTaken();
      }
    } catch (error) {
      // The end of a connection without the message `complete` makes a client connect again.
      if (!(error instanceof StreamInterruption)) this.dependencies.onFault(error, this.request.id);
      yield `retry: ${error instanceof StreamInterruption ? error.retryMs : RETRY_AFTER_FAULT_MS}\n\n`;
    }
  }

  /** The library reads results as fast as they come: they must wait here for the reader. */
  private async *paceMessages(
    messages: AsyncIterable<StreamMessage>,
    { read, traceId }: StreamContext,
  ): AsyncGenerator<ExecutionResult> {
    for await (const { result, event } of messages) {
      this.unsentCursors.push(event && read.eventFeed.cursorOf(event.id));
      // Errors are formatted already: the library only writes them.
      yield result as ExecutionResult;
      await this.stream?.waitUntilTaken();
    }
    const reason = this.stream?.endReason;
    if (reason instanceof StreamInterruption) throw reason;
    if (!reason) return;
    this.unsentCursors.push(undefined);
    const { result }: StreamMessage = { result: { errors: [this.dependencies.runner.toError(reason, traceId)] } };
    yield result as ExecutionResult;
  }

  private async openEventStream({ after, types }: EventStreamArgs, { read, vendor, caller }: StreamContext) {
    const { streams, follower } = this.dependencies;
    const { raw } = this.reply;
    const feed = read.eventFeed;
    const lastEventId = this.request.headers["last-event-id"];
    const [cursor, argument] = typeof lastEventId === "string" ? [lastEventId, "Last-Event-ID"] : [after, "after"];
    const position = cursor == null ? undefined : feed.numberOf(cursor, argument);
    const keyId = caller.author.id;
    invariant(keyId !== null, "a request that was let in has a key");
    const stream = streams.add({ vendorId: vendor.id, keyId, disconnect: () => raw.destroy() });
    raw.once("close", () => stream.end());
    if (raw.destroyed) stream.end();
    try {
      const followed = await follower.follow(vendor.id);
      const unfollow = () => follower.unfollow(vendor.id);
      if (stream.signal.aborted) unfollow();
      else stream.signal.addEventListener("abort", unfollow);
      const start = position ?? followed.lastNumber;
      this.stream = stream;
      this.startCursor = feed.cursorOf(start);
      return followed.streamAfter(start, types, stream.signal);
    } catch (error) {
      stream.end();
      throw error;
    }
  }
}
