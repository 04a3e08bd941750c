import { unwrapResolverError } from "@apollo/server/errors";
import {
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { toOrderItemStatusName } from "../../../schema/vocabulary.ts";
import { isDatabaseOutage, wrappedRefusalOf } from "../../database/database-errors.ts";
import { MAX_FIELD_ERRORS, Refusal, shorten, type RefusalDetails, type RefusalKind } from "../../kernel/refusals.ts";
import type { RefusalCode } from "../../kernel/refusal-codes.ts";
import { valueAt } from "../../kernel/quoted-values.ts";
import { argumentsAt } from "../documents/argument-lookup.ts";
import { toDocumentError, MAX_SENTENCE_LENGTH } from "./document-errors.ts";
import { withDetails, docUrlOf } from "./failure-details.ts";

/** A failure in terms that both protocols translate. */
export interface RequestFailure {
  kind: RefusalKind | "outage" | "bug";
  code: RefusalCode;
  message: string;
  details?: RefusalDetails;
}

const INTERNAL_ERROR_MESSAGE =
  "Something failed on our side and nothing was changed. Quote the traceId when you report it.";
const UNAVAILABLE_MESSAGE =
  "The service cannot reach its database. Answered requests are stored; try again in a moment.";

/**
 * Distinguishes a refusal, which the caller can act on, from an outage and from a bug, of which the caller sees only
 * the traceId.
 */
export function classifyError(error: unknown): RequestFailure {
  const thrown = unwrapResolverError(error);
  const cause = wrappedRefusalOf(thrown) ?? thrown;
  if (cause instanceof Refusal) return cause;
  if (isDatabaseOutage(cause)) return { kind: "outage", code: "UNAVAILABLE", message: UNAVAILABLE_MESSAGE };
  return { kind: "bug", code: "INTERNAL_ERROR", message: INTERNAL_ERROR_MESSAGE };
}

/** A failure as the error of a GraphQL response, at the given address of the gateway. */
export const toGraphQLError = (
  { code, message, details }: RequestFailure,
  traceId: string,
  address: string,
  status?: number,
): GraphQLError =>
  new GraphQLError(message, {
    extensions: {
      code,
      traceId,
      docUrl: docUrlOf(code, address),
      ...(details && { details }),
      ...(status && { http: { status } }),
    },
  });

/** Codes that Apollo gives to what is wrong with a request before any of our code sees it. */
const apolloCodes: Readonly<Record<string, RefusalCode>> = {
  GRAPHQL_PARSE_FAILED: "GRAPHQL_PARSE_FAILED",
  GRAPHQL_VALIDATION_FAILED: "GRAPHQL_VALIDATION_FAILED",
  BAD_USER_INPUT: "INVALID_ARGUMENT",
  BAD_REQUEST: "BAD_REQUEST",
  OPERATION_RESOLUTION_FAILURE: "BAD_REQUEST",
  PERSISTED_QUERY_NOT_FOUND: "BAD_REQUEST",
  PERSISTED_QUERY_NOT_SUPPORTED: "BAD_REQUEST",
};

/**
 * A refusal by Apollo before it found an operation; its message names the part of the request in backquotes or not at
 * all.
 */
function refusedByApollo(code: RefusalCode, apolloCode: string, sentence: string): RequestFailure {
  const message = sentence.slice(0, MAX_SENTENCE_LENGTH);
  if (code !== "BAD_REQUEST") return withDetails({ kind: "invalid", code, message }, () => undefined);
  const path =
    apolloCode === "OPERATION_RESOLUTION_FAILURE" ? "operationName" : (/`(\w+)`/.exec(message)?.[1] ?? "body");
  const details = { fields: [{ path, code: "REFUSED", message } as const] };
  return withDetails({ kind: "invalid", code, message, details }, () => undefined);
}

/** Whether Apollo itself refused the request: a caller's error, which is not reported. */
export const isProtocolError = ({ extensions }: GraphQLFormattedError): boolean =>
  (extensions?.["code"] as string) in apolloCodes;

/** An error as sent: graphql-js repeats names and values of a document, which can be long. */
export const shortenError = (error: GraphQLFormattedError): GraphQLFormattedError => ({
  ...error,
  message: shorten(error.message),
  ...(error.locations && { locations: error.locations.slice(0, MAX_FIELD_ERRORS) }),
});

/**
 * Adds a code and the traceId to a refusal by Apollo before there is a context, which has neither.
 * @returns the body and the first code in it, for the log.
 */
export function withCodesAndTraceId(
  body: string,
  traceId: string,
  address: string,
): { body: string; code: string | undefined } {
  const { errors, ...rest } = JSON.parse(body) as { errors?: GraphQLFormattedError[] };
  const identifiedErrors = errors?.slice(0, MAX_FIELD_ERRORS).map((original) => {
    const error = shortenError(original);
    if (error.extensions && "traceId" in error.extensions) return error;
    const apolloCode = error.extensions?.["code"] as string;
    const failure = refusedByApollo(apolloCodes[apolloCode] ?? "BAD_REQUEST", apolloCode, error.message);
    return { ...error, extensions: toGraphQLError(failure, traceId, address).extensions };
  });
  return {
    body: JSON.stringify({ ...(identifiedErrors && { errors: identifiedErrors }), ...rest }),
    code: identifiedErrors?.[0]?.extensions?.["code"] as string | undefined,
  };
}

/** The sent request, for the errors of its answer. */
export interface ErrorContext {
  traceId: string;
  schema: GraphQLSchema;
  document: DocumentNode | undefined;
  operation: OperationDefinitionNode | undefined;
  variables: Record<string, unknown>;
  /** Whether errors may name parts of the schema: only while introspection is open. */
  mayNameSchema: boolean;
  /** The address of the gateway. */
  address: string;
}

/** A path within a message: `items[1].priceId`. */
const PATH_PATTERN = /[A-Za-z_]\w*(?:\[\d+\]|\.\w+)*/g;

/**
 * Prefixes the paths of a mutation's values with `input`, as GraphQL does for variables. The services that refuse a
 * value do not know this argument, which REST does not have.
 */
function prefixPathsWithInput(failure: RequestFailure): RequestFailure {
  const { message, details } = failure;
  if (!details?.fields) return failure;
  const paths = new Set(details.fields.map(({ path }) => path));
  return {
    kind: failure.kind,
    code: failure.code,
    message: message.replace(PATH_PATTERN, (word) => (paths.has(word) ? `input.${word}` : word)),
    details: { ...details, fields: details.fields.map((field) => ({ ...field, path: `input.${field.path}` })) },
  };
}

/** Gives every error of a GraphQL response a refusal code and the traceId, and hides internal details. */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  errorContext: ErrorContext,
): GraphQLFormattedError {
  const { message, locations, path, extensions = {} } = formatted;
  if ("traceId" in extensions) return formatted;
  const failure =
    failureOfApollo(message, extensions["code"], error, errorContext) ??
    failureOfResolver(classifyError(error), path, errorContext);
  const formattedError = toGraphQLError(failure, errorContext.traceId, errorContext.address);
  return { message: formattedError.message, locations, path, extensions: formattedError.extensions };
}

