import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { withDetails, docUrlOf, type FindSentValue } from "../graphql/errors/failure-details.ts";
import { toGraphQLError, classifyError, type RequestFailure } from "../graphql/errors/failures.ts";
import { refusalCodes, type RefusalCode } from "../kernel/refusal-codes.ts";
import type { FieldError } from "../kernel/refusals.ts";
import { quotableValue, valueAt } from "../kernel/quoted-values.ts";
import { isPageRequest } from "./pages/console-routes.ts";
import { sendNoticePage } from "./pages/error-pages.ts";
import { toLoggableError } from "./request-log.ts";
import { pathOf, type RouteIndex } from "./route-index.ts";

/** The HTTP status of every kind of failure. */
const statusByKind: Record<RequestFailure["kind"], number> = {
  invalid: 400,
  denied: 403,
  missing: 404,
  conflict: 409,
  mismatch: 422,
  excess: 429,
  outage: 503,
  bug: 500,
};

/** Our codes and messages for Fastify's own refusals. */
const fastifyErrors: Readonly<Record<string, [status: number, code: RefusalCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json in UTF-8."],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, "PAYLOAD_TOO_LARGE", "The body is larger than 1 MB."],
};

/** Answers a failure: the error body of the contract, or under /graphql an error of a GraphQL response. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, verdict: failure } = wasAborted(request) ? ABORTED_REQUEST : toHttpFailure(error);
  if (failure.kind === "bug" || failure.kind === "outage")
    request.log.error({ error: toLoggableError(error) }, "failed");
  if (failure.kind === "outage") void reply.header("retry-after", "1");
  if (failure.details?.retryAfter) void reply.header("retry-after", failure.details.retryAfter);
  sendErrorBody(request, reply, status, failure);
}

/** Answers a path or a method that is not there. */
export function sendMissingRoute(request: FastifyRequest, reply: FastifyReply, routes: RouteIndex): void {
  const allowed = routes.methodsAt(request.url);
  if (allowed.length === 0) {
    const suggestion = routes.nearestTo(request.url);
    const message = `There is nothing at this path.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`;
    const value = quotableValue("path", pathOf(request.url));
    const fields: FieldError[] = [{ path: "path", code: "NOT_FOUND", message, ...(value !== undefined && { value }) }];
    sendErrorBody(request, reply, 404, { kind: "missing", code: "NOT_FOUND", message, details: { fields } });
  } else {
    void reply.header("allow", allowed.join(", "));
    const message = `This path accepts only ${allowed.join(", ")}.`;
    sendErrorBody(request, reply, 405, { kind: "invalid", code: "METHOD_NOT_ALLOWED", message });
  }
}

/** Logs what is our fault in full, less the values that a statement carried. */
export const logServerError = (log: FastifyBaseLogger, error: unknown, traceId: string): void =>
  log.error({ traceId, error: toLoggableError(error) }, "failed");

/** The console says itself that an address does not exist. */
function sendFailurePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, message, details }: RequestFailure,
): void {
  if (reply.statusCode === 404) request.server.sendConsolePage(request, reply, 404);
  else
    sendNoticePage(reply, {
      title: code,
      message,
      cure: details?.hint ?? refusalCodes[code].cure,
      traceId: request.id,
    });
}

function sendErrorBody(request: FastifyRequest, reply: FastifyReply, status: number, failure: RequestFailure): void {
  const detailedFailure = withDetails(failure, sentValueFinder(request));
  request.errorCode = detailedFailure.code;
  if (isPageRequest(request)) {
    sendFailurePage(request, reply.code(status), detailedFailure);
    return;
  }
  const traceId = request.id;
  const address = request.server.address();
  void reply.code(status).header("content-type", "application/json; charset=utf-8");
  if (/^\/graphql(?:[/?]|$)/.test(request.url)) {
    void reply.send(JSON.stringify({ errors: [toGraphQLError(detailedFailure, traceId, address)] }));
  } else {
    const { code, message } = detailedFailure;
    const details = { ...detailedFailure.details, docUrl: docUrlOf(code, address) };
    void reply.send(JSON.stringify({ errorCode: code, traceId, errorMessage: message, details }));
  }
}

/** Finds the sent value: the parts that codes concern, then the fields of the body, the query and the path. */
const sentValueFinder =
  ({ method, headers, body, query, params }: FastifyRequest): FindSentValue =>
  (path) => {
    if (path === "method") return method;
    if (path === "Secret-Token" || path === "Session-Token") return undefined;
    if (path === "body") return body;
    return headers[path.toLowerCase()] ?? valueAt(body, path) ?? valueAt(query, path) ?? valueAt(params, path);
  };

/** Nobody reads this answer any more; that a caller hung up is neither a fault of ours nor an outage. */
const ABORTED_REQUEST: { status: number; verdict: RequestFailure } = {
  status: 400,
  verdict: { kind: "invalid", code: "BAD_REQUEST", message: "The body arrived incomplete; send the request again." },
};

/** Whether the caller hung up before it had sent the whole request. An injected request has no connection. */
const wasAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && "complete" in raw && !raw.complete;

function toHttpFailure(error: unknown): { status: number; verdict: RequestFailure } {
  const { code, statusCode } = error as Partial<FastifyError>;
  const fastifyError = fastifyErrors[code ?? ""];
  if (fastifyError)
    return { status: fastifyError[0], verdict: { kind: "invalid", code: fastifyError[1], message: fastifyError[2] } };
  if (code?.startsWith("FST_") && statusCode !== undefined && statusCode < 500) {
    return {
      status: 400,
      verdict: { kind: "invalid", code: "BAD_REQUEST", message: "The HTTP request cannot be parsed." },
    };
  }
  const verdict = classifyError(error);
  return { status: statusByKind[verdict.kind], verdict };
}
