import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** What a span is about. Names and attributes have words of ours and ids, never values of callers. */
export interface SpanDescription {
  name: string;
  /** CLIENT calls another system, SERVER answers one, CONSUMER is work of a worker. */
  kind: "INTERNAL" | "CLIENT" | "SERVER" | "CONSUMER";
  attributes?: Readonly<Record<string, string | number>>;
}

/** The span of a request, which ends with its response. */
export interface RequestSpan {
  /** Runs work within the span, and everything that follows from it. */
  run<T>(work: () => T): T;
  /** @param isError whether the fault is ours. */
  end(attributes: Readonly<Record<string, string | number>>, isError: boolean): void;
}

/** Records spans. Spans within each other form one tree, the trace. */
export interface Tracer {
  /** Begins the trace of a request, or continues the caller's. */
  startRequest(span: SpanDescription, traceId: string, traceparent: string | undefined): RequestSpan;
  /** Runs work as a trace of its own. */
  runRoot<T>(span: SpanDescription, work: () => Promise<T>): Promise<T>;
  /** Runs work in a span of the current trace; without one, no span is made. */
  runChild<T>(span: SpanDescription, work: () => PromiseLike<T>): PromiseLike<T>;
  /** Whether the current work is traced. */
  isTracing(): boolean;
  /** The current span for another system, as the header `traceparent` of W3C. */
  traceparent(): string | undefined;
}

let installed: Tracer | undefined;

/** Has spans recorded from now on; undefined ends it. One for the process, because the driver of the database has no other way to it. */
export const installTracer = (tracer: Tracer | undefined): void => void (installed = tracer);

export const isTracingInstalled = (): boolean => installed !== undefined;

/** The id of a worker's turn while nothing is traced: the log finds by it what one turn did. */
const workIds = new AsyncLocalStorage<string>();

/** A new id of a trace, in the form of W3C. */
export const newTraceId = (): string => randomBytes(16).toString("hex");

/** The id of the current trace, or of the current turn of a worker; null without one. */
export const currentTraceId = (): string | null =>
  installed?.traceparent()?.split("-")[1] ?? workIds.getStore() ?? null;

/** Begins the span of a request; undefined if nothing is traced. */
export const startRequestSpan = (...request: Parameters<Tracer["startRequest"]>): RequestSpan | undefined =>
  installed?.startRequest(...request);

/** Runs work of a worker as a trace of its own; it has an id also if nothing is traced. */
export const traceWork = <T>(name: string, vendorId: number, work: () => Promise<T>): Promise<T> =>
  installed
    ? installed.runRoot({ name, kind: "CONSUMER", attributes: { "recoup.vendor_id": vendorId } }, work)
    : workIds.run(newTraceId(), work);

/** Runs work in a span of the current trace. The description is made only if there is a trace. */
export const traceStep = <T>(describe: () => SpanDescription, work: () => PromiseLike<T>): PromiseLike<T> =>
  installed?.isTracing() ? installed.runChild(describe(), work) : work();

/** The header by which a system of the merchant's or the operator's continues the trace; none without a trace. */
export const traceHeaders = (): Record<string, string> => {
  const traceparent = installed?.traceparent();
  return traceparent === undefined ? {} : { traceparent };
};
