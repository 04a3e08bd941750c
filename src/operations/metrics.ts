import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { EventType } from "../../schema/vocabulary.ts";
import type { Replica } from "../database/replica/replica.ts";
import { toWireName } from "../events/event.message.ts";
import type { ObservedOperation } from "../graphql/execution/observed-executor.ts";
import type { ReadSide } from "../graphql/execution/replica-reads.ts";
import type { ObservedResponse } from "../http/request-log.ts";
import type { SemaphoreUse } from "../kernel/scheduling/fair-semaphore.ts";
import type { ObservedGatewayCall } from "../payments/gateways/guarded-gateway.ts";
import type { DiskSpace } from "./data-disk.ts";
import type { LedgerCheckState } from "../payments/ledger/ledger-check.service.ts";
import type { WorkBacklog } from "../jobs/work-backlog.repository.ts";

/** From a read of one record to the longest statement. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
/** Scrapers that ask more often get the same backlog: finding it asks the database. */
const BACKLOG_KEPT_MS = 10_000;

/** What the metrics ask at the time of a scrape. */
export interface MetricSources {
  connections: () => SemaphoreUse;
  /** The read replica, if there is one. */
  replica?: Pick<Replica, "isUsed" | "lagSeconds"> | undefined;
  /** Work that is due and was not done. */
  readBacklog: () => Promise<WorkBacklog>;
  /** What the checks of the ledger found, in the home database and in each cell. */
  readLedgerChecks: () => Promise<LedgerCheckOfCell[]>;
  /** The disk of the embedded database; undefined for a database on a server. */
  readDisk?: (() => Promise<DiskSpace>) | undefined;
}

/** What the checks of the ledger found in a cell that answers; `home` names the home database. */
export interface LedgerCheckOfCell extends LedgerCheckState {
  cell: string;
}

