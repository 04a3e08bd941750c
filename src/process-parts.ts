import type { FastifyBaseLogger } from "fastify";
import { HOME_CELL_NAME } from "./cells/cell.ts";
import type { ProcessCells } from "./cells/process-cells.ts";
import type { CellParts } from "./cells/served-cell.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/client.ts";
import { openGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
import type { ContextFactory } from "./graphql/context.ts";
import { createServices } from "./graphql/services.ts";
import type { PeopleDirectory } from "./http/authentication/session-routes.ts";
import { dueWork } from "./jobs/due-work.ts";
import { WorkBacklogRepository } from "./jobs/work-backlog.repository.ts";
import { systemClock } from "./kernel/clock.ts";
import type { SecretVault } from "./kernel/secrets/secret-vault.ts";
import { readDiskSpace } from "./operations/data-disk.ts";
import { Metrics, type LedgerCheckOfCell } from "./operations/metrics.ts";
import { wirePayments } from "./payments-wiring.ts";
import { startWorker, type RunningWorker } from "./worker-process.ts";

export interface ProcessPartsOptions {
  config: Config;
  database: Database;
  /** The folder of the embedded database; undefined for a database on a server. */
  folder: string | undefined;
  vault: SecretVault;
  logger: FastifyBaseLogger;
  /** The cells beside the home database, once they are open. */
  openCells: () => ProcessCells | undefined;
  /** The gateway of the home database, whose shares all cells have in common; undefined in a worker. */
  homeGateway: () => Gateway | undefined;
}

/** Makes the gateways and workers of one process, for the home database and for each cell, by the settings. */
export class ProcessParts {
  /** Undefined if they have no port. */
  readonly metrics: Metrics | undefined;

  constructor(private readonly options: ProcessPartsOptions) {
    this.metrics = options.config.metricsPort === undefined ? undefined : this.createMetrics();
  }

  /** A gateway on a database. It does not listen yet. */
  openGatewayOn(database: Database, options: Partial<GatewayOptions>): Promise<Gateway> {
    const { config, vault, logger } = this.options;
    return openGateway({
      ...{ database, clock: systemClock, logger, vault, metrics: this.metrics },
      vocabulary: config.vocabulary,
      isLoopback: config.isLoopback,
      publicUrl: config.publicUrl,
      stripeApiUrl: config.stripeApiUrl,
      tossApiUrl: config.tossApiUrl,
      trustedProxies: config.trustedProxies,
      introspection: config.introspection,
      allowPrivateWebhooks: config.allowPrivateWebhooks,
      requestsPerMinute: config.requestsPerMinute,
      ...options,
    });
  }

  /** Scheduled work on a database. */
  startWorkerOn(contexts: ContextFactory, database: Database): Promise<RunningWorker> {
    const { config, logger } = this.options;
    return startWorker({
      ...{ contexts, database, clock: systemClock, logger, metrics: this.metrics },
      messages: config.messages,
      chargeConcurrency: config.chargeConcurrency,
      renewalBatchSize: config.renewalBatchSize,
    });
  }

  /** The contexts of a worker without a gateway. */
  createContextsOn(database: Database): ContextFactory {
    const { config, vault, logger } = this.options;
    const { metrics } = this;
    return wirePayments({
      ...{ database, clock: systemClock, vault, logger, address: () => config.publicUrl ?? "" },
      stripeApiUrl: config.stripeApiUrl,
      tossApiUrl: config.tossApiUrl,
      allowPrivateWebhooks: config.allowPrivateWebhooks,
      countCall: metrics && ((call) => metrics.observeGatewayCall(call)),
    }).contexts;
  }

  /** What this process does for a cell: answer, work, or both. */
  async openCellParts(database: Database, peopleDirectory: PeopleDirectory): Promise<CellParts> {
    const { config, homeGateway } = this.options;
    const shared = { readLedgerCheck: () => readLedgerCheck(database) };
    if (config.role === "worker")
      return { ...shared, worker: await this.startWorkerOn(this.createContextsOn(database), database) };
    const gateway = await this.openGatewayOn(database, { shared: homeGateway()?.shared, peopleDirectory });
    return {
      ...{ ...shared, gateway },
      ...(config.role === "both" && { worker: await this.startWorkerOn(gateway.contexts, database) }),
    };
  }

  private createMetrics(): Metrics {
    const { database, folder } = this.options;
    const backlog = new WorkBacklogRepository(database.handle);
    return new Metrics({
      connections: database.connectionUse,
      replica: database.replica,
      readLedgerChecks: () => this.readLedgerChecks(),
      readBacklog: () => backlog.read(systemClock.now(), dueWork),
      readDisk: folder === undefined ? undefined : () => readDiskSpace(folder),
    });
  }

  private async readLedgerChecks(): Promise<LedgerCheckOfCell[]> {
    const { database, openCells } = this.options;
    const home = await readLedgerCheck(database);
    const others = (await openCells()?.readLedgerChecks()) ?? [];
    return home ? [{ cell: HOME_CELL_NAME, ...home }, ...others] : others;
  }
}

const readLedgerCheck = ({ handle }: Database) => createServices(handle, systemClock.now()).ledgerChecks.state();
