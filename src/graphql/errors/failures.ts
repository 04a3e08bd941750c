import { unwrapResolverError } from "@apollo/server/errors";
import {
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { isOutage, refusalIn } from "../../database/database-errors.ts";
import { MOST_FAULTS, Refusal, shortened, type RefusalDetails, type RefusalKind } from "../../kernel/refusals.ts";
import type { RefusalCode } from "../../kernel/refusal-codes.ts";
import { valueAt } from "../../kernel/quoted-values.ts";
import { argumentsAt } from "../argument-lookup.ts";
import { documentFault, SENTENCE_LENGTH } from "./document-errors.ts";
import { detailed, docUrlOf } from "./failure-details.ts";

/** What became of a failure, in words that both protocols translate. */
export interface Verdict {
  kind: RefusalKind | "outage" | "bug";
  code: RefusalCode;
  message: string;
  details?: RefusalDetails;
}

const SORRY = "Something failed on our side. Nothing was changed; quote the traceId when you report it.";
const LATER = "The service cannot reach its database. Nothing is lost that was answered; try again in a moment.";

/** Tells a refusal, which the caller can act on, from an outage and from a bug, of which the caller learns no more than the traceId. */
export function judge(error: unknown): Verdict {
  const thrown = unwrapResolverError(error);
  const cause = refusalIn(thrown) ?? thrown;
  if (cause instanceof Refusal) return cause;
  if (isOutage(cause)) return { kind: "outage", code: "UNAVAILABLE", message: LATER };
  return { kind: "bug", code: "INTERNAL_ERROR", message: SORRY };
}

/** A verdict as the error of a GraphQL response, at the given address of the gateway. */
export const graphqlError = (
  { code, message, details }: Verdict,
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

/** What Apollo refused before an operation was found; its sentence names the part of the request in backquotes or not at all. */
function requestRefused(code: RefusalCode, given: string, sentence: string): Verdict {
  const message = sentence.slice(0, SENTENCE_LENGTH);
  if (code !== "BAD_REQUEST") return detailed({ kind: "invalid", code, message }, () => undefined);
  const path = given === "OPERATION_RESOLUTION_FAILURE" ? "operationName" : (/`(\w+)`/.exec(message)?.[1] ?? "body");
  const details = { fields: [{ path, code: "REFUSED", message } as const] };
  return detailed({ kind: "invalid", code, message, details }, () => undefined);
}

/** Whether Apollo refused the request by itself: the caller's doing, and nothing to report. */
export const isProtocolError = ({ extensions }: GraphQLFormattedError): boolean =>
  (extensions?.["code"] as string) in apolloCodes;

/** An error as it goes out: graphql-js repeats names and values of a document, at each place where they stand. */
export const bounded = (error: GraphQLFormattedError): GraphQLFormattedError => ({
  ...error,
  message: shortened(error.message),
  ...(error.locations && { locations: error.locations.slice(0, MOST_FAULTS) }),
});

/**
 * What Apollo refuses before there is a context has neither our code nor a traceId; here it gets both.
 * @returns the body and the first code in it, for the log.
 */
export function identified(body: string, traceId: string, address: string): { body: string; code: string | undefined } {
  const { errors, ...rest } = JSON.parse(body) as { errors?: GraphQLFormattedError[] };
  const told = errors?.slice(0, MOST_FAULTS).map((given) => {
    const error = bounded(given);
    if (error.extensions && "traceId" in error.extensions) return error;
    const apolloCode = error.extensions?.["code"] as string;
    const verdict = requestRefused(apolloCodes[apolloCode] ?? "BAD_REQUEST", apolloCode, error.message);
    return { ...error, extensions: graphqlError(verdict, traceId, address).extensions };
  });
  return {
    body: JSON.stringify({ ...(told && { errors: told }), ...rest }),
    code: told?.[0]?.extensions?.["code"] as string | undefined,
  };
}

/** What a request sent, for the errors of its answer. */
export interface Asked {
  traceId: string;
  schema: GraphQLSchema;
  document: DocumentNode | undefined;
  operation: OperationDefinitionNode | undefined;
  variables: Record<string, unknown>;
  /** Whether names of the schema may be told: as far as introspection is open. */
  suggests: boolean;
  /** Where the gateway is reached. */
  address: string;
}

/** A path as it stands in a sentence: `items[1].priceId`. */
const PATHS = /[A-Za-z_]\w*(?:\[\d+\]|\.\w+)*/g;

/**
 * Says of a mutation's values where they stand in its arguments, as GraphQL says it of variables: in `input`.
 * Those who refuse a value do not know of the argument, which REST does not have.
 */
function inInput(verdict: Verdict): Verdict {
  const { message, details } = verdict;
  if (!details?.fields) return verdict;
  const paths = new Set(details.fields.map(({ path }) => path));
  return {
    kind: verdict.kind,
    code: verdict.code,
    message: message.replace(PATHS, (word) => (paths.has(word) ? `input.${word}` : word)),
    details: { ...details, fields: details.fields.map((field) => ({ ...field, path: `input.${field.path}` })) },
  };
}

/** Gives every error of a GraphQL response one of our codes and the traceId, and keeps the rest to ourselves. */
export function formatError(formatted: GraphQLFormattedError, error: unknown, asked: Asked): GraphQLFormattedError {
  const { message, locations, path, extensions = {} } = formatted;
  if ("traceId" in extensions) return formatted;
  const verdict = ofApollo(message, extensions["code"], error, asked) ?? ofResolver(judge(error), path, asked);
  const told = graphqlError(verdict, asked.traceId, asked.address);
  return { message: told.message, locations, path, extensions: told.extensions };
}

/** What Apollo refused by itself; a document that does not fit the schema is told by its field. */
function ofApollo(message: string, given: unknown, error: unknown, asked: Asked): Verdict | undefined {
  const tooLong = given === "GRAPHQL_PARSE_FAILED" && /more th[ae][tn] \d+ tokens/.test(message);
  const code = tooLong ? "QUERY_TOO_LONG" : apolloCodes[given as string];
  if (!code) return undefined;
  const { schema, document } = asked;
  if (code === "GRAPHQL_VALIDATION_FAILED" && document && error instanceof GraphQLError) {
    const { code: exact, field } = documentFault(schema, document, error, asked.suggests);
    const sentence = exact === "INVALID_ARGUMENT" ? `${field.path} ${field.message}` : field.message;
    return detailed({ kind: "invalid", code: exact, message: sentence, details: { fields: [field] } }, () => undefined);
  }
  return requestRefused(code, given as string, message);
}

/** What a resolver refused, with the arguments of its field; those of a mutation are in its input. */
function ofResolver(verdict: Verdict, path: readonly (string | number)[] | undefined, asked: Asked): Verdict {
  const { document, operation, variables } = asked;
  const args = document && operation && path && argumentsAt(document, operation, path, variables);
  const byMutation = operation?.operation === OperationTypeNode.MUTATION && path?.length === 1;
  const root = byMutation ? args?.["input"] : args;
  const full = detailed(verdict, (at) => valueAt(root, at));
  return byMutation ? inInput(full) : full;
}
