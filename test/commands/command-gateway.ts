import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { beforeAll } from "vitest";
import { openDatabase } from "../../src/database/client.ts";
import { openGateway } from "../../src/gateway.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { commandsOn, recordOf } from "./command-line.ts";

/** A uuid that belongs to no vendor. */
export const NOBODY = "1f0c8c3e-0000-4000-8000-000000000000";
/** An import of thousands of rows, on a machine that runs other tests. */
const LONG_IMPORT_MS = 100_000;
export const TOKEN_NOTE = "The token is shown only now and never again. Store it now.";

/** The commands on the database of a gateway, which shows what their tokens open. */
export async function startCommands() {
  const gateway = await startGateway();
  const settings = { DATABASE_URL: gateway.databaseUrl, SECRETS_KEY: SECRETS_KEY.toString("base64") };
  const commands = commandsOn(settings, LONG_IMPORT_MS);
  beforeAll(buildOnce);
  return {
    gateway,
    settings,
    ...commands,

    /** The vendor of a token in GraphQL, or the code of the refusal. */
    opened: async (token: string) => {
      const query = "{ vendor { uuid name zoneId currency country sandbox } }";
      const { data, errors } = await gateway.sendGraphQL(query, {}, { token });
      return errors?.[0]?.extensions.code ?? data!.vendor;
    },

    /** Opens a vendor by the command. */
    newVendor: async (...words: string[]) =>
      recordOf(await commands.vendorCreate("--name", "Bean Club", ...words)) as Record<
        "vendor" | "token" | "key",
        string
      >,
  };
}

/** A gateway beside that of the commands, which a test may close. */
export async function gatewayAt(url: string, clock: Clock) {
  const database = openDatabase({ url, poolSize: 2 });
  const logger = pino({ level: "silent" }) as FastifyBaseLogger;
  const another = await openGateway({ database, clock, logger, vocabulary: {} });
  const asks = async (token: string) => {
    const headers = { "secret-token": token, "content-type": "application/json" };
    const payload = { query: "{ vendor { uuid } }" };
    const { body } = await another.server.inject({ method: "POST", url: "/graphql", headers, payload });
    return JSON.parse(body).data?.vendor;
  };
  return { asks, close: () => another.close() };
}
