import type { FastifyInstance } from "fastify";
import { isTracingInstalled, startRequestSpan, type RequestSpan } from "../kernel/tracing.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The span of the request; undefined if nothing is traced. */
    span: RequestSpan | undefined;
  }
}

/** Records a span for each request, within which its statements and gateway calls are. Without a tracer it adds nothing. */
export function traceRequests(server: FastifyInstance): void {
  if (!isTracingInstalled()) return;
  server.decorateRequest("span", undefined);
  server.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url ?? "none";
    const attributes = { "http.request.method": method, "http.route": route };
    request.span = startRequestSpan(
      { name: `${method} ${route}`, kind: "SERVER", attributes },
      request.id,
      headers.traceparent as string | undefined,
    );
    if (request.span) request.span.run(done);
    else done();
  });
  // The body was read on the time of the socket, which the span does not follow.
  server.addHook("preValidation", (request, _reply, done) => {
    if (request.span) request.span.run(done);
    else done();
  });
  server.addHook("onResponse", async ({ span, vendor }, { statusCode }) => {
    const attributes = { "http.response.status_code": statusCode, ...(vendor && { "recoup.vendor_id": vendor.id }) };
    span?.end(attributes, statusCode >= 500);
  });
}
