import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from "graphql";
import type { GatewayContext } from "../../src/graphql/context.ts";
import { invariant } from "../../src/kernel/refusals.ts";
import { answerWriter } from "./response-writer.ts";
import { ignoredHeaders } from "./ignored-names.ts";
import { bodyFields } from "./input-fields.ts";
import { fieldNamesOf } from "./wire-names.ts";
import { openApiOf } from "./openapi.ts";
import { Operations, parameterType, type Operation } from "./stored-operations.ts";
import { pathReader } from "./path-reader.ts";
import { requestReader } from "./request-reader.ts";
import { pathParameters, wholePath, type Route } from "./route.ts";
import { asPathSays, unknownInPath } from "./path-subjects.ts";
import { Vocabulary } from "./wire-vocabulary.ts";
import { inWireWords } from "./refusal-translation.ts";

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
  /**
   * Lets a call without a token act for the vendor of the order that has a code. False where not exactly one order has it.
   * @throws a Refusal where its client's address calls too often.
   */
  admit: (request: FastifyRequest, reply: FastifyReply, orderCode: string) => Promise<boolean>;
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
        url: wholePath(route).replace(/\{(\w+)\}/g, ":$1"),
        exposeHeadRoute: false,
        config: { open: route.isPublic ?? false },
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
  { execute, answer, admit, zoneOf }: Pick<RestParts, "execute" | "answer" | "admit" | "zoneOf">,
) {
  const operation = operations.of(route);
  const readRequest = requestReader(route, operation, vocabulary);
  const write = answerWriter(route, operation, vocabulary);
  const codeIn = publicCodeReader(route, operation);
  const ignored = ignoredHeaders(route, bodyFields(route, operation), vocabulary);
  const wireWord = (word: string) => vocabulary.word(route.names?.[word] ?? word);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (codeIn && !(await admit(request, reply, codeIn(request)))) throw unknownInPath(route);
    // Refusals name what was ignored as well: a wrong name is often why a field is missing.
    void reply.headers(ignored(request.query as object, request.body));
    const asked = readRequest(request, zoneOf(request));
    const { status, body } = await answer(request, reply, async (contextValue) => {
      const { data, errors } = await execute({
        document: operation.document,
        operationName: route.operation,
        variableValues: asked.variables,
        contextValue,
      });
      const [error] = errors ?? [];
      if (error) throw inWireWords(asPathSays(error.originalError ?? error, route), wireWord);
      const { headers, ...written } = await write(data, asked, request);
      void reply.headers(headers);
      return written;
    });
    if (body !== "") void reply.header("content-type", "application/json; charset=utf-8");
    return reply.code(status).send(body);
  };
}

/** Reads the order code in the path of a public route; undefined for a route that needs a token. */
function publicCodeReader(route: Route, operation: Operation): ((request: FastifyRequest) => string) | undefined {
  if (!route.isPublic) return undefined;
  const [name, ...others] = pathParameters(route);
  invariant(name !== undefined && others.length === 0, "a public path has one parameter, the code of an order");
  const read = pathReader(parameterType(operation, name));
  return ({ params }) => read((params as Record<string, string>)[name]!);
}
