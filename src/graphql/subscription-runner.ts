import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import type { NumberedEvent } from "../events/event-feed.repository.ts";
import { valueAt } from "../kernel/quoted-values.ts";
import { invalid, MAX_FIELD_ERRORS } from "../kernel/refusals.ts";
import { withDetails } from "./errors/failure-details.ts";
import { classifyError, formatError, shortenError, toGraphQLError } from "./errors/failures.ts";
import type { StreamContext } from "./event-stream-root.ts";
import type { IntrospectionGuard } from "./documents/introspection.ts";
import { MAX_TOKENS } from "./limits/document-limits.ts";
import { requireValidOperation } from "./documents/valid-operation.ts";

/** A subscription as a caller sends it. */
export interface SubscriptionRequest {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** One message of a stream: the result for an event, or errors that end the stream. */
export interface StreamMessage {
  result: FormattedExecutionResult;
  /** The event of the result. Absent for errors that end the stream. */
  event?: NumberedEvent;
}

/** The dependencies of subscriptions. */
interface SubscriptionRunnerOptions {
  schema: GraphQLSchema;
  introspection: IntrospectionGuard;
  /** The public address, known once the server listens. */
  address: () => string;
  onFault: (error: unknown, traceId: string) => void;
}

/** A subscription whose document is valid. */
interface ValidSubscription {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** Runs subscriptions. Documents have the same limits, and errors the same codes, as those of queries. */
export class SubscriptionRunner {
  constructor(private readonly options: SubscriptionRunnerOptions) {}

  /** Opens the stream of a subscription. A document that is refused gives a stream of one message with the errors. */
  async open(request: SubscriptionRequest, context: StreamContext): Promise<AsyncGenerator<StreamMessage>> {
    const { schema } = this.options;
    const prepared = this.prepare(request, context.traceId);
    if (!("document" in prepared)) return streamOfErrors(prepared);
    const { document, operation } = prepared;
    const { operationName } = request;
    const execution = { schema, document, operationName, variableValues: request.variables, contextValue: context };
    const opened = await createSourceEventStream(execution);
    if (!(Symbol.asyncIterator in opened)) {
      const [error] = opened.errors ?? [];
      // The caller does nothing wrong: the answer has a status that says so, and the client tries again.
      if (error && classifyError(error).kind !== "invalid") throw error.originalError ?? error;
      return streamOfErrors(this.formatErrors(opened, request, context.traceId, { document, operation }));
    }
    return this.runForEachEvent(opened as AsyncIterable<NumberedEvent>, async (event) => {
      const result = await execute({ ...execution, rootValue: { events: event } });
      if (!result.errors) return { data: result.data };
      return { ...result, errors: this.formatErrors(result, request, context.traceId, { document, operation }) };
    });
  }

  /** A refusal as the error of a message. */
  toError(error: unknown, traceId: string, variables: Record<string, unknown> = {}): GraphQLFormattedError {
    const failure = withDetails(classifyError(error), (path) => valueAt(variables, path));
    return toGraphQLError(failure, traceId, this.options.address()).toJSON();
  }

  private async *runForEachEvent(
    events: AsyncIterable<NumberedEvent>,
    run: (event: NumberedEvent) => Promise<FormattedExecutionResult>,
  ): AsyncGenerator<StreamMessage> {
    for await (const event of events) yield { result: await run(event), event };
  }

  /** The subscription of a document, or the errors of the document. */
  private prepare(request: SubscriptionRequest, traceId: string): ValidSubscription | readonly GraphQLFormattedError[] {
    const { schema, introspection } = this.options;
    const variables = request.variables ?? {};
    let document: DocumentNode | undefined;
    try {
      document = parse(request.query, { maxTokens: MAX_TOKENS });
      const invalidities = validate(schema, document, undefined, { maxErrors: MAX_FIELD_ERRORS });
      if (invalidities.length > 0)
        return this.formatDocumentErrors("GRAPHQL_VALIDATION_FAILED", invalidities, request, traceId, document);
      const operation = requireSubscription(document, request.operationName);
      requireValidOperation({ schema, document, operation, variables, introspection });
      return { document, operation };
    } catch (error) {
      if (!document && error instanceof GraphQLError)
        return this.formatDocumentErrors("GRAPHQL_PARSE_FAILED", [error], request, traceId);
      return [this.toError(error, traceId, variables)];
    }
  }

  private formatDocumentErrors(
    code: string,
    errors: readonly GraphQLError[],
    request: SubscriptionRequest,
    traceId: string,
    document?: DocumentNode,
  ): GraphQLFormattedError[] {
    return errors.map((error) => {
      const { nodes, source, positions } = error;
      const message = this.options.introspection.isOpen ? error.message : withoutSuggestion(error.message);
      const original = new GraphQLError(message, {
        nodes: nodes ?? null,
        source: source ?? null,
        positions: positions ?? null,
      });
      const formatted = { ...original.toJSON(), extensions: { code } };
      return shortenError(formatError(formatted, original, this.errorContextOf(request, traceId, { document })));
    });
  }

  private formatErrors(
    { errors = [] }: ExecutionResult,
    request: SubscriptionRequest,
    traceId: string,
    subscription: ValidSubscription,
  ): GraphQLFormattedError[] {
    const errorContext = this.errorContextOf(request, traceId, subscription);
    return errors.map((error) => {
      const { kind } = classifyError(error);
      if (kind === "bug" || kind === "outage") this.options.onFault(error.originalError ?? error, traceId);
      return shortenError(formatError(error.toJSON(), error, errorContext));
    });
  }

  private errorContextOf(request: SubscriptionRequest, traceId: string, subscription: Partial<ValidSubscription>) {
    const { schema, introspection, address } = this.options;
    return {
      traceId,
      schema,
      document: subscription.document,
      operation: subscription.operation,
      variables: request.variables ?? {},
      mayNameSchema: introspection.isOpen,
      address: address(),
    };
  }
}

async function* streamOfErrors(errors: readonly GraphQLFormattedError[]): AsyncGenerator<StreamMessage> {
  yield { result: { errors } };
}

/** Names of the schema are suggested only to callers who may read all of it. */
const withoutSuggestion = (message: string): string => message.replace(/ ?Did you mean [^]*\?$/, "");

function requireSubscription(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === OperationTypeNode.SUBSCRIPTION) return operation;
  const [path, message] = operation
    ? ["query", "A stream has subscriptions only: send queries and mutations with `Accept: application/json`."]
    : ["operationName", "The document has several operations, or none of this name: send the name of one."];
  throw invalid("BAD_REQUEST", message, { fields: [{ path, code: "REFUSED", message }] });
}
