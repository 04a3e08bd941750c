import { getNullableType } from "graphql";
import { bodyFields } from "./input-fields.ts";
import { parameterType, type Operation, type Operations } from "./stored-operations.ts";
import { pathParameters, queryParameters, successStatus, wholePath, type Route } from "./route.ts";
import type { Json } from "./scalar-schemas.ts";
import { Schemas } from "./json-schemas.ts";
import { unknownStatus } from "./path-subjects.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

const ERROR_BODY = {
  type: "object",
  required: ["errorCode"],
  properties: {
    errorCode: { type: "string" },
    traceId: { type: "string" },
    errorMessage: { type: "string" },
    details: { type: "object", additionalProperties: true },
  },
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A key of the sender's choice, so that a request whose answer was lost can be sent again: for 24 hours the same key and body have one effect and one answer. Another body is 422, one that still runs 409.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** The OpenAPI document of the routes, in the words that stand on the wire. */
export function openApiOf(contract: readonly Route[], operations: Operations, vocabulary: Vocabulary): Json {
  const schemas = new Schemas(vocabulary);
  const paths: Record<string, Json> = {};
  for (const route of contract) {
    const item = (paths[wholePath(route)] ??= {});
    item[route.method.toLowerCase()] = operationOf(route, operations.of(route), schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Subscription Billing and Payment Recovery API",
      version: "1.0",
      description:
        "Calls with `x-extension: true` stand beside the contract; senders use them to register what the contract only refers to.",
    },
    security: [{ SecretToken: [] }],
    paths,
    components: {
      securitySchemes: { SecretToken: { type: "apiKey", in: "header", name: "Secret-Token" } },
      schemas: { Error: ERROR_BODY, ...schemas.named },
    },
  };
}

function operationOf(route: Route, operation: Operation, schemas: Schemas): Json {
  const body = bodyFields(route, operation);
  const parameters = parametersOf(route, operation, schemas);
  const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
  const ids = pathParameters(route).every((name) => String(getNullableType(parameterType(operation, name))) === "ID");
  const unknown = `The vendor has no record with this id${ids ? "" : " or code"}.`;
  const hasPath = pathParameters(route).length > 0;
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(route.extension && { "x-extension": true }),
    ...(route.isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: schemas.body(body, route.defaults) } } },
    }),
    responses: {
      [successStatus(route)]: successOf(route, operation, schemas),
      "400": {
        description: `The request is wrong as sent.${hasPath && unknownStatus(route) === 400 ? ` ${unknown}` : ""}`,
        ...error,
      },
      ...(!route.isPublic && {
        "403": { description: "The Secret-Token is missing, unknown or revoked, or its vendor is disabled.", ...error },
      }),
      ...(hasPath && unknownStatus(route) === 404 && { "404": { description: unknown, ...error } }),
      ...(route.isPublic && {
        "429": {
          description: "Too many calls came from the client's address.",
          headers: { "Retry-After": header("Seconds to wait.", { type: "integer", minimum: 1 }) },
          ...error,
        },
      }),
    },
  };
}

const parametersOf = (route: Route, operation: Operation, schemas: Schemas): Json[] => [
  ...pathParameters(route).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: schemas.input(parameterType(operation, name)),
  })),
  ...queryParameters(route).map((parameter) => ({
    name: schemas.vocabulary.field(parameter.name),
    in: "query",
    required: false,
    schema: schemas.query(parameter, parameterType(operation, parameter.name)),
  })),
  ...(route.method === "GET" ? [] : [IDEMPOTENCY_KEY]),
];

const header = (description: string, schema: Json = { type: "string" }): Json => ({ description, schema });

const NAMED = "At most 20 are named, each with the name that was probably meant: `statu; did-you-mean=status`.";

/** The headers that name what the route ignored of a request; refusals have them too. */
const ignoredIn = (route: Route): Json => ({
  "X-Ignored-Parameters": header(`Query parameters that the call does not have. Absent where there are none. ${NAMED}`),
  ...(route.body && {
    "X-Ignored-Fields": header(
      `Paths of body fields that the call does not have: \`items[0].colour\`. Absent where there are none. ${NAMED}`,
    ),
  }),
});

function successOf(route: Route, operation: Operation, schemas: Schemas): Json {
  if (route.redirect) {
    return {
      description: "Where to go on.",
      headers: {
        ...ignoredIn(route),
        Location: header("The address to go to.", { type: "string", format: "uri" }),
        ...(route.redirect.deprecated && {
          Deprecation: header("Since when the number in the path is on its way out; only where a number was used."),
          Link: header("The address with the code in its path; only where a number was used."),
        }),
      },
    };
  }
  return {
    description: "What the call answers.",
    headers: {
      ...ignoredIn(route),
      ...(route.page === "ARRAY" && {
        "X-Total-Count": header("How many items the whole list has.", { type: "integer", minimum: 0 }),
        Link: header("Addresses of the first, previous, next and last page, as far as there are any."),
      }),
    },
    content: { "application/json": { schema: schemas.answer(route, operation) } },
  };
}
