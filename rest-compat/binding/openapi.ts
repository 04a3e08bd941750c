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
    "A unique key that the sender chooses, which makes it safe to send a request again. For 24 hours the same key and body have one effect and one answer. The same key with another body is refused with 422; a key whose request is still running is refused with 409.",
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
        "Calls with `x-extension: true` are additions to the contract: they register the records that other calls refer to.",
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
        description: `The request is malformed or has an invalid value.${hasPath && unknownRecordStatus(route) === 400 ? ` ${unknownRecordSentence}` : ""}`,
        ...error,
      },
      ...(!route.isPublic && {
        "403": { description: "The Secret-Token is missing, unknown or revoked, or its vendor is disabled.", ...error },
      }),
      ...(hasPath && unknownRecordStatus(route) === 404 && { "404": { description: unknownRecordSentence, ...error } }),
      ...(route.isPublic && {
        "429": {
          description: "The client's address sent too many requests.",
          headers: {
            "Retry-After": headerSchema("Seconds to wait before the next request.", { type: "integer", minimum: 1 }),
          },
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
    // Values of one parameter are separated by commas.
    ...(parameter.isList && { style: "form", explode: false }),
    schema: schemas.querySchema(parameter, parameterTypeOf(operation, parameter.name)),
  })),
  ...(route.method === "GET" ? [] : [IDEMPOTENCY_KEY_PARAMETER]),
];

const headerSchema = (description: string, schema: JsonObject = { type: "string" }): JsonObject => ({
  description,
  schema,
});

const LISTED_NAMES_SENTENCE =
  "Lists at most 20 names, each with the known name that is most like it: `statu; did-you-mean=status`.";

/** The headers that name what the route ignored of a request; refusals have them too. */
const ignoredHeaderSchemas = (route: RestRoute): JsonObject => ({
  "X-Ignored-Parameters": headerSchema(
    `Query parameters that this call does not know. Absent if there are none. ${LISTED_NAMES_SENTENCE}`,
  ),
  ...(route.body && {
    "X-Ignored-Fields": headerSchema(
      `Paths of body fields that this call does not know, such as \`items[0].colour\`. Absent if there are none. ${LISTED_NAMES_SENTENCE}`,
    ),
  }),
});

function successResponse(route: RestRoute, operation: StoredOperation, schemas: JsonSchemaPrinter): JsonObject {
  if (route.redirect) {
    return {
      description: "Redirect to another address.",
      headers: {
        ...ignoredHeaderSchemas(route),
        Location: headerSchema("Address of the redirect.", { type: "string", format: "uri" }),
        ...(route.redirect.deprecated && {
          Deprecation: headerSchema(
            "Date since which the number in the path is deprecated. Present only if the path had a number.",
          ),
          Link: headerSchema("Address with the code in its path. Present only if the path had a number."),
        }),
      },
    };
  }
  return {
    description: "The call succeeded.",
    headers: {
      ...ignoredHeaderSchemas(route),
      ...(route.page === "ARRAY" && {
        "X-Total-Count": headerSchema("Number of items in the whole list.", { type: "integer", minimum: 0 }),
        Link: headerSchema(
          "Addresses of the first, previous, next and last page. A page that does not exist is left out.",
        ),
      }),
    },
    content: { "application/json": { schema: schemas.responseSchema(route, operation) } },
  };
}
