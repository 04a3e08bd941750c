import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from "graphql";
import type { GatewayContext } from "../../src/graphql/context.ts";
import { answerWriter } from "./answer.ts";
import { fieldNamesOf } from "./names.ts";
import { openApiOf } from "./openapi.ts";
import { Operations } from "./operations.ts";
import { requestReader } from "./request-reader.ts";
import { PREFIX, queryParameters, type Route } from "./route.ts";
import { asPathSays } from "./unknown.ts";
import { Vocabulary } from "./vocabulary.ts";
import { inWireWords } from "./wire-words.ts";

/** A body and its status, as they go out. */
interface Answer {
  status: number;
  body: string;
}

export interface RestParts {
  contract: readonly Route[];
  schema: GraphQLSchema;
  /** Runs the stored operations. */
  execute: (operation: Omit<ExecutionArgs, "schema">) => Promise<ExecutionResult>;
  vocabulary: unknown;
  /** Runs a request in its context, once for each idempotency key. */
  answer: (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: GatewayContext) => Promise<Answer>,
  ) => Promise<Answer>;
  /** The time zone of the vendor that a request acts for: days begin and end in it. */
  zoneOf: (request: FastifyRequest) => string;
}

/**
 * Binds every route of the contract to its stored operation. All is read, checked and compiled here, so that a document
 * which no longer fits the schema, or a vocabulary that cannot be used, stops the process before it listens.
 */
export function restRoutes({
  contract,
  schema,
  vocabulary: file,
  ...parts
}: RestParts): (server: FastifyInstance) => void {
  const operations = new Operations(schema);
  const vocabulary = new Vocabulary(file, schema, fieldNamesOf(contract, operations));
  const handlers = contract.map((route) => ({
    route,
    handle: handlerOf(route, operations, vocabulary, parts),
  }));
  const openApi = openApiOf(contract, operations, vocabulary);
  return (server) => {
    for (const { route, handle } of handlers) {
      server.route({
        method: route.method,
        url: PREFIX + route.path.replace(/\{(\w+)\}/g, ":$1"),
        exposeHeadRoute: false,
        handler: handle,
      });
    }
    server.get("/openapi.json", { config: { open: true } }, async () => openApi);
  };
}

function handlerOf(
  route: Route,
  operations: Operations,
  vocabulary: Vocabulary,
  { execute, answer, zoneOf }: Pick<RestParts, "execute" | "answer" | "zoneOf">,
) {
  const operation = operations.of(route);
  const readRequest = requestReader(route, operation, vocabulary);
  const write = answerWriter(route, operation, vocabulary);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const asked = readRequest(request, zoneOf(request));
    const { status, body } = await answer(request, reply, async (contextValue) => {
      const { data, errors } = await execute({
        document: operation.document,
        operationName: route.operation,
        variableValues: asked.variables,
        contextValue,
      });
      const [error] = errors ?? [];
      if (error) throw inWireWords(asPathSays(error.originalError ?? error, route), vocabulary);
      const { headers, ...written } = write(data, asked, request);
      void reply.headers(headers);
      return written;
    });
    nameIgnored(request, reply, route, vocabulary);
    if (body !== "") void reply.header("content-type", "application/json; charset=utf-8");
    return reply.code(status).send(body);
  };
}

/** Older senders add parameters that nothing reads; they are told, not refused. */
function nameIgnored({ query }: FastifyRequest, reply: FastifyReply, route: Route, vocabulary: Vocabulary): void {
  const known = new Set(queryParameters(route).map(({ name }) => vocabulary.field(name)));
  const ignored = Object.keys(query as object).filter((name) => !known.has(name));
  if (ignored.length > 0) void reply.header("x-ignored-parameters", ignored.map(encodeURIComponent).join(", "));
}
