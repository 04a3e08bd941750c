import "reflect-metadata";
import { DrizzleQueryError } from "drizzle-orm";
import { pino } from "pino";
import { openCashDesk } from "./payments-wiring.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { openDatabase, type Database } from "./database/client.ts";
import { openStore } from "./database/database-connection.ts";
import { welcome } from "./demo/welcome-message.ts";
import { seedDemo } from "./demo/demo-data.ts";
import { openGateway, type Gateway } from "./gateway.ts";
import type { Contexts } from "./graphql/context.ts";
import { systemClock } from "./kernel/clock.ts";
import { Vault } from "./kernel/secret-vault.ts";
import { stopOnSignals } from "./stop-signals.ts";
import { startWorker, type RunningWorker } from "./worker-process.ts";

/** A server database brings no key of its own, as the embedded one does. */
const WITHOUT_KEY =
  "SECRETS_KEY is not set: sign-in secrets of payment gateways and mail senders cannot be stored, and links to the checkout cannot be signed. Make a key with `openssl rand -base64 32`.";

async function main(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  const opening = openStore(config.databaseUrl, config.dataDir);
  let database: Database | undefined;
  let gateway: Gateway | undefined;
  let worker: Promise<RunningWorker> | undefined;
  const letGo = async (drained?: AbortSignal) => {
    const store = await opening.catch(() => undefined);
    const stopWorker = async () => (await worker?.catch(() => undefined))?.stop();
    await Promise.all([stopWorker(), drained && gateway?.drain(drained)]);
    await (gateway ?? database)?.close();
    await store?.release();
  };
  let stopping: Promise<void> | undefined;
  const stop = (drained?: AbortSignal) => (stopping ??= letGo(drained));
  stopOnSignals({ logger, drainSeconds: config.drainSeconds, stop });
  try {
    const store = await opening;
    if (stopping) return await stopping;
    database = openDatabase({ url: store.url, place: store.place, prepare: !config.transactionPooler });
    const vault = new Vault([...config.secretsKeys, ...store.secretsKeys]);
    if (!vault.canSeal) logger.warn(WITHOUT_KEY);
    const work = async (contexts: Contexts, on: Database) => {
      worker = startWorker({ contexts, database: on, clock: systemClock, logger, url: store.url });
      await worker;
    };
    if (config.role === "worker") {
      const address = () => config.publicUrl ?? "";
      await work(openCashDesk({ database, clock: systemClock, vault, address }).contexts, database);
      process.stdout.write("Recoup works. Nothing listens here.\n");
      return;
    }
    const tools = { clock: systemClock, token: config.demoToken, vault };
    const demo = config.demo ? await seedDemo(database, tools) : undefined;
    gateway = await openGateway({
      database,
      clock: systemClock,
      logger,
      vocabulary: config.vocabulary,
      demo,
      isLoopback: config.isLoopback,
      vault,
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      introspection: config.introspection,
    });
    const address = await gateway.server.listen({ port: config.port, host: config.host });
    if (config.databaseUrl !== undefined && config.publicUrl === undefined)
      logger.warn({ address }, "links to the checkout begin with this address; set PUBLIC_URL to that of browsers");
    process.stdout.write(welcome(address, demo));
    if (config.role === "both") await work(gateway.contexts, database);
  } catch (error) {
    // A signal that comes during the start takes away what the start needs.
    if (stopping) return stopping;
    await stop();
    throw error;
  }
}

/** A start that fails says why in one sentence, not in a stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "The port is in use already. Set PORT to a free one, or stop what listens there.";
  // A database's own words can repeat values that must not be shown.
  if (error instanceof DrizzleQueryError) {
    const { code: state = "no code" } = (error.cause ?? {}) as { code?: string };
    return `Recoup could not start: the database refused a statement (${state}).`;
  }
  return `Recoup could not start: ${message}`;
}

try {
  await main(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
