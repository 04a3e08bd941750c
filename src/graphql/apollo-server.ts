import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type BaseContext,
} from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled } from "@apollo/server/plugin/disabled";
import { OperationTypeNode, type GraphQLSchema } from "graphql";
import { invalid, invalidFields, MOST_FAULTS } from "../kernel/refusals.ts";
import { valueAt } from "../kernel/quoted-values.ts";
import { asReadOf } from "../kernel/statement-timeout.ts";
import { answerText } from "./response-json.ts";
import type { GatewayContext } from "./context.ts";
import type { Executor } from "./executor.ts";
import { detailed } from "./errors/failure-details.ts";
import { bounded, formatError, graphqlError, isProtocolError, judge } from "./errors/failures.ts";
import type { Introspection } from "./introspection.ts";
import { MOST_TOKENS, refuseExcess } from "./limits/document-limits.ts";
import { faultsOf } from "./variable-errors.ts";

/** The GraphQL server over the schema; `landingPage` is what a browser sees. */
export function apolloOn(
  schema: GraphQLSchema,
  executor: Executor,
  introspection: Introspection,
  landingPage: ApolloServerPlugin<BaseContext>,
  address: () => string,
  onFault: (error: unknown, traceId: string) => void,
): ApolloServer<GatewayContext> {
  return new ApolloServer<GatewayContext>({
    gateway: executing(schema, executor),
    // Apollo would refuse it in words of its own; here it is refused with the other limits.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection.open,
    stopOnTerminationSignals: false,
    persistedQueries: false,
    validationOptions: { maxErrors: MOST_FAULTS },
    parseOptions: { maxTokens: MOST_TOKENS },
    stringifyResult: answerText,
    csrfPrevention: { requestHeaders: ["secret-token", "x-apollo-operation-name", "apollo-require-preflight"] },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      refuseBeforehand(introspection, address),
      identifyErrors(schema, introspection.open, address, onFault),
      landingPage,
    ],
  });
}

/** Apollo lets somebody else execute if the schema is somebody else's too. */
const executing = (
  schema: GraphQLSchema,
  executor: Executor,
): ApolloServerOptionsWithGateway<GatewayContext>["gateway"] => ({
  onSchemaLoadOrUpdate: (tell) => {
    tell({ apiSchema: schema, coreSupergraphSdl: "" });
    return () => undefined;
  },
  load: async () => ({
    // The name as it was asked for: one that the document does not have leads to no operation, and must run none.
    executor: ({ document, request: { operationName, variables }, context }) => {
      const contextValue = context as GatewayContext;
      return asReadOf(rowsOf.get(contextValue) ?? 0, () =>
        executor({ document, operationName, variableValues: variables, contextValue }),
      );
    },
  }),
  stop: async () => undefined,
});

/** Refuses the operation type that the schema has not. */
function withoutSubscriptions(): Error {
  const message = "Send a query or a mutation: the schema has no subscriptions.";
  return invalid("BAD_REQUEST", message, { fields: [{ path: "query", code: "REFUSED", message }] });
}

/** Refuses what is too large, and wrong variables with the path of each, before anything runs. */
const refuseBeforehand = (introspection: Introspection, address: () => string): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, document, operation, request, contextValue }) => {
      if (!operation) return;
      const variables = request.variables ?? {};
      try {
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw withoutSubscriptions();
        const rows = refuseExcess(schema, document, operation, variables, introspection);
        // What a mutation has done is told however long it takes to read.
        if (operation.operation === OperationTypeNode.QUERY) rowsOf.set(contextValue, rows);
        const faults = faultsOf(schema, operation, variables, introspection.open);
        if (faults.length > 0) throw invalidFields(faults);
      } catch (error) {
        const verdict = detailed(judge(error), (path) => valueAt(variables, path));
        throw graphqlError(verdict, contextValue.traceId, address(), 400);
      }
    },
  }),
});

/** How many rows the operation of a context could come to. */
const rowsOf = new WeakMap<GatewayContext, number>();

/** Puts our codes and the traceId into every error, and reports those that are our fault. */
const identifyErrors = (
  schema: GraphQLSchema,
  suggests: boolean,
  address: () => string,
  onFault: (error: unknown, traceId: string) => void,
): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response, errors, document, operation, contextValue: { traceId } }) => {
      const { body, http } = response;
      if (body.kind !== "single" || !body.singleResult.errors) return;
      for (const error of errors ?? []) {
        const { kind } = judge(error);
        if (isProtocolError(error) || "traceId" in error.extensions || (kind !== "bug" && kind !== "outage")) continue;
        onFault(error.originalError ?? error, traceId);
        if (kind === "outage") {
          http.status = 503;
          http.headers.set("retry-after", "1");
        }
      }
      const variables = request.variables ?? {};
      const asked = { traceId, schema, document, operation, variables, suggests, address: address() };
      body.singleResult.errors = body.singleResult.errors
        .slice(0, MOST_FAULTS)
        .map((formatted, index) => bounded(formatError(formatted, errors?.[index], asked)));
    },
  }),
});
