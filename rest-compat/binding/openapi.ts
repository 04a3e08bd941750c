import { getNullableType } from "graphql";
import { bodyFieldsOf } from "./input-fields.ts";
import { parameterTypeOf, type StoredOperation, type StoredOperations } from "./stored-operations.ts";
import { pathParametersOf, queryParametersOf, successStatusOf, fullPathOf, type RestRoute } from "./route.ts";
import type { JsonObject } from "./scalar-schemas.ts";
import { JsonSchemaPrinter } from "./json-schemas.ts";
import { unknownRecordStatus } from "./path-subjects.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

const ERROR_SCHEMA = {
  type: "object",
  required: ["errorCode"],
  properties: {
    errorCode: { type: "string" },
    traceId: { type: "string" },
    errorMessage: { type: "string" },
    details: { type: "object", additionalProperties: true },
  },
};

const IDEMPOTENCY_KEY_PARAMETER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A key of the sender's choice, so that a request whose answer was lost can be sent again: for 24 hours the same key and body have one effect and one answer. Another body is 422, one that still runs 409.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** The OpenAPI document of the routes, in the words that stand on the wire. */
export function toOpenApi(
  contract: readonly RestRoute[],
  operations: StoredOperations,
  vocabulary: WireVocabulary,
): JsonObject {
  const schemas = new JsonSchemaPrinter(vocabulary);
  const paths: Record<string, JsonObject> = {};
  for (const route of contract) {
    const item = (paths[fullPathOf(route)] ??= {});
    item[route.method.toLowerCase()] = toOpenApiOperation(route, operations.operationOf(route), schemas);
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
      schemas: { Error: ERROR_SCHEMA, ...schemas.components },
    },
  };
}

function toOpenApiOperation(route: RestRoute, operation: StoredOperation, schemas: JsonSchemaPrinter): JsonObject {
  const body = bodyFieldsOf(route, operation);
  const parameters = toOpenApiParameters(route, operation, schemas);
  const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
  const ids = pathParametersOf(route).every(
    (name) => String(getNullableType(parameterTypeOf(operation, name))) === "ID",
  );
  const unknownRecordSentence = `The vendor has no record with this id${ids ? "" : " or code"}.`;
  const hasPath = pathParametersOf(route).length > 0;
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(route.isExtension && { "x-extension": true }),
    ...(route.isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemas.bodySchema(body, route.defaults) } },
      },
    }),
    responses: {
      [successStatusOf(route)]: successResponse(route, operation, schemas),
      "400": {
        description: `The request is wrong as sent.${hasPath && unknownRecordStatus(route) === 400 ? ` ${unknownRecordSentence}` : ""}`,
        ...error,
      },
      ...(!route.isPublic && {
        "403": { description: "The Secret-Token is missing, unknown or revoked, or its vendor is disabled.", ...error },
      }),
      ...(hasPath && unknownRecordStatus(route) === 404 && { "404": { description: unknownRecordSentence, ...error } }),
      ...(route.isPublic && {
        "429": {
          description: "Too many calls came from the client's address.",
          headers: { "Retry-After": headerSchema("Seconds to wait.", { type: "integer", minimum: 1 }) },
          ...error,
        },
      }),
    },
  };
}

const toOpenApiParameters = (
  route: RestRoute,
  operation: StoredOperation,
  schemas: JsonSchemaPrinter,
): JsonObject[] => [
  ...pathParametersOf(route).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: schemas.inputSchema(parameterTypeOf(operation, name)),
  })),
  ...queryParametersOf(route).map((parameter) => ({
    name: schemas.vocabulary.toWireField(parameter.name),
    in: "query",
    required: false,
    schema: schemas.querySchema(parameter, parameterTypeOf(operation, parameter.name)),
  })),
  ...(route.method === "GET" ? [] : [IDEMPOTENCY_KEY_PARAMETER]),
];

const headerSchema = (description: string, schema: JsonObject = { type: "string" }): JsonObject => ({
  description,
  schema,
});

const LISTED_NAMES_SENTENCE =
  "At most 20 are named, each with the name that was probably meant: `statu; did-you-mean=status`.";

/** The headers that name what the route ignored of a request; refusals have them too. */
const ignoredHeaderSchemas = (route: RestRoute): JsonObject => ({
  "X-Ignored-Parameters": headerSchema(
    `Query parameters that the call does not have. Absent where there are none. ${LISTED_NAMES_SENTENCE}`,
  ),
  ...(route.body && {
    "X-Ignored-Fields": headerSchema(
      `Paths of body fields that the call does not have: \`items[0].colour\`. Absent where there are none. ${LISTED_NAMES_SENTENCE}`,
    ),
  }),
});

function successResponse(route: RestRoute, operation: StoredOperation, schemas: JsonSchemaPrinter): JsonObject {
  if (route.redirect) {
    return {
      description: "Where to go on.",
      headers: {
        ...ignoredHeaderSchemas(route),
        Location: headerSchema("The address to go to.", { type: "string", format: "uri" }),
        ...(route.redirect.deprecated && {
          Deprecation: headerSchema(
            "Since when the number in the path is on its way out; only where a number was used.",
          ),
          Link: headerSchema("The address with the code in its path; only where a number was used."),
        }),
      },
    };
  }
  return {
    description: "What the call answers.",
    headers: {
      ...ignoredHeaderSchemas(route),
      ...(route.page === "ARRAY" && {
        "X-Total-Count": headerSchema("How many items the whole list has.", { type: "integer", minimum: 0 }),
        Link: headerSchema("Addresses of the first, previous, next and last page, as far as there are any."),
      }),
    },
    content: { "application/json": { schema: schemas.responseSchema(route, operation) } },
  };
}
