import Fastify from "fastify";
import { buildSchema, defaultFieldResolver, isScalarType, type GraphQLFieldResolver } from "graphql";
import type { RestRoute } from "../../rest-compat/binding/route.ts";
import { createRestRoutes } from "../../rest-compat/binding/router.ts";
import type { GatewayContext } from "../../src/graphql/context.ts";
import { createExecutor } from "../../src/graphql/execution/executor.ts";
import { IntrospectionGuard } from "../../src/graphql/documents/introspection.ts";
import * as scalars from "../../src/graphql/scalars.ts";
import { sendFailure } from "../../src/http/error-responses.ts";
import { parseJsonBody } from "../../src/kernel/json-reader.ts";

/** A test's schema, with the gateway's scalars and the test's resolvers. */
interface SmallSchemaInput {
  sdl: string;
  /** The resolvers of root fields. */
  rootResolvers: Readonly<Record<string, GraphQLFieldResolver<unknown, unknown>>>;
}

function buildSmallSchema({ sdl, rootResolvers }: SmallSchemaInput) {
  const schema = buildSchema(sdl);
  const scalarsByName = new Map(Object.values(scalars).flatMap((one) => (isScalarType(one) ? [[one.name, one]] : [])));
  for (const type of Object.values(schema.getTypeMap())) {
    const ours = scalarsByName.get(type.name);
    if (ours && isScalarType(type)) {
      const { serialize, parseValue, parseLiteral } = ours;
      Object.assign(type, { serialize, parseValue, parseLiteral });
    }
  }
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {}))
      field.resolve = rootResolvers[field.name] ?? defaultFieldResolver;
  }
  return schema;
}

export interface SmallRestInput extends SmallSchemaInput {
  contract: readonly RestRoute[];
  vocabulary?: Record<string, string>;
  zoneId?: string;
}

/** The binding over a small schema, without a database: the behaviour of routes of any form. */
export function createSmallRest({ contract, vocabulary = {}, zoneId = "Asia/Seoul", ...parts }: SmallRestInput) {
  const server = Fastify({ routerOptions: { maxParamLength: 16_384 } });
  server.decorate("address", () => "http://gateway.test");
  server.setErrorHandler(sendFailure);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseJsonBody(body),
  );
  const schema = buildSmallSchema(parts);
  createRestRoutes({
    contract,
    schema,
    execute: createExecutor(schema, new IntrospectionGuard(schema, true)),
    vocabulary,
    runRequest: (_request, _reply, run) => run({} as GatewayContext),
    admitPublicRequest: () => Promise.resolve(true),
    zoneIdOf: () => zoneId,
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
