import "reflect-metadata";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { restRoutes } from "../rest-compat/binding/router.ts";
import { contract } from "../rest-compat/contract.ts";
import type { Database } from "./database/client.ts";
import { apolloOn } from "./graphql/apollo.ts";
import { contextsOn } from "./graphql/context.ts";
import { buildGatewaySchema } from "./graphql/schema.ts";
import { report } from "./http/failures.ts";
import { Idempotency, keyInHeader } from "./http/idempotency.ts";
import { sandboxPage, type SandboxFill } from "./http/sandbox.ts";
import { SecretTokens } from "./http/secret-token.ts";
import { buildServer } from "./http/server.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Vault } from "./kernel/vault.ts";
import { ApiKeyRepository } from "./vendors/api-key.repository.ts";

export interface GatewayParts {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Neutral words and the words that stand for them on the REST wire. */
  vocabulary: unknown;
  /** Encrypts secrets; without one, none can be stored. */
  vault?: Vault;
  /** What the Sandbox page is filled with, where there is a demo vendor. */
  demo?: SandboxFill | undefined;
}

/** A whole service that is not yet listening: `main` makes it listen, tests inject requests. */
export interface Gateway {
  server: FastifyInstance;
  /** Answers what is under way, then lets go of everything but the database's server. */
  close(): Promise<void>;
}

/** Puts the gateway together on a database that has this version's tables. */
export async function openGateway({
  database,
  clock,
  logger,
  vocabulary,
  demo,
  vault,
}: GatewayParts): Promise<Gateway> {
  const schema = buildGatewaySchema();
  const idempotency = new Idempotency(contextsOn(database, clock, vault));
  const tokens = new SecretTokens(new ApiKeyRepository(database.handle), clock, (error) =>
    report(logger, error, "none"),
  );
  const apollo = apolloOn(schema, sandboxPage(demo), (error, traceId) => report(logger, error, traceId));
  await apollo.start();
  let draining = false;
  const isReady = () =>
    draining
      ? Promise.resolve(false)
      : database.ping().then(
          () => true,
          () => false,
        );
  const rest = restRoutes({
    contract,
    schema,
    vocabulary,
    answer: (request, reply, run) => idempotency.answer(request, reply, keyInHeader(request), run),
    zoneOf: (request) => request.vendor!.zoneId,
  });
  const server = await buildServer({ apollo, tokens, idempotency, isReady, logger, rest });
  await server.ready();
  return {
    server,
    close: async () => {
      draining = true;
      await server.close();
      await apollo.stop();
      await tokens.close();
      await database.close();
    },
  };
}
