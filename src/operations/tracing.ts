import type { FastifyBaseLogger } from "fastify";
import { installTracer } from "../kernel/tracing.ts";

/** Tracing that is on. */
interface RunningTracing {
  /** Exports the last spans, for a short time. */
  shutDown(): Promise<void>;
}

/** Whether the standard variables of OpenTelemetry ask for traces. */
function wantsTraces(variables: NodeJS.ProcessEnv): boolean {
  const endpoint = variables["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || variables["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const isDisabled = variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true";
  return Boolean(endpoint) && !isDisabled && variables["OTEL_TRACES_EXPORTER"] !== "none";
}

/** Records traces if the environment asks for them. The library is loaded only then: it costs nothing otherwise. */
export async function startTracing(
  variables: NodeJS.ProcessEnv,
  logger: FastifyBaseLogger,
): Promise<RunningTracing | undefined> {
  if (!wantsTraces(variables)) return undefined;
  const { TraceExporter } = await import("./open-telemetry.ts");
  const tracer = new TraceExporter(logger);
  installTracer(tracer);
  return {
    shutDown: async () => {
      installTracer(undefined);
      await tracer.shutDown();
    },
  };
}
