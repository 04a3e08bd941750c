import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { openDatabase, type Database } from "../../../src/database/client.ts";
import { migrateDatabase } from "../../../src/database/migrations/migrate.ts";
import type { ReplicaChange } from "../../../src/database/replica/replica.ts";
import { seedDemo } from "../../../src/demo/demo-data.ts";
import { openGateway, type Gateway } from "../../../src/gateway.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { SecretVault } from "../../../src/kernel/secrets/secret-vault.ts";
import { Metrics } from "../../../src/operations/metrics.ts";
import type { RawData } from "../../support/raw-data.ts";
import { SECRETS_KEY } from "../../support/test-gateway.ts";
import { onFileEnd } from "./cleanup.ts";
import { TOKEN } from "./gateway-process.ts";
import { waitUntil } from "./wait-until.ts";

const vault = new SecretVault([SECRETS_KEY]);

/** Makes the tables and the demo vendor in a database. */
export async function seedDatabase(url: string): Promise<void> {
  await migrateDatabase(url);
  const database = openDatabase({ url });
  await seedDemo(database, { clock: systemClock, token: TOKEN, vault }).finally(() => database.close());
}

/** The answer to a request. */
export interface ReplicatedAnswer {
  status: number;
  body: RawData;
}

/** A gateway of this process on a database with a replica, which counts what goes where. */
export class ReplicatedGateway {
  /** What became of the replica so far. */
  readonly changes: ReplicaChange[] = [];
  /** The statements that were sent to each side. */
  readonly onPrimary: string[] = [];
  readonly onReplica: string[] = [];
  readonly logLines: string[] = [];
  private readonly database: Database;
  private readonly metrics: Metrics;
  private gateway: Gateway | undefined;

  static async start(url: string, replicaUrl: string): Promise<ReplicatedGateway> {
    const opened = new ReplicatedGateway(url, replicaUrl);
    const write = (line: string) => void opened.logLines.push(line);
    const logger = pino({ level: "info", base: undefined }, { write }) as FastifyBaseLogger;
    const { database, metrics } = opened;
    opened.gateway = await openGateway({ database, clock: systemClock, logger, vocabulary: {}, vault, metrics });
    onFileEnd(() => opened.close());
    return opened;
  }

  private constructor(url: string, replicaUrl: string) {
    this.database = openDatabase({
      url,
      replicaUrl,
      acquireTimeoutMs: 60_000,
      onReplicaChange: (change) => this.changes.push(change),
      onStatement: (text) => this.onPrimary.push(text),
      onReplicaStatement: (text) => this.onReplica.push(text),
    });
    this.metrics = new Metrics({
      connections: this.database.connectionUse,
      replica: this.database.replica,
      readLedgerChecks: async () => [],
      readBacklog: async () => ({ dueWork: [], oldest: [], models: [] }),
    });
  }

  get usesReplica(): boolean {
    return required(this.database.replica, "the replica").isUsed;
  }

  waitUntilUsed = (isUsed = true) =>
    waitUntil(`the replica is ${isUsed ? "used" : "left alone"}`, async () => this.usesReplica === isUsed);

  isReady = () => required(this.gateway, "the gateway").isReady();

  /** The values of the metrics of the replica, by name and labels. */
  async readMetrics(): Promise<Record<string, number>> {
    const lines = (await this.metrics.render()).split("\n").filter((line) => /^recoup_(?:rep|reads)/.test(line));
    return Object.fromEntries(lines.map((line) => [line.split(" ")[0], Number(line.split(" ")[1])]));
  }

  /** Lists that were read on a side so far. */
  readsOf = async (side: "primary" | "replica" | "repeated"): Promise<number> =>
    (await this.readMetrics())[`recoup_reads_total{side="${side}"}`] ?? 0;

  sendGraphQL = (query: string, variables: object = {}, headers: Record<string, string> = {}, more: object = {}) =>
    this.send("POST", "/graphql", { query, variables, ...more }, headers);

  sendRest = (method: "GET" | "POST", path: string, body?: object, headers: Record<string, string> = {}) =>
    this.send(method, `/api/v1${path}`, body, headers);

  close = async (): Promise<void> => this.gateway?.close();

  private async send(
    method: "GET" | "POST",
    url: string,
    payload: object | undefined,
    headers: Record<string, string>,
  ): Promise<ReplicatedAnswer> {
    const response = await required(this.gateway, "the gateway").server.inject({
      method,
      url,
      headers: { "secret-token": TOKEN, ...headers },
      ...(payload && { payload }),
    });
    return { status: response.statusCode, body: JSON.parse(response.body) };
  }
}
