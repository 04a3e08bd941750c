import { HeaderMap, type ApolloServer, type HTTPGraphQLResponse } from "@apollo/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../graphql/context.ts";
import { identified } from "../graphql/errors/failures.ts";
import { movesMoney } from "../graphql/charging-mutations.ts";
import { LONGEST_DOCUMENT } from "../graphql/limits/document-limits.ts";
import { refuseRepeatedFields } from "../graphql/limits/repeated-fields.ts";
import type { Answer } from "../idempotency/idempotency.service.ts";
import { denied, invalid } from "../kernel/refusals.ts";
import { keyInHeader, type Idempotency } from "./idempotent-requests.ts";

/** Runs a GraphQL request, once for each idempotency key. */
export function graphqlHandler(apollo: ApolloServer<GatewayContext>, idempotency: Idempotency) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    refuseDearDocument(request);
    const execute = async (context: () => Promise<GatewayContext>) => {
      const response = await apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest: readRequest(request), context });
      for (const [name, value] of response.headers) void reply.header(name, value);
      return told(request, response.status ?? 200, await textOf(response));
    };
    const key = request.vendor && keyInHeader(request);
    const answer = request.vendor
      ? await idempotency.answer(
          request,
          reply,
          key,
          (context) => execute(() => Promise.resolve(context)),
          key !== undefined && movesMoney(request.body),
        )
      : await execute(() => Promise.reject(withoutToken()));
    // Apollo weighs what the browser accepts; whoever gets no page needs a token after all.
    if (!request.vendor && !String(reply.getHeader("content-type")).startsWith("text/html")) throw withoutToken();
    void reply.code(isForOldClient(request, answer) ? 200 : answer.status);
    if (!reply.hasHeader("content-type")) void reply.header("content-type", "application/json; charset=utf-8");
    return answer.body;
  };
}

/** @throws a Refusal of a document that nobody writes, before anything reads it. Those in an address are short enough to be read. */
function refuseDearDocument({ body, query: parameters }: FastifyRequest): void {
  const { query } = ((body ?? parameters) as { query?: unknown } | null | undefined) ?? {};
  if (typeof query !== "string") return;
  if (query.length > LONGEST_DOCUMENT)
    throw invalid("QUERY_TOO_LONG", `The document has ${query.length} characters; ${LONGEST_DOCUMENT} are allowed.`);
  refuseRepeatedFields(query);
}

const withoutToken = () => denied("TOKEN_MISSING", "Send your token in the Secret-Token header.");

/** Whatever Apollo refused carries a code and the traceId, and the log learns the code. */
function told(request: FastifyRequest, status: number, text: string): Answer {
  if (status < 400) return { status, body: text };
  const { body, code } = identified(text, request.id, request.server.address());
  request.errorCode = code;
  return { status, body };
}

/** Clients that know only application/json take any other status than 200 for a broken connection, by the GraphQL-over-HTTP specification. */
const isForOldClient = ({ headers: { accept = "" } }: FastifyRequest, { status, body }: Answer): boolean =>
  status === 400 &&
  accept.includes("application/json") &&
  !accept.includes("application/graphql-response+json") &&
  !body.includes('"code":"BAD_REQUEST"');

function readRequest({ method, url, headers: given, body }: FastifyRequest) {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) headers.set(name, [value].flat().join(", "));
  const question = url.indexOf("?");
  return { method, headers, search: question < 0 ? "" : url.slice(question), body };
}

async function textOf({ body }: HTTPGraphQLResponse): Promise<string> {
  if (body.kind === "complete") return body.string;
  let text = "";
  for await (const chunk of body.asyncIterator) text += chunk;
  return text;
}
