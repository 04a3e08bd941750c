import type { ApolloServer, ApolloServerPlugin, BaseContext } from "@apollo/server";
import type { GraphQLSchema } from "graphql";
import { createApolloServer } from "./apollo-server.ts";
import type { GatewayContext } from "./context.ts";
import { createExecutor, type Executor } from "./execution/executor.ts";
import { IntrospectionGuard } from "./documents/introspection.ts";
import { observeExecutor, traceExecutor, type ObservedOperation } from "./execution/observed-executor.ts";
import { readFromReplicas, type ReadSide } from "./execution/replica-reads.ts";
import { buildGatewaySchema } from "./schema.ts";

interface GatewayGraphOptions {
  /** Whether the schema describes itself to callers. */
  introspection: boolean;
  /** How many characters an answer may have. */
  maxResponseLength?: number | undefined;
  /** Counts an operation; absent, none is counted. */
  observeOperation?: ((operation: ObservedOperation) => void) | undefined;
  /** Counts where a list was read; absent, nothing is counted. */
  onRead?: ((side: ReadSide) => void) | undefined;
  /** The page that a browser gets. */
  landingPage: ApolloServerPlugin<BaseContext>;
  /** The public address, known once the server listens. */
  address: () => string;
  onFault: (error: unknown, traceId: string) => void;
}

/** The schema and what executes it. It knows no database: that is in the context of a request, so that all cells share one graph. */
export interface GatewayGraph {
  schema: GraphQLSchema;
  introspection: IntrospectionGuard;
  executor: Executor;
  apollo: ApolloServer<GatewayContext>;
}

/** Builds the graph of a process and starts its GraphQL server. */
export async function openGraph({
  introspection: isOpen,
  maxResponseLength,
  observeOperation,
  onRead,
  landingPage,
  address,
  onFault,
}: GatewayGraphOptions): Promise<GatewayGraph> {
  const schema = buildGatewaySchema();
  const introspection = new IntrospectionGuard(schema, isOpen);
  const execute = createExecutor(schema, introspection, maxResponseLength);
  const traced = traceExecutor(readFromReplicas(execute, { schema, onRead, onFault }));
  const executor = observeOperation ? observeExecutor(traced, observeOperation) : traced;
  const apollo = createApolloServer({ schema, executor, introspection, landingPage, address, onFault });
  await apollo.start();
  return { schema, introspection, executor, apollo };
}
