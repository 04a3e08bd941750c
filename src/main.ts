import "reflect-metadata";
import { DrizzleQueryError } from "drizzle-orm";
import { pino } from "pino";
import { openCashDesk } from "./cash-desk.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { openDatabase } from "./database/client.ts";
import { openStore } from "./database/store.ts";
import { welcome } from "./demo/welcome.ts";
import { seedDemo } from "./demo/demo-data.ts";
import { openGateway, type Gateway } from "./gateway.ts";
import type { Contexts } from "./graphql/context.ts";
import { systemClock } from "./kernel/clock.ts";
import { Vault } from "./kernel/vault.ts";
import { startWorker, type RunningWorker } from "./worker.ts";

/** Work that is still under way this long after a signal is cut off. */
const SHUTDOWN_LIMIT_MS = 20_000;

async function main(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  const store = await openStore(config.databaseUrl, config.dataDir);
  const database = openDatabase({ url: store.url, prepare: !config.transactionPooler });
  let gateway: Gateway | undefined;
  let worker: Promise<RunningWorker> | undefined;
  const letGo = async () => {
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    await worker?.then(
      (running) => running.stop(),
      () => undefined,
    );
    await (gateway ?? database).close();
    await store.release();
  };
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= letGo());
  const obeySignals = () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        logger.info({ signal }, "stopping");
        void stop().then(() => process.exit(0));
      });
    }
  };
  const vault = new Vault([...config.secretsKeys, ...store.secretsKeys]);
  const work = async (contexts: Contexts) => {
    worker = startWorker({ contexts, database, clock: systemClock, logger, url: store.url });
    await worker;
  };
  const serve = async () => {
    const tools = { clock: systemClock, token: config.demoToken, vault };
    const demo = config.demo ? await seedDemo(database, tools) : undefined;
    gateway = await openGateway({
      database,
      clock: systemClock,
      logger,
      vocabulary: config.vocabulary,
      demo,
      vault,
      publicUrl: config.publicUrl,
      introspection: config.introspection,
    });
    const address = await gateway.server.listen({ port: config.port, host: config.host });
    if (config.databaseUrl !== undefined && config.publicUrl === undefined)
      logger.warn({ address }, "links to the checkout begin with this address; set PUBLIC_URL to that of browsers");
    obeySignals();
    process.stdout.write(welcome(address, demo));
    return gateway.contexts;
  };
  try {
    if (config.role === "worker") {
      const address = () => config.publicUrl ?? "";
      obeySignals();
      await work(openCashDesk({ database, clock: systemClock, vault, address }).contexts);
      process.stdout.write("Recoup works. Nothing listens here.\n");
    } else {
      const contexts = await serve();
      if (config.role === "both") await work(contexts);
    }
  } catch (error) {
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
