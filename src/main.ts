import "reflect-metadata";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DrizzleQueryError } from "drizzle-orm";
import { pino, type Logger } from "pino";
import { listCells } from "./cells/cell-list.ts";
import { ProcessCells } from "./cells/process-cells.ts";
import { isDatabaseOutage } from "./database/database-errors.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { openDatabase, type Database } from "./database/client.ts";
import type { ReplicaChange } from "./database/replica/replica.ts";
import { openDatabaseSource } from "./database/database-connection.ts";
import { formatWelcome } from "./demo/welcome-message.ts";
import { seedDemo } from "./demo/demo-data.ts";
import type { Gateway } from "./gateway.ts";
import type { ContextFactory } from "./graphql/context.ts";
import type { JobQueue } from "./jobs/job-queue.ts";
import { systemClock } from "./kernel/clock.ts";
import { required } from "./kernel/required-values.ts";
import { setRetention } from "./kernel/retention.ts";
import { SecretVault } from "./kernel/secrets/secret-vault.ts";
import { watchDisk } from "./operations/data-disk.ts";
import { startTracing } from "./operations/tracing.ts";
import { startOperationsServer } from "./operations/operations-server.ts";
import { ProcessParts } from "./process-parts.ts";
import { stopOnSignals } from "./stop-signals.ts";
import { startTaskQueue, type RunningWorker } from "./worker-process.ts";

/** A server database brings no key of its own, as the embedded one does. */
const MISSING_SECRETS_KEY_WARNING =
  "SECRETS_KEY is not set: sign-in secrets of payment gateways and mail senders cannot be stored, and links to the checkout cannot be signed. Create a key with `openssl rand -base64 32`.";

async function main(config: Config): Promise<void> {
  const logger = pino({ level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
  setRetention(config.retention);
  const tracing = await startTracing(process.env, logger);
  const openingStore = openDatabaseSource(config.databaseUrl, config.dataDir, {
    isPooled: config.pooler !== "NONE",
    report: (sentence) => logger.info({ migration: sentence }, "migrates"),
  });
  let database: Database | undefined;
  let gateway: Gateway | undefined;
  let worker: Promise<RunningWorker> | undefined;
  let queue: JobQueue | undefined;
  let openCells: ProcessCells | undefined;
  let operations: Server | undefined;
  let stopDiskWatch: (() => void) | undefined;
  const shutDown = async (drained?: AbortSignal) => {
    const store = await openingStore.catch(() => undefined);
    const stopWorker = async () => {
      const running = await worker?.catch(() => undefined);
      await Promise.all([running?.stop(), queue?.stop()]);
    };
    const drain = (signal: AbortSignal) => Promise.all([gateway?.drain(signal), openCells?.drain(signal)]);
    await Promise.all([stopWorker(), drained && drain(drained)]);
    // Requests to cells come through the gateway of the home database, which is the one that listens.
    openCells?.endStreams();
    await (gateway ?? database)?.close();
    await openCells?.close();
    await store?.release();
    operations?.close();
    stopDiskWatch?.();
    await tracing?.shutDown();
  };
  let stopping: Promise<void> | undefined;
  const stop = (drained?: AbortSignal) => (stopping ??= shutDown(drained));
  stopOnSignals({ logger, drainSeconds: config.drainSeconds, stop });
  try {
    const store = await openingStore;
    if (stopping) return await stopping;
    database = openDatabase({
      url: store.url,
      identity: store.identity,
      pooler: config.pooler,
      poolSize: config.poolSize,
      statementTimeoutMs: config.statementTimeoutMs,
      // What workers do, they decide by the primary.
      replicaUrl: config.role === "worker" ? undefined : config.databaseReplicaUrl,
      onReplicaChange: (change) => logReplicaChange(logger, change),
    });
    const vault = new SecretVault([...config.secretsKeys, ...store.secretsKeys]);
    if (!vault.hasKey) logger.warn(MISSING_SECRETS_KEY_WARNING);
    const opened = database;
    const { folder } = store;
    if (folder !== undefined) stopDiskWatch = watchDisk(folder, logger);
    const parts = new ProcessParts({
      ...{ config, database: opened, folder, vault, logger },
      openCells: () => openCells,
      homeGateway: () => gateway,
    });
    const { metrics } = parts;
    const openOperationsPort = async (isReady: () => Promise<boolean>) => {
      if (!metrics || config.metricsPort === undefined) return;
      operations = await startOperationsServer({ host: config.host, port: config.metricsPort, metrics, isReady });
      logger.info({ port: (operations.address() as AddressInfo).port }, "metrics can be read");
    };
    const cells = new ProcessCells({
      connection: {
        pooler: config.pooler,
        poolSize: config.poolSize,
        statementTimeoutMs: config.statementTimeoutMs,
      },
      readsLists: config.role !== "worker",
      readAll: () => listCells(opened.handle, vault),
      openParts: (on, peopleDirectory) => parts.openCellParts(on, peopleDirectory),
      homePeople: () => required(gateway, "the gateway").people,
      logger,
    });
    openCells = cells;
    /** Work of the home database and of all cells; the queue, which is in the home database, gives a task to one process. */
    const startWork = async (contexts: ContextFactory, on: Database) => {
      worker = parts.startWorkerOn(contexts, on);
      const homeWorker = await worker;
      const workers = () => [homeWorker, ...cells.workers()];
      queue = await startTaskQueue({ url: store.url, workers, logger });
    };
    if (config.role === "worker") {
      await startWork(parts.createContextsOn(database), database);
      await cells.start();
      await openOperationsPort(() =>
        opened.ping().then(
          () => true,
          () => false,
        ),
      );
      process.stdout.write(
        operations
          ? "Recoup works. This process listens on the port of its metrics only.\n"
          : "Recoup works. This process listens on no port.\n",
      );
      return;
    }
    const tools = { clock: systemClock, token: config.demoToken, vault };
    const demo = config.demo ? await seedDemo(database, tools) : undefined;
    gateway = await parts.openGatewayOn(database, {
      ...{ demo, peopleDirectory: cells.people },
      cellStates: () => cells.states(),
    });
    cells.receiveFrom(gateway);
    await cells.start();
    await openOperationsPort(gateway.isReady);
    const address = await gateway.server.listen({ port: config.port, host: config.host });
    if (config.databaseUrl !== undefined && config.publicUrl === undefined)
      logger.warn(
        { address },
        "links to the checkout start with this address; set PUBLIC_URL to the address that browsers use",
      );
    process.stdout.write(formatWelcome(address, demo));
    if (config.role === "both") await startWork(gateway.contexts, database);
  } catch (error) {
    // A signal that comes during the start takes away what the start needs.
    if (stopping) return stopping;
    await stop();
    throw error;
  }
}

function logReplicaChange(logger: Logger, change: ReplicaChange): void {
  if (change.isUsed) logger.info("reads go to the replica");
  else logger.warn({ reason: change.reason }, "the replica is left alone; reads go to the primary");
}

/** A start that fails says why in one sentence, not in a stack. */
function describeStartError(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { message, code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE")
    return `The port ${String(port)} is already in use. Set PORT or METRICS_PORT to a free one, or stop the process that uses it.`;
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
  process.stderr.write(`${describeStartError(error)}\n`);
  // The codes of docs/command-line.md: the settings are wrong, the database cannot be reached, anything else.
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  process.exit(error instanceof ConfigError ? 2 : isDatabaseOutage(cause) ? 3 : 1);
}
