import { HeaderMap, type ApolloServer, type HTTPGraphQLResponse } from "@apollo/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../graphql/context.ts";
import { withCodesAndTraceId } from "../graphql/errors/failures.ts";
import { isChargingRequest } from "../graphql/charging-mutations.ts";
import { MAX_DOCUMENT_LENGTH } from "../graphql/limits/document-limits.ts";
import { COST_HEADER } from "../graphql/limits/operation-cost.ts";
import { requireFewRepeatedFields } from "../graphql/limits/repeated-fields.ts";
import type { HttpAnswer } from "../idempotency/idempotency.service.ts";
import { denied, invalid } from "../kernel/refusals.ts";
import { readIdempotencyKey, type IdempotentRequestRunner } from "./idempotent-requests.ts";

/** Runs a GraphQL request, once for each idempotency key. */
export function createGraphqlHandler(apollo: ApolloServer<GatewayContext>, idempotency: IdempotentRequestRunner) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    requireReadableDocument(request);
    const execute = async (context: () => Promise<GatewayContext>) => {
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: toHttpGraphQLRequest(request),
        context,
      });
      for (const [name, value] of response.headers) void reply.header(name, value);
      return withErrorCodes(request, response.status ?? 200, await responseTextOf(response));
    };
    const key = request.vendor && readIdempotencyKey(request);
    const answer = request.vendor
      ? await idempotency.run(
          request,
          reply,
          key,
          (context) => execute(() => Promise.resolve(withCostReport(request, context))),
          key !== undefined && isChargingRequest(request.body),
        )
      : await execute(() => Promise.reject(tokenMissing()));
    // Apollo checks which content the browser accepts; a request that gets no page still needs a token.
    if (!request.vendor && !String(reply.getHeader("content-type")).startsWith("text/html")) throw tokenMissing();
    void reply.code(needsStatus200(request, answer) ? 200 : answer.status);
    if (!reply.hasHeader("content-type")) void reply.header("content-type", "application/json; charset=utf-8");
    return answer.body;
  };
}

const withCostReport = ({ headers, rate }: FastifyRequest, context: GatewayContext): GatewayContext =>
  headers[COST_HEADER] === "true" ? { ...context, costReport: { rate } } : context;

/**
 * @throws a Refusal of an unreasonably large document, before it is parsed. Documents in an address are short enough.
 */
export function requireReadableDocument({ body, query: parameters }: FastifyRequest): void {
  const { query } = ((body ?? parameters) as { query?: unknown } | null | undefined) ?? {};
  if (typeof query !== "string") return;
  if (query.length > MAX_DOCUMENT_LENGTH)
    throw invalid("QUERY_TOO_LONG", `The document has ${query.length} characters; ${MAX_DOCUMENT_LENGTH} are allowed.`);
  requireFewRepeatedFields(query);
}

const tokenMissing = () => denied("TOKEN_MISSING", "Send your token in the Secret-Token header.");

/** Whatever Apollo refused carries a code and the traceId, and the log learns the code. */
function withErrorCodes(request: FastifyRequest, status: number, responseText: string): HttpAnswer {
  if (status < 400) return { status, body: responseText };
  const { body, code } = withCodesAndTraceId(responseText, request.id, request.server.address());
  request.errorCode = code;
  return { status, body };
}

/** Clients that know only application/json take any other status than 200 for a broken connection, by the GraphQL-over-HTTP specification. */
const needsStatus200 = ({ headers: { accept = "" } }: FastifyRequest, { status, body }: HttpAnswer): boolean =>
  status === 400 &&
  accept.includes("application/json") &&
  !accept.includes("application/graphql-response+json") &&
  !body.includes('"code":"BAD_REQUEST"');

function toHttpGraphQLRequest({ method, url, headers: given, body }: FastifyRequest) {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) headers.set(name, [value].flat().join(", "));
  const queryStart = url.indexOf("?");
  // The server answers HEAD as GET and leaves the body out; Apollo knows only GET and POST.
  return {
    method: method === "HEAD" ? "GET" : method,
    headers,
    search: queryStart < 0 ? "" : url.slice(queryStart),
    body,
  };
}

async function responseTextOf({ body }: HTTPGraphQLResponse): Promise<string> {
  if (body.kind === "complete") return body.string;
  let text = "";
  for await (const chunk of body.asyncIterator) text += chunk;
  return text;
}
