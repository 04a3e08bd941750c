import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import {
  diag,
  DiagLogLevel,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type Tracer as OpenTelemetryTracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { FastifyBaseLogger } from "fastify";
import type { RequestSpan, SpanDescription, Tracer } from "../kernel/tracing.ts";

const SERVICE_NAME = "recoup";
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** A collector that hangs must not hold up the end of the process. */
const SHUTDOWN_MS = 2_000;
/** How often the log says that spans are lost. */
const WARNING_INTERVAL_MS = 60_000;

/** Records spans and exports them by OTLP over HTTP, as the standard variables `OTEL_…` say. */
export class TraceExporter implements Tracer {
  private readonly storage = new AsyncLocalStorage<Context>();
  /** The id of the trace that is begun next: it is that of the request, which the log and errors have. */
  private nextTraceId: string | undefined;
  private readonly provider: BasicTracerProvider;
  private readonly tracer: OpenTelemetryTracer;

  constructor(logger: FastifyBaseLogger) {
    warnOfLostSpans(logger);
    this.provider = new BasicTracerProvider({
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before our name.
      resource: defaultResource()
        .merge(resourceFromAttributes({ "service.name": SERVICE_NAME }))
        .merge(detectResources({ detectors: [envDetector] })),
      idGenerator: {
        generateTraceId: () => this.nextTraceId ?? randomBytes(16).toString("hex"),
        generateSpanId: () => randomBytes(8).toString("hex"),
      },
      // Spans wait in memory, at most 2048, and are dropped after that: no request waits for the collector.
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer(SERVICE_NAME);
  }

  startRequest(description: SpanDescription, traceId: string, traceparent: string | undefined): RequestSpan {
    this.nextTraceId = traceId;
    const span = this.start(description, contextOf(traceparent));
    this.nextTraceId = undefined;
    const context = trace.setSpan(ROOT_CONTEXT, span);
    return {
      run: (work) => this.storage.run(context, work),
      end: (attributes, isError) => {
        span.setAttributes(attributes);
        if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  runRoot<T>(description: SpanDescription, work: () => Promise<T>): Promise<T> {
    return this.runIn(this.start(description, ROOT_CONTEXT), work);
  }

  runChild<T>(description: SpanDescription, work: () => PromiseLike<T>): Promise<T> {
    return this.runIn(this.start(description, this.storage.getStore() ?? ROOT_CONTEXT), work);
  }

  isTracing(): boolean {
    const context = this.storage.getStore();
    return context !== undefined && trace.getSpan(context)?.isRecording() === true;
  }

  traceparent(): string | undefined {
    const spanContext = trace.getSpanContext(this.storage.getStore() ?? ROOT_CONTEXT);
    if (!spanContext || !isSpanContextValid(spanContext)) return undefined;
    const flags = spanContext.traceFlags.toString(16).padStart(2, "0");
    return `00-${spanContext.traceId}-${spanContext.spanId}-${flags}`;
  }

  /** Exports what waits, for a short time. */
  async shutDown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, SHUTDOWN_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), timeout]);
    clearTimeout(timer);
  }

  private start({ name, kind, attributes = {} }: SpanDescription, parent: Context): Span {
    return this.tracer.startSpan(name, { kind: SpanKind[kind], attributes }, parent);
  }

  private async runIn<T>(span: Span, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await this.storage.run(trace.setSpan(ROOT_CONTEXT, span), work);
    } catch (error) {
      // The name of the class alone: messages can repeat values.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  }
}

/** The caller's span, as the header says; none if it is not valid. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function warnOfLostSpans(logger: FastifyBaseLogger): void {
  let warnedAt = -Infinity;
  const warn = () => {
    if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = performance.now();
    logger.warn("traces could not be exported; check OTEL_EXPORTER_OTLP_ENDPOINT and the collector");
  };
  const ignore = () => undefined;
  diag.setLogger(
    { error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}
