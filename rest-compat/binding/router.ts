import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { execute, getNullableType, type GraphQLInputObjectType, type GraphQLSchema } from "graphql";
import type { GatewayContext } from "../../src/graphql/context.ts";
import { invalidFields, Refusal, type FieldFault } from "../../src/kernel/errors.ts";
import { fieldNamesOf, openApiOf } from "./openapi.ts";
import { Operations, type Operation } from "./operations.ts";
import { bodyReader, queryReader, readPathId } from "./reader.ts";
import { pathParameters, PREFIX, successStatus, type Route } from "./route.ts";
import { Vocabulary } from "./vocabulary.ts";
import { bodyWriter } from "./writer.ts";

/** A body and its status, as they go out. */
interface Answer {
  status: number;
  body: string;
}

export interface RestParts {
  contract: readonly Route[];
  schema: GraphQLSchema;
  vocabulary: unknown;
  /** Runs a request in its context, once for each idempotency key. */
  answer: (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: GatewayContext) => Promise<Answer>,
  ) => Promise<Answer>;
}

/**
 * Binds every route of the contract to its stored operation. All is read, checked and compiled here, so that a document
 * which no longer fits the schema, or a vocabulary that cannot be used, stops the process before it listens.
 */
export function restRoutes({
  contract,
  schema,
  vocabulary: file,
  answer,
}: RestParts): (server: FastifyInstance) => void {
  const operations = new Operations(schema);
  const vocabulary = new Vocabulary(file, schema, fieldNamesOf(contract, operations));
  const handlers = contract.map((route) => ({
    route,
    handle: handlerOf(route, operations, vocabulary, schema, answer),
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
  schema: GraphQLSchema,
  answer: RestParts["answer"],
) {
  const operation = operations.of(route);
  const readRequest = requestReader(route, operation.variables, vocabulary);
  const write = bodyWriter(operation, vocabulary);
  const path = route.answer.split(".");
  const adds = Object.fromEntries(
    Object.entries(route.adds ?? {}).map(([name, value]) => [vocabulary.field(name), value]),
  );

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const variableValues = readRequest(request);
    const { status, body } = await answer(request, reply, async (contextValue) => {
      const { document } = operation;
      const { data, errors } = await execute({
        schema,
        document,
        operationName: route.operation,
        variableValues,
        contextValue,
      });
      const [error] = errors ?? [];
      if (error) throw inWireWords(error.originalError ?? error, vocabulary);
      const resource = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], data);
      return { status: successStatus(route), body: JSON.stringify({ ...adds, ...(write(resource) as object) }) };
    });
    nameIgnored(request, reply, route, vocabulary);
    return reply.code(status).header("content-type", "application/json; charset=utf-8").send(body);
  };
}

/** Compiles what turns a request into the variables of the operation, or into one refusal that names every fault. */
function requestReader(route: Route, variables: Operation["variables"], vocabulary: Vocabulary) {
  const parameters = pathParameters(route);
  const queries = (route.query ?? []).map((name) => ({
    name,
    wire: vocabulary.field(name),
    read: queryReader(variables.get(name)!),
  }));
  const input = route.body && (getNullableType(variables.get("input")) as GraphQLInputObjectType);
  const readBody = input && bodyReader(input, route.body!, vocabulary);

  return ({ params, query, body }: FastifyRequest): Record<string, unknown> => {
    const faults: FieldFault[] = [];
    const values: Record<string, unknown> = {};
    for (const name of parameters) values[name] = readPathId((params as Record<string, string>)[name]!);
    for (const { name, wire, read } of queries) {
      const value = read((query as Record<string, unknown>)[wire], wire, faults);
      if (value !== undefined) values[name] = value;
    }
    if (readBody) values["input"] = readBody(body, "", faults);
    if (faults.length > 0) throw invalidFields(faults);
    return values;
  };
}

/** Older senders add parameters that nothing reads; they are told, not refused. */
function nameIgnored({ query }: FastifyRequest, reply: FastifyReply, route: Route, vocabulary: Vocabulary): void {
  const known = new Set((route.query ?? []).map((name) => vocabulary.field(name)));
  const ignored = Object.keys(query as object).filter((name) => !known.has(name));
  if (ignored.length > 0) void reply.header("x-ignored-parameters", ignored.map(encodeURIComponent).join(", "));
}

/** In a sentence, only a word of such a form is surely a name of the interface: `partnerOrderId`, `PAID`. */
const NAMES = /^(?:[a-z]+(?:[A-Z][a-z]*)+|[A-Z][A-Z_]+)$/;

/** The domain speaks neutral words; what it says of a REST request is told in the words of the wire. */
function inWireWords(error: Error, vocabulary: Vocabulary): Error {
  if (!(error instanceof Refusal)) return error;
  const { fields, legal, ...rest } = error.details ?? {};
  const inPaths = new Set(fields?.flatMap(({ path }) => path.match(WORDS) ?? []));
  const worded = (sentence: string) =>
    sentence.replace(WORDS, (word) => (inPaths.has(word) || NAMES.test(word) ? vocabulary.word(word) : word));
  return new Refusal(
    error.kind,
    error.code,
    worded(error.message),
    error.details && {
      ...rest,
      ...(fields && {
        fields: fields.map(({ path, code, message }) => ({ path: worded(path), code, message: worded(message) })),
      }),
      ...(legal && { legal: legal.map((word) => vocabulary.word(word)) }),
    },
  );
}

const WORDS = /[A-Za-z_]\w*/g;