/** A refusal by Apollo itself; a document that is invalid in the schema is reported by its field. */
function failureOfApollo(
  message: string,
  apolloCode: unknown,
  error: unknown,
  errorContext: ErrorContext,
): RequestFailure | undefined {
  const tooLong = apolloCode === "GRAPHQL_PARSE_FAILED" && /more th[ae][tn] \d+ tokens/.test(message);
  const code = tooLong ? "QUERY_TOO_LONG" : apolloCodes[apolloCode as string];
  if (!code) return undefined;
  const { schema, document } = errorContext;
  if (code === "GRAPHQL_VALIDATION_FAILED" && document && error instanceof GraphQLError) {
    const { code: preciseCode, fieldError } = toDocumentError(schema, document, error, errorContext.mayNameSchema);
    const sentence =
      preciseCode === "INVALID_ARGUMENT" ? `${fieldError.path} ${fieldError.message}` : fieldError.message;
    return withDetails(
      { kind: "invalid", code: preciseCode, message: sentence, details: { fields: [fieldError] } },
      () => undefined,
    );
  }
  return refusedByApollo(code, apolloCode as string, message);
}

/** Names the state that refused a transition as in GraphQL; REST has the stored word. */
function inNamesOfStates(verdict: RequestFailure): RequestFailure {
  const { kind, code, details } = verdict;
  if (code !== "ILLEGAL_TRANSITION") return verdict;
  const named = (sentence: string) =>
    sentence.replace(/(?<= is )[A-Z_]+(?=, so )/, (state) => toOrderItemStatusName(state));
  const fields = details?.fields?.map((field) => ({ ...field, message: named(field.message) }));
  return {
    kind,
    code,
    message: named(verdict.message),
    ...(details && { details: { ...details, ...(fields && { fields }) } }),
  };
}

/** A refusal by a resolver, with the arguments of its field; those of a mutation are in its input. */
function failureOfResolver(
  refused: RequestFailure,
  path: readonly (string | number)[] | undefined,
  errorContext: ErrorContext,
): RequestFailure {
  const failure = inNamesOfStates(refused);
  const { document, operation, variables } = errorContext;
  const args = document && operation && path && argumentsAt(document, operation, path, variables);
  const byMutation = operation?.operation === OperationTypeNode.MUTATION && path?.length === 1;
  const root = byMutation ? args?.["input"] : args;
  const detailedFailure = withDetails(failure, (at) => valueAt(root, at));
  return byMutation ? prefixPathsWithInput(detailedFailure) : detailedFailure;
}
