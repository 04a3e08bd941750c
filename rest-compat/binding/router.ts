import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from "graphql";
import type { GatewayContext } from "../../src/graphql/context.ts";
import { invariant } from "../../src/kernel/refusals.ts";
import { required } from "../../src/kernel/required-values.ts";
import type { ResponseForm } from "../../src/graphql/execution/response-form.ts";
import { compileResponseWriter } from "./response-writer.ts";
import { sendTagged } from "./entity-tag.ts";
import { compileIgnoredHeaders } from "./ignored-names.ts";
import { bodyFieldsOf } from "./input-fields.ts";
import { wireNamesOf } from "./wire-names.ts";
import { toOpenApi } from "./openapi.ts";
import { StoredOperations, parameterTypeOf, type StoredOperation } from "./stored-operations.ts";
import { compilePathReader } from "./path-reader.ts";
import { compileRequestReader } from "./request-reader.ts";
import { pathParametersOf, fullPathOf, type RestRoute } from "./route.ts";
import { withPathSubject, unknownPathRefusal } from "./path-subjects.ts";
import { WireVocabulary } from "./wire-vocabulary.ts";
import { translateRefusal } from "./refusal-translation.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** A body and its status, as they go out. */
interface RestAnswer {
  status: number;
  body: string;
}

export interface RestDependencies {
  contract: readonly RestRoute[];
  schema: GraphQLSchema;
  /** Runs the stored operations. */
  execute: (operation: Omit<ExecutionArgs, "schema"> & { form: ResponseForm }) => Promise<ExecutionResult>;
  vocabulary: unknown;
  /** Runs a request in its context, once for each idempotency key. */
  runRequest: (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: GatewayContext) => Promise<RestAnswer>,
  ) => Promise<RestAnswer>;
  /**
   * Lets a call without a token act for the vendor of the order that has a code. False where not exactly one order has it.
   * @throws a Refusal where its client's address calls too often.
   */
  admitPublicRequest: (request: FastifyRequest, reply: FastifyReply, orderCode: string) => Promise<boolean>;
  /** The time zone of the vendor that a request acts for: days begin and end in it. */
  zoneIdOf: (request: FastifyRequest) => string;
}

/**
 * Binds every route of the contract to its stored operation. All is read, checked and compiled here, so that a document
 * which no longer fits the schema, or a vocabulary that cannot be used, stops the process before it listens.
 */
export function createRestRoutes({
  contract,
  schema,
  vocabulary: file,
  ...dependencies
}: RestDependencies): (server: FastifyInstance) => void {
  const { routes, openApi } = compileContractOnce(contract, schema, file);
  const openApiText = JSON.stringify(openApi);
  const handlers = routes.map((compiled) => ({ route: compiled.route, handle: createHandler(compiled, dependencies) }));
  return (server) => {
    for (const { route, handle } of handlers) {
      server.route({
        method: route.method,
        url: fullPathOf(route).replace(/\{(\w+)\}/g, ":$1"),
        exposeHeadRoute: false,
        config: { open: route.isPublic ?? false },
        handler: handle,
      });
    }
    server.get("/openapi.json", { config: { open: true } }, (request, reply) =>
      sendTagged(request, reply.header("content-type", JSON_TYPE), openApiText),
    );
  };
}

interface CompiledContract {
  routes: readonly CompiledRoute[];
  openApi: ReturnType<typeof toOpenApi>;
}

/** A route with all that can be known of it before a request comes. */
type CompiledRoute = ReturnType<typeof compileRoute>;

let latest:
  { contract: readonly RestRoute[]; schema: GraphQLSchema; words: string; compiled: CompiledContract } | undefined;

/** Compiling takes longer than starting the rest of a gateway: those of one process, under the same words, share it. */
function compileContractOnce(
  contract: readonly RestRoute[],
  schema: GraphQLSchema,
  vocabulary: unknown,
): CompiledContract {
  const words = JSON.stringify(vocabulary);
  if (latest?.contract !== contract || latest.schema !== schema || latest.words !== words)
    latest = { contract, schema, words, compiled: compileContract(contract, schema, vocabulary) };
  return latest.compiled;
}

function compileContract(contract: readonly RestRoute[], schema: GraphQLSchema, words: unknown): CompiledContract {
  const operations = new StoredOperations(schema);
  const vocabulary = new WireVocabulary(words, schema, wireNamesOf(contract, operations));
  const routes = contract.map((route) => compileRoute(route, operations, vocabulary));
  return { routes, openApi: toOpenApi(contract, operations, vocabulary) };
}

function compileRoute(route: RestRoute, operations: StoredOperations, vocabulary: WireVocabulary) {
  const operation = operations.operationOf(route);
  return {
    route,
    document: operation.document,
    readRequest: compileRequestReader(route, operation, vocabulary),
    response: compileResponseWriter(route, operation, vocabulary),
    codeIn: compilePublicCodeReader(route, operation),
    headersOfIgnored: compileIgnoredHeaders(route, bodyFieldsOf(route, operation), vocabulary),
    wireWord: (word: string) => vocabulary.toWireWord(route.wireNames?.[word] ?? word),
  };
}

function createHandler(
  { route, document, readRequest, response, codeIn, headersOfIgnored, wireWord }: CompiledRoute,
  {
    execute,
    runRequest,
    admitPublicRequest,
    zoneIdOf,
  }: Pick<RestDependencies, "execute" | "runRequest" | "admitPublicRequest" | "zoneIdOf">,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (codeIn && !(await admitPublicRequest(request, reply, codeIn(request)))) throw unknownPathRefusal(route);
    // Refusals name what was ignored as well: a wrong name is often why a field is missing.
    void reply.headers(headersOfIgnored(request.query as object, request.body));
    const restRequest = readRequest(request, zoneIdOf(request));
    const { status, body } = await runRequest(request, reply, async (contextValue) => {
      const { data, errors } = await execute({
        document,
        operationName: route.operation,
        variableValues: restRequest.variables,
        contextValue,
        form: response.form,
      });
      const [error] = errors ?? [];
      if (error) throw translateRefusal(withPathSubject(error.originalError ?? error, route), wireWord);
      const { headers, ...written } = await response.write(data, restRequest, request);
      void reply.headers(headers);
      return written;
    });
    if (body !== "") void reply.header("content-type", JSON_TYPE);
    const isReadBody = route.method === "GET" && status === 200;
    return isReadBody ? sendTagged(request, reply, body) : reply.code(status).send(body);
  };
}

/** Reads the order code in the path of a public route; undefined for a route that needs a token. */
function compilePublicCodeReader(
  route: RestRoute,
  operation: StoredOperation,
): ((request: FastifyRequest) => string) | undefined {
  if (!route.isPublic) return undefined;
  const [name, ...others] = pathParametersOf(route);
  invariant(name !== undefined && others.length === 0, "a public path has one parameter, the code of an order");
  const read = compilePathReader(parameterTypeOf(operation, name));
  return ({ params }) => read(required((params as Record<string, string>)[name], name));
}
