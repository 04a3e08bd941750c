import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { detailed, docUrlOf, type SentAt } from "../graphql/errors/failure-details.ts";
import { graphqlError, judge, type Verdict } from "../graphql/errors/failures.ts";
import type { RefusalCode } from "../kernel/refusal-codes.ts";
import type { FieldFault } from "../kernel/refusals.ts";
import { quotable, valueAt } from "../kernel/quoted-values.ts";
import { describe } from "./request-log.ts";
import { pathOf, type Routes } from "./route-index.ts";

/** The HTTP status of every kind of failure. */
const statuses: Record<Verdict["kind"], number> = {
  invalid: 400,
  denied: 403,
  missing: 404,
  conflict: 409,
  mismatch: 422,
  excess: 429,
  outage: 503,
  bug: 500,
};

/** What Fastify itself refuses, in our words. */
const fastifyCodes: Readonly<Record<string, [status: number, code: RefusalCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json in UTF-8."],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, "PAYLOAD_TOO_LARGE", "The body is larger than 1 MB."],
};

/** Answers a failure: the error body of the contract, or under /graphql an error of a GraphQL response. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, verdict } = wasAborted(request) ? ABORTED : read(error);
  if (verdict.kind === "bug" || verdict.kind === "outage") report(request.log, error, request.id);
  if (verdict.kind === "outage") void reply.header("retry-after", "1");
  if (verdict.details?.retryAfter) void reply.header("retry-after", verdict.details.retryAfter);
  answer(request, reply, status, verdict);
}

/** Answers a path or a method that is not there. */
export function answerMissingRoute(request: FastifyRequest, reply: FastifyReply, routes: Routes): void {
  const allowed = routes.methodsAt(request.url);
  if (allowed.length === 0) {
    const near = routes.nearestTo(request.url);
    const message = `There is nothing at this path.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    const value = quotable("path", pathOf(request.url));
    const fields: FieldFault[] = [{ path: "path", code: "NOT_FOUND", message, ...(value !== undefined && { value }) }];
    answer(request, reply, 404, { kind: "missing", code: "NOT_FOUND", message, details: { fields } });
  } else {
    void reply.header("allow", allowed.join(", "));
    const message = `This path knows ${allowed.join(", ")} only.`;
    answer(request, reply, 405, { kind: "invalid", code: "METHOD_NOT_ALLOWED", message });
  }
}

/** Logs what is our fault in full, less the values that a statement carried. */
export const report = (log: FastifyBaseLogger, error: unknown, traceId: string): void =>
  log.error({ traceId, error: describe(error) }, "failed");

function answer(request: FastifyRequest, reply: FastifyReply, status: number, refused: Verdict): void {
  const verdict = detailed(refused, sentIn(request));
  request.errorCode = verdict.code;
  const traceId = request.id;
  const address = request.server.address();
  void reply.code(status).header("content-type", "application/json; charset=utf-8");
  if (/^\/graphql(?:[/?]|$)/.test(request.url)) {
    void reply.send(JSON.stringify({ errors: [graphqlError(verdict, traceId, address)] }));
  } else {
    const { code, message } = verdict;
    const details = { ...verdict.details, docUrl: docUrlOf(code, address) };
    void reply.send(JSON.stringify({ errorCode: code, traceId, errorMessage: message, details }));
  }
}

/** What a request sent: the parts that codes are about, then the fields of its body, its query and its path. */
const sentIn =
  ({ method, headers, body, query, params }: FastifyRequest): SentAt =>
  (path) => {
    if (path === "method") return method;
    if (path === "Secret-Token") return undefined;
    if (path === "body") return body;
    return headers[path.toLowerCase()] ?? valueAt(body, path) ?? valueAt(query, path) ?? valueAt(params, path);
  };

/** Nobody reads this answer any more; that a caller hung up is neither a fault of ours nor an outage. */
const ABORTED: { status: number; verdict: Verdict } = {
  status: 400,
  verdict: { kind: "invalid", code: "BAD_REQUEST", message: "The body did not arrive as a whole." },
};

/** Whether the caller hung up before it had sent the whole request. An injected request has no connection. */
const wasAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && "complete" in raw && !raw.complete;

function read(error: unknown): { status: number; verdict: Verdict } {
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = fastifyCodes[code ?? ""];
  if (known) return { status: known[0], verdict: { kind: "invalid", code: known[1], message: known[2] } };
  if (code?.startsWith("FST_") && statusCode !== undefined && statusCode < 500) {
    return {
      status: 400,
      verdict: { kind: "invalid", code: "BAD_REQUEST", message: "The HTTP request cannot be read." },
    };
  }
  const verdict = judge(error);
  return { status: statuses[verdict.kind], verdict };
}