/** The metrics of one process, in the text format of Prometheus. docs/operations.md describes each. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: "recoup_http_request_seconds",
    help: "Time to answer a request, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly operations = new Histogram({
    name: "recoup_graphql_operation_seconds",
    help: "Time to run an operation, of REST too, by its root field and outcome: answered, refused, unavailable or failed.",
    labelNames: ["type", "field", "outcome"],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly events = new Counter({
    name: "recoup_events_total",
    help: "Events of all vendors that this process numbered, by their name in the catalogue of events.",
    labelNames: ["type"],
    registers: [this.registry],
  });
  private readonly recoveredAmount = new Counter({
    name: "recoup_recovered_amount_total",
    help: "Money of failed payments that were recovered, of all vendors, in whole units of the currency.",
    labelNames: ["currency"],
    registers: [this.registry],
  });
  private readonly webhookAttempts = new Counter({
    name: "recoup_webhook_attempts_total",
    help: "Attempts of webhook deliveries, by outcome: delivered or failed.",
    labelNames: ["outcome"],
    registers: [this.registry],
  });
  private readonly gatewayCalls = new Histogram({
    name: "recoup_payment_gateway_seconds",
    help: "Time of a call of a payment gateway, by its outcome: answered (a decline is an answer), failed, or suspended (not made, because calls before failed).",
    labelNames: ["gateway", "call", "outcome"],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly diskFree = new Gauge({
    name: "recoup_data_directory_free_bytes",
    help: "Free space of the disk that the embedded database is on.",
    registers: [this.registry],
  });
  private readonly diskSize = new Gauge({
    name: "recoup_data_directory_size_bytes",
    help: "Size of the disk that the embedded database is on.",
    registers: [this.registry],
  });
  private readonly connections = new Gauge({
    name: "recoup_database_connections",
    help: "Connections of this process to the database: used, the limit, and the pieces of work that wait for one.",
    labelNames: ["state"],
    registers: [this.registry],
  });
  private readonly databaseUp = new Gauge({
    name: "recoup_database_up",
    help: "1 if the database answered the last scrape, otherwise 0.",
    registers: [this.registry],
  });
  private readonly reads = new Counter({
    name: "recoup_reads_total",
    help: "Operations of lists and analytics beside a read replica, by the side that answered: replica, primary, or repeated (failed on the replica, answered by the primary).",
    labelNames: ["side"],
    registers: [this.registry],
  });
  private readonly replicaLag = new Gauge({
    name: "recoup_replica_lag_seconds",
    help: "How far the read replica lags behind the primary.",
    registers: [this.registry],
  });
  private readonly replicaUsed = new Gauge({
    name: "recoup_replica_used",
    help: "1 if reads go to the read replica, 0 if it is left alone.",
    registers: [this.registry],
  });
  private readonly dueWork = new Gauge({
    name: "recoup_due_work",
    help: "Rows of all vendors that have been due for at least so long, by kind of work; 10000 stands for that many or more.",
    labelNames: ["work", "age"],
    registers: [this.registry],
  });
  private readonly oldest = new Gauge({
    name: "recoup_oldest_seconds",
    help: "How long the oldest one has waited, by queue: events without a number, webhook deliveries and messages that are due. 0 if none waits.",
    labelNames: ["queue"],
    registers: [this.registry],
  });
  private readonly models = new Gauge({
    name: "recoup_recovery_models",
    help: "Vendor families whose model of a source is tested on results, by whether it decides or was given up.",
    labelNames: ["source", "state"],
    registers: [this.registry],
  });
  private readonly ledgerUnbalanced = new Gauge({
    name: "recoup_ledger_unbalanced_payments",
    help: "Payments whose ledger entries do not sum to zero, as the daily check found, by cell.",
    labelNames: ["cell"],
    registers: [this.registry],
  });
  private readonly ledgerChecked = new Gauge({
    name: "recoup_ledger_checked_seconds",
    help: "The time since all entries of the ledger were checked, by cell.",
    labelNames: ["cell"],
    registers: [this.registry],
  });
  private backlogReadAt = -Infinity;

  constructor(private readonly sources: MetricSources) {
    collectDefaultMetrics({ register: this.registry });
    // A rate sees the first event and the first attempt only if there was a series before it.
    for (const type of Object.values(EventType)) this.events.inc({ type: toWireName(type) }, 0);
    for (const outcome of ["delivered", "failed"]) this.webhookAttempts.inc({ outcome }, 0);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  observeResponse({ method, route, status, seconds }: ObservedResponse): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  observeOperation({ type, field, outcome, seconds }: ObservedOperation): void {
    this.operations.observe({ type, field, outcome }, seconds);
  }

  observeGatewayCall({ gateway, call, outcome, seconds }: ObservedGatewayCall): void {
    this.gatewayCalls.observe({ gateway, call, outcome }, seconds);
  }

  countEvent(type: string): void {
    this.events.inc({ type });
  }

  countRecovered(currency: string, amount: number): void {
    this.recoveredAmount.inc({ currency }, amount);
  }

  countWebhookAttempt(isDelivered: boolean): void {
    this.webhookAttempts.inc({ outcome: isDelivered ? "delivered" : "failed" });
  }

  countRead(side: ReadSide): void {
    this.reads.inc({ side });
  }

  /** The text of a scrape. It has no backlog while the database does not answer. */
  async render(): Promise<string> {
    const { used, waiting, limit } = this.sources.connections();
    this.connections.set({ state: "used" }, used);
    this.connections.set({ state: "waiting" }, waiting);
    this.connections.set({ state: "limit" }, limit);
    this.readReplica();
    await this.readDisk();
    if (performance.now() - this.backlogReadAt >= BACKLOG_KEPT_MS) await this.readBacklog();
    return this.registry.metrics();
  }

  /** Without a replica its metrics are absent, as is a lag that is not known yet. */
  private readReplica(): void {
    const { replica } = this.sources;
    this.replicaLag.remove();
    this.replicaUsed.remove();
    if (!replica) return;
    this.replicaUsed.set(replica.isUsed ? 1 : 0);
    if (replica.lagSeconds !== undefined) this.replicaLag.set(replica.lagSeconds);
  }

  private async readDisk(): Promise<void> {
    const disk = await this.sources.readDisk?.().catch(() => undefined);
    if (!disk) return;
    this.diskFree.set(disk.freeBytes);
    this.diskSize.set(disk.sizeBytes);
  }

  private async readBacklog(): Promise<void> {
    this.dueWork.reset();
    this.oldest.reset();
    this.models.reset();
    this.ledgerUnbalanced.reset();
    this.ledgerChecked.reset();
    try {
      const { dueWork, oldest, models } = await this.sources.readBacklog();
      for (const { work, age, count } of dueWork) this.dueWork.set({ work, age }, count);
      for (const { queue, seconds } of oldest) this.oldest.set({ queue }, seconds);
      for (const { source, state, count } of models) this.models.set({ source, state }, count);
      for (const { cell, unbalancedPayments, secondsSinceChecked } of await this.sources.readLedgerChecks()) {
        this.ledgerUnbalanced.set({ cell }, unbalancedPayments);
        this.ledgerChecked.set({ cell }, secondsSinceChecked);
      }
      this.databaseUp.set(1);
      this.backlogReadAt = performance.now();
    } catch {
      this.databaseUp.set(0);
    }
  }
}
