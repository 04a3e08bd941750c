import postgres from "postgres";
import { afterAll } from "vitest";
import type { Worker } from "../../../src/jobs/worker.ts";
import type { RawData } from "../raw-data.ts";
import { startGateway, type RequestOptions, type TestGateway } from "../test-gateway.ts";
import { findWrongOrderTotals } from "../order-totals.ts";
import { namedValuesOf } from "../refusal-values.ts";
import { everyMonth, TestCatalogue } from "../test-catalogue.ts";
import { TestPayments } from "../test-payments.ts";
import { createWorker, runUntilIdle } from "../test-worker.ts";
import { responseDifferences, toRestNames, GeneratedValuePairs } from "./response-comparison.ts";

/** One operation in both protocols. */
export interface ProtocolOperation {
  rest: { method: "GET" | "POST" | "PUT" | "PATCH"; path: string; body?: object };
  graphql: { query: string; variables: Record<string, unknown> };
  /** The path of the record in GraphQL's data, as in "createOrder.order". */
  resultPath: string;
  /** The code with which REST refuses when GraphQL answers null. */
  notFoundCode?: string;
  /** Whether REST may have no field that the GraphQL selection lacks. */
  isExhaustive?: boolean;
  /** The record in the body of REST; the body itself if absent. */
  readRestRecord?: (body: RawData, headers: Record<string, unknown>) => unknown;
  /** The noun under which the id of the answer is saved for both. */
  createdNoun?: RecordNoun;
}

export type RecordNoun =
  "coverCustomer" | "coverProduct" | "coverPrice" | "coverSubscription" | "coverOrder" | "order" | "invoice";

/** A record in both databases. */
export interface RecordPair {
  rest: { id: number; code: string };
  graph: { id: number; code: string };
}

/** One of the two databases, and the vendor of one sequence in it. */
interface ProtocolSide {
  gateway: TestGateway;
  worker: Worker;
  /** A session of the test's own. */
  sql: postgres.Sql;
  vendorId: number;
  options: RequestOptions;
}

/** The result of a request: done, or refused with a code and the values that it names. */
type OperationOutcome = { done: unknown } | { refused: string; values: string[] };

/** Tables that differ by design: an idempotency record has the request as it was sent. */
const PROTOCOL_SPECIFIC_TABLES = ["idempotency_keys"];

/**
 * The compared part of a table whose other part is random: not the endings of tokens, when they were used, or the slot
 * of an amount. Search texts are made of the other columns, with codes in lower case; `recorded_at` is real time, and each request has a trace of its own.
 */
const COMPARED_COLUMNS: Readonly<Record<string, { of: string; by?: string }>> = {
  api_keys: { of: "to_jsonb(t) - 'ending' - 'last_used_at'" },
  order_counts: { of: "jsonb_build_array(day, status, sum(total))", by: "group by vendor_id, day, status" },
  order_count_changes: { of: "jsonb_build_array(day, status, sum(change))", by: "group by vendor_id, day, status" },
};

/** Two gateways on copies of one database: a request to one by REST is sent to the other by GraphQL. */
export class ProtocolComparison {
  generatedPairs = new GeneratedValuePairs();
  recordPairs = new Map<RecordNoun | "customer" | "product" | "plan", RecordPair[]>();
  uuids = { rest: "", graph: "" };
  /** The number of compared operations, by the answer of both. */
  readonly outcomes = new Map<string, number>();

  private constructor(
    private readonly rest: ProtocolSide,
    private readonly graph: ProtocolSide,
    private readonly tables: readonly string[],
  ) {}

  /** Starts both gateways; call it at the top of a test file. */
  static async start(): Promise<ProtocolComparison> {
    const twin = async (): Promise<ProtocolSide> => {
      const gateway = await startGateway();
      const books = postgres(gateway.databaseUrl, { max: 1, onnotice: () => undefined });
      afterAll(() => books.end());
      return { gateway, worker: createWorker(gateway), sql: books, vendorId: 0, options: {} };
    };
    const [rest, graph] = [await twin(), await twin()];
    const tables = await rest.sql.unsafe<{ name: string }[]>(
      `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
          and attname = 'vendor_id' order by 1`,
    );
    const names = tables.map(({ name }) => name).filter((name) => !PROTOCOL_SPECIFIC_TABLES.includes(name));
    return new ProtocolComparison(rest, graph, names);
  }

