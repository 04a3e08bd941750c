import "reflect-metadata";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { restRoutes } from "../rest-compat/binding/router.ts";
import { contract } from "../rest-compat/contract.ts";
import { openDatabase, type Database, type DatabaseOptions } from "./database/client.ts";
import { apolloOn } from "./graphql/apollo.ts";
import { contextsOn } from "./graphql/context.ts";
import { buildGatewaySchema } from "./graphql/schema.ts";
import { report } from "./http/failures.ts";
import { sandboxPage } from "./http/sandbox.ts";
import { SecretTokens } from "./http/secret-token.ts";
import { buildServer } from "./http/server.ts";
import type { Clock } from "./kernel/clock.ts";
import { ApiKeyRepository } from "./vendors/api-key.repository.ts";

export interface GatewayParts {
  database: DatabaseOptions;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Neutral words and the words that stand for them on the REST wire. */
  vocabulary: unknown;
  /** Filled into the Sandbox page, where there is a demo vendor. */
  demoToken?: string | undefined;
}

/** A whole service that is not yet listening: `main` makes it listen, tests inject requests. */
export interface Gateway {
  server: FastifyInstance;
  database: Database;
  /** Answers what is under way, then lets go of everything. */
  close(): Promise<void>;
}

/** Puts the gateway together on a database that has this version's tables. */
export async function openGateway({ database: options, clock, logger, vocabulary, demoToken }: GatewayParts): Promise<Gateway> {
  const database = openDatabase(options);
  const schema = buildGatewaySchema();
  const contextFor = contextsOn(database, clock);
  const tokens = new SecretTokens(new ApiKeyRepository(database.handle), clock, (error) => report(logger, error, "none"));
  const apollo = apolloOn(schema, sandboxPage(demoToken), (error, traceId) => report(logger, error, traceId));
  await apollo.start();
  let draining = false;
  const isReady = () => (draining ? Promise.resolve(false) : database.ping().then(() => true, () => false));
  const rest = restRoutes({ contract, schema, vocabulary, contextFor });
  const server = await buildServer({ apollo, tokens, contextFor, isReady, logger, rest });
  await server.ready();
  return {
    server,
    database,
    close: async () => {
      draining = true;
      await server.close();
      await apollo.stop();
      await tokens.close();
      await database.close();
    },
  };
}
