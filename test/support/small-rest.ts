import Fastify from "fastify";
import { buildSchema, defaultFieldResolver, isScalarType, type GraphQLFieldResolver } from "graphql";
import type { Route } from "../../rest-compat/binding/route.ts";
import { restRoutes } from "../../rest-compat/binding/router.ts";
import type { GatewayContext } from "../../src/graphql/context.ts";
import { executorOn } from "../../src/graphql/executor.ts";
import { Introspection } from "../../src/graphql/introspection.ts";
import * as scalars from "../../src/graphql/scalars.ts";
import { answerFailure } from "../../src/http/error-responses.ts";
import { readJson } from "../../src/kernel/json-reader.ts";

/** A schema of a test, with the gateway's scalars and the test's answers. */
interface SmallSchema {
  sdl: string;
  /** The resolvers of root fields. */
  answers: Readonly<Record<string, GraphQLFieldResolver<unknown, unknown>>>;
}

function schemaOf({ sdl, answers }: SmallSchema) {
  const schema = buildSchema(sdl);
  const known = new Map(Object.values(scalars).flatMap((one) => (isScalarType(one) ? [[one.name, one]] : [])));
  for (const type of Object.values(schema.getTypeMap())) {
    const ours = known.get(type.name);
    if (ours && isScalarType(type)) {
      const { serialize, parseValue, parseLiteral } = ours;
      Object.assign(type, { serialize, parseValue, parseLiteral });
    }
  }
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {}))
      field.resolve = answers[field.name] ?? defaultFieldResolver;
  }
  return schema;
}

export interface SmallRest extends SmallSchema {
  contract: readonly Route[];
  vocabulary?: Record<string, string>;
  zoneId?: string;
}

/** The binding over a small schema, without a database: what a route of any shape would do. */
export function smallRest({ contract, vocabulary = {}, zoneId = "Asia/Seoul", ...parts }: SmallRest) {
  const server = Fastify({ routerOptions: { maxParamLength: 16_384 } });
  server.decorate("address", () => "http://gateway.test");
  server.setErrorHandler(answerFailure);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    readJson(body),
  );
  const schema = schemaOf(parts);
  restRoutes({
    contract,
    schema,
    execute: executorOn(schema, new Introspection(schema, true)),
    vocabulary,
    answer: (_request, _reply, run) => run({} as GatewayContext),
    admit: () => Promise.resolve(true),
    zoneOf: () => zoneId,
  })(server);
  const send = async (method: "GET" | "POST", path: string, payload?: unknown) => {
    const { statusCode, headers, body } = await server.inject({
      method,
      url: `/api/v1${path}`,
      ...(payload !== undefined && {
        headers: { "content-type": "application/json" },
        payload: typeof payload === "string" ? payload : JSON.stringify(payload),
      }),
    });
    return { status: statusCode, headers, body: body === "" ? "" : JSON.parse(body), text: body };
  };
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body: unknown) => send("POST", path, body),
    openApi: async () => (await server.inject({ url: "/openapi.json" })).json(),
  };
}
