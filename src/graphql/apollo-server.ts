import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type BaseContext,
} from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled } from "@apollo/server/plugin/disabled";
import { OperationTypeNode, type GraphQLSchema } from "graphql";
import { invalid, MAX_FIELD_ERRORS } from "../kernel/refusals.ts";
import { valueAt } from "../kernel/quoted-values.ts";
import { withStatementTimeoutFor } from "../kernel/statement-timeout.ts";
import { stringifyResponse } from "./execution/response-json.ts";
import type { GatewayContext } from "./context.ts";
import type { Executor } from "./execution/executor.ts";
import { withDetails } from "./errors/failure-details.ts";
import { shortenError, formatError, toGraphQLError, isProtocolError, classifyError } from "./errors/failures.ts";
import type { IntrospectionGuard } from "./documents/introspection.ts";
import { MAX_TOKENS } from "./limits/document-limits.ts";
import { recordCost, reportCosts } from "./limits/operation-cost.ts";
import { requireValidOperation } from "./documents/valid-operation.ts";

/** The parts of a GraphQL server. */
interface ApolloParts {
  schema: GraphQLSchema;
  executor: Executor;
  introspection: IntrospectionGuard;
  /** The page that a browser gets. */
  landingPage: ApolloServerPlugin<BaseContext>;
  /** The public address, known once the server listens. */
  address: () => string;
  onFault: (error: unknown, traceId: string) => void;
}

/** The GraphQL server over the schema. */
export function createApolloServer({
  schema,
  executor,
  introspection,
  landingPage,
  address,
  onFault: onServerError,
}: ApolloParts): ApolloServer<GatewayContext> {
  return new ApolloServer<GatewayContext>({
    gateway: gatewayExecuting(schema, executor),
    // Apollo would refuse it in words of its own; here it is refused with the other limits.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection.isOpen,
    stopOnTerminationSignals: false,
    persistedQueries: false,
    validationOptions: { maxErrors: MAX_FIELD_ERRORS },
    parseOptions: { maxTokens: MAX_TOKENS },
    stringifyResult: stringifyResponse,
    csrfPrevention: { requestHeaders: ["secret-token", "x-apollo-operation-name", "apollo-require-preflight"] },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      validateBeforeExecution(introspection, address),
      addCodesToErrors(schema, introspection.isOpen, address, onServerError),
      reportCosts,
      landingPage,
    ],
  });
}

/** Apollo accepts an external executor only with an external schema. */
const gatewayExecuting = (
  schema: GraphQLSchema,
  executor: Executor,
): ApolloServerOptionsWithGateway<GatewayContext>["gateway"] => ({
  onSchemaLoadOrUpdate: (onSchema) => {
    onSchema({ apiSchema: schema, coreSupergraphSdl: "" });
    return () => undefined;
  },
  load: async () => ({
    // The requested operation name: one that the document does not have must run no operation.
    executor: ({ document, request: { operationName, variables }, context }) => {
      const contextValue = context as GatewayContext;
      return withStatementTimeoutFor(rowsByContext.get(contextValue) ?? 0, () =>
        executor({ document, operationName, variableValues: variables, contextValue, form: "AS_SELECTED" }),
      );
    },
  }),
  stop: async () => undefined,
});

/** Refuses a subscription that is not sent as a stream. */
function streamNotAccepted(): Error {
  const message = "A subscription is a stream: send it with the header `Accept: text/event-stream`.";
  return invalid("BAD_REQUEST", message, { fields: [{ path: "query", code: "REFUSED", message }] });
}

/** Refuses oversized requests, and wrong variables with the path of each, before execution. */
const validateBeforeExecution = (
  introspection: IntrospectionGuard,
  address: () => string,
): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, document, operation, request, contextValue }) => {
      if (!operation) return;
      const variables = request.variables ?? {};
      try {
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw streamNotAccepted();
        const rows = requireValidOperation({ schema, document, operation, variables, introspection });
        recordCost(contextValue, rows);
        // The result of a mutation is returned however long it takes to read.
        if (operation.operation === OperationTypeNode.QUERY) rowsByContext.set(contextValue, rows);
      } catch (error) {
        const failure = withDetails(classifyError(error), (path) => valueAt(variables, path));
        throw toGraphQLError(failure, contextValue.traceId, address(), 400);
      }
    },
  }),
});

/** The maximum number of rows of a context's operation. */
const rowsByContext = new WeakMap<GatewayContext, number>();

/** Puts our codes and the traceId into every error, and reports those that are our fault. */
const addCodesToErrors = (
  schema: GraphQLSchema,
  mayNameSchema: boolean,
  address: () => string,
  onServerError: (error: unknown, traceId: string) => void,
): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response, errors, document, operation, contextValue: { traceId } }) => {
      const { body, http } = response;
      if (body.kind !== "single" || !body.singleResult.errors) return;
      for (const error of errors ?? []) {
        const { kind } = classifyError(error);
        if (isProtocolError(error) || "traceId" in error.extensions || (kind !== "bug" && kind !== "outage")) continue;
        onServerError(error.originalError ?? error, traceId);
        if (kind === "outage") {
          http.status = 503;
          http.headers.set("retry-after", "1");
        }
      }
      const variables = request.variables ?? {};
      const errorContext = {
        traceId,
        schema,
        document,
        operation,
        variables,
        mayNameSchema,
        address: address(),
      };
      body.singleResult.errors = body.singleResult.errors
        .slice(0, MAX_FIELD_ERRORS)
        .map((formatted, index) => shortenError(formatError(formatted, errors?.[index], errorContext)));
    },
  }),
});