  get operations(): number {
    return [...this.outcomes.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Opens a merchant in both, with customers, products and plans. */
  async createMerchants(): Promise<void> {
    this.generatedPairs = new GeneratedValuePairs();
    this.recordPairs = new Map();
    const [rest, graph] = [await this.createMerchant(this.rest), await this.createMerchant(this.graph)];
    this.uuids = { rest: rest.uuid, graph: graph.uuid };
    this.generatedPairs.areEquivalent(rest.uuid, graph.uuid);
    for (const noun of ["customer", "product", "plan"] as const)
      this.recordPairs.set(
        noun,
        rest[noun].map((record, index) => ({ rest: record, graph: graph[noun][index]! })),
      );
  }

  /** The records of a noun that the operations created so far. */
  recordsOf(noun: RecordNoun | "customer" | "product" | "plan"): readonly RecordPair[] {
    return this.recordPairs.get(noun) ?? [];
  }

  /** Sends an operation to both. @returns the differences of the answers. */
  async compareOperation(operation: ProtocolOperation, key?: string): Promise<string[]> {
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    const rest = await this.sendToRest(operation, headers);
    const graph = await this.sendToGraphQL(operation, headers);
    const said = "refused" in rest ? rest.refused : "DONE";
    this.outcomes.set(said, (this.outcomes.get(said) ?? 0) + 1);
    if ("refused" in rest || "refused" in graph)
      return JSON.stringify(rest) === JSON.stringify(graph)
        ? []
        : [`REST ${JSON.stringify(rest)}, GraphQL ${JSON.stringify(graph)}`.slice(0, 900)];
    const found = responseDifferences(rest.done, graph.done, this.generatedPairs, {
      isWhole: operation.isExhaustive ?? false,
    });
    if (operation.createdNoun && found.length === 0) this.addRecordPair(operation.createdNoun, rest.done, graph.done);
    return found;
  }

  /** Does the same on both sides, outside the compared operations. */
  async runOnBoth(
    work: (gateway: TestGateway, options: RequestOptions, side: "rest" | "graph") => Promise<unknown>,
  ): Promise<string[]> {
    const rest = await work(this.rest.gateway, this.rest.options, "rest");
    const graph = await work(this.graph.gateway, this.graph.options, "graph");
    return responseDifferences(rest, graph, this.generatedPairs, { isWhole: true });
  }

  /** Time passes, and the workers do the due work. */
  async passTime(ms: number): Promise<void> {
    for (const { gateway, worker } of [this.rest, this.graph]) {
      gateway.clock.setTo(new Date(gateway.clock.now().getTime() + ms));
      await runUntilIdle(worker);
    }
  }

  /** The differences between the databases in the rows of the merchant and its children. */
  async compareTables(): Promise<string[]> {
    const found: string[] = [];
    for (const table of this.tables) {
      const rest = (await this.rowsOf(this.rest, table)).map(this.generatedPairs.replaceUnseenRestValues).toSorted();
      const graph = (await this.rowsOf(this.graph, table)).map(this.generatedPairs.replaceGraphValues).toSorted();
      const [onlyRest, onlyGraph] = [
        rest.filter((row) => !graph.includes(row)),
        graph.filter((row) => !rest.includes(row)),
      ];
      if (rest.length === graph.length && onlyRest.length === 0 && onlyGraph.length === 0) continue;
      found.push(`${table}: ${rest.length} rows by REST, ${graph.length} by GraphQL`);
      found.push(...onlyRest.slice(0, 2).map((row) => `  only by REST: ${row}`));
      found.push(...onlyGraph.slice(0, 2).map((row) => `  only by GraphQL: ${row}`));
    }
    const wrongTotals = await findWrongOrderTotals(this.rest.gateway);
    return [...found, ...wrongTotals.map((wrong) => JSON.stringify(wrong))];
  }

  /** Stops all work for the merchant. */
  async disableMerchants(): Promise<void> {
    for (const { sql, vendorId } of [this.rest, this.graph])
      await sql`update vendors set enabled = false where id = ${vendorId} or parent_id = ${vendorId}`;
  }

  private async rowsOf({ sql, vendorId }: ProtocolSide, table: string): Promise<string[]> {
    const { of = "to_jsonb(t) - 'search_text' - 'recorded_at' - 'trace'", by = "" } = COMPARED_COLUMNS[table] ?? {};
    const rows = await sql.unsafe<{ row: string }[]>(
      `select (${of})::text as row from ${table} t
        where vendor_id in (select id from vendors where id = $1 or parent_id = $1) ${by}`,
      [vendorId],
    );
    return rows.map(({ row }) => row);
  }

  private addRecordPair(noun: RecordNoun, rest: unknown, graph: unknown): void {
    const [ofRest, ofGraph] = [idAndCodeOf(rest), idAndCodeOf(graph)];
    const known = this.recordPairs.get(noun) ?? [];
    if (!known.some((one) => one.rest.id === ofRest.id)) known.push({ rest: ofRest, graph: ofGraph });
    this.recordPairs.set(noun, known);
  }

  private async sendToRest(
    { rest, readRestRecord }: ProtocolOperation,
    headers: Record<string, string>,
  ): Promise<OperationOutcome> {
    const { gateway, options } = this.rest;
    const answer = await gateway.sendRawRest(rest.method, rest.path, rest.body, { ...options, headers });
    if (answer.status < 400)
      return { done: readRestRecord ? readRestRecord(answer.body, answer.headers) : answer.body };
    const { errorCode, errorMessage, details } = answer.body;
    return { refused: errorCode, values: comparableValuesOf(errorMessage, details) };
  }

  private async sendToGraphQL(
    { graphql, resultPath, notFoundCode }: ProtocolOperation,
    headers: Record<string, string>,
  ): Promise<OperationOutcome> {
    const { gateway, options } = this.graph;
    const { data, errors } = await gateway.sendRawGraphQL(graphql.query, graphql.variables, { ...options, headers });
    if (errors) {
      const [{ message, extensions }] = errors as [(typeof errors)[number]];
      return { refused: extensions.code, values: comparableValuesOf(message, extensions.details) };
    }
    const record = resultPath.split(".").reduce<RawData>((part, name) => part?.[name], data);
    if (record === null || record === undefined) return { refused: notFoundCode ?? "(null)", values: [] };
    return { done: toRestNames(record) };
  }

  /** The first operations of every sequence. */
  private async createMerchant(twin: ProtocolSide) {
    const { gateway } = twin;
    const vendor = await gateway.openVendor({ name: "Twin" });
    twin.vendorId = vendor.id;
    twin.options = { token: vendor.token };
    const payments = await TestPayments.start(gateway, twin.options);
    const catalogue = new TestCatalogue(gateway, twin.options);
    const records = { customer: [], product: [], plan: [] } as Record<
      "customer" | "product" | "plan",
      RecordPair["rest"][]
    >;
    for (const [place, name] of ["Kim Seo-yeon", "Lee Min-ho", "Park Ji-woo"].entries()) {
      const input = { name, email: `payer${place}@example.com`, phone: `010-1234-567${place}` };
      const { customer } = await payments.runMutation("createCustomer", input, "customer { databaseId code }");
      records.customer.push({ id: customer.databaseId, code: customer.code });
    }
    const plans = [
      { type: "FLAT", price: "18900", recurring: everyMonth, plan: { name: "Every month" } },
      { type: "ONE_TIME", price: "25000.5", plan: { name: "Once" } },
      {
        type: "FLAT",
        price: "120000",
        recurring: { interval: "YEAR" },
        claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" },
      },
    ];
    for (const [place, terms] of plans.entries()) {
      const product = await catalogue.createProduct({
        type: "SOFTWARE",
        name: `Journal ${place}`,
        description: "A journal.",
      });
      const plan = await catalogue.createPlan(product.databaseId, terms);
      records.product.push({ id: product.databaseId, code: product.code });
      records.plan.push({ id: plan.databaseId, code: plan.code });
    }
    const { vendor: own } = await gateway.queryData("{ vendor { uuid } }", {}, twin.options);
    return { ...records, uuid: own.uuid };
  }
}

/** Fields of REST whose names GraphQL changed, so that its own names agree. */
const graphqlNames: Readonly<Record<string, string>> = { canceledDate: "canceledAt" };

/**
 * The values that a refusal names, each by the last part of its path, because the paths in inputs differ. The code says
 * already which record is missing; REST also names the part of its path.
 */
const comparableValuesOf = (sentence: string, details: Parameters<typeof namedValuesOf>[1]): string[] =>
  namedValuesOf(sentence, details)
    .filter(({ code }) => code !== "NOT_FOUND")
    .map(({ path, code }) => ({ name: path.split(".").at(-1)!, code }))
    .map(({ name, code }) => `${graphqlNames[name] ?? name} ${code}`)
    .toSorted();

const idAndCodeOf = (record: RawData): RecordPair["rest"] => ({
  id: record.id ?? record.orderId,
  code: record.code ?? "",
});
