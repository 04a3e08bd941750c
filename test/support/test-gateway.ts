import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { afterAll, expect } from "vitest";
import { openDatabase, type Database } from "../../src/database/client.ts";
import { openGateway, type Gateway } from "../../src/gateway.ts";
import type { AdmissionOptions } from "../../src/http/limits/admission.ts";
import type { StreamLimits } from "../../src/http/open-streams.ts";
import type { SlowReaderOptions } from "../../src/http/limits/slow-readers.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { createServices } from "../../src/graphql/services.ts";
import type { VendorInput } from "../../src/vendors/vendor.service.ts";
import type { GatewayGuardRules } from "../../src/payments/gateways/guarded-gateway.ts";
import type { DataOf, DocumentText } from "./answers.ts";
import type { RawData } from "./raw-data.ts";
import type { GraphQLRefusal } from "./refusal-values.ts";
import type { RestAnswerBody, RestBody, RestMethod, RestPath } from "./rest-answers.ts";
import { findUnfencedStatements } from "./vendor-fence.ts";
import { TestClock } from "./test-clock.ts";
import { createTestDatabase } from "./test-databases.ts";

/** A merchant of a test, and its token. */
export interface TestVendor {
  id: number;
  token: string;
}

/** An answer, with its body parsed if it is JSON. */
export interface TestResponse<Body = unknown> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Body;
}

/** An answer of GraphQL. */
export interface GraphQLResponse<Data = unknown> {
  status: number;
  /** Null if the operation was refused, or failed. */
  data: Data | null;
  errors: GraphQLRefusal[] | undefined;
}

export interface TestGatewayOptions {
  /** The clock's time at the start. */
  now?: string;
  vocabulary?: Record<string, string>;
  connections?: number;
  /** The timeouts of payment gateways, and when their breaker opens. */
  guard?: GatewayGuardRules;
  /** The address of a fake Stripe. */
  stripeApiUrl?: string;
  /** The address of a fake Toss. */
  tossApiUrl?: string;
  /** The keys that encrypt secrets. Defaults to one key. */
  secretsKeys?: readonly Buffer[];
  /** Another gateway, whose database is copied as it is now. Defaults to a new database. */
  copyOf?: TestGateway;
  /** The address at which browsers reach it. Defaults to where it listens. */
  publicUrl?: string;
  trustedProxies?: string[];
  /** Whether introspection is allowed. Defaults to true. */
  introspection?: boolean;
  /** The time within which callers must have read an answer. */
  slowReaders?: SlowReaderOptions;
  /** The number of requests that run at once, and that wait. Defaults to no limit. */
  admission?: AdmissionOptions;
  /** The requests that a key or a person may send in a minute. Defaults to no limit. */
  requestsPerMinute?: number;
  /** Whether webhooks of sandboxes may go to this machine. Defaults to false. */
  allowPrivateWebhooks?: boolean;
  /** The limits of open event streams. */
  streamLimits?: StreamLimits;
  /** The maximum length of an answer in characters. */
  maxResponseCharacters?: number;
  /** The token of the demo vendor, which the console offers. Defaults to no demo. */
  demoToken?: string;
  /** Whether the gateway listens on a loopback address only. Defaults to false. */
  isLoopback?: boolean;
}

/** The encryption key of test gateways. */
export const SECRETS_KEY = Buffer.alloc(32, "recoup");

/** The records of the Sandbox page's examples, which tests do not open. */
const NO_EXAMPLES = { subscriptionId: 1, orderId: 1 };

const GENEROUS_LIMITS = { slots: 64, acquireTimeoutMs: 60_000 };

/** The options of a request besides its body. */
export interface RequestOptions {
  /** The token to send. Defaults to the first vendor's; null sends none. */
  token?: string | null;
  headers?: Record<string, string>;
}

/**
 * A gateway on a database of its own, with one live vendor in Seoul. It is closed after the file's tests, so call it at
 * the top of a test file.
 */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { url, source, drop } = await createTestDatabase(options.copyOf?.databaseUrl);
  const statements: { text: string; parameters: unknown[] }[] = [];
  const statementTexts = new Map<string, { text: string }>();
  const lines: string[] = [];
  const clock = new TestClock(new Date(options.now ?? "2026-03-01T09:30:00.000Z"));
  const database = openDatabase({
    ...source,
    poolSize: options.connections ?? 4,
    // A machine that is busy testing must not fail the test; a gateway's own timeouts are tested in test/faults.
    acquireTimeoutMs: 60_000,
    onStatement: (text, parameters) => {
      // The gateway records the use of keys, and looks tokens up, at intervals: tests that count statements do not mean these.
      if (!/last_used_at = greatest|"api_keys"[.]"hash" = /.test(text)) statements.push({ text, parameters });
      statementTexts.set(text, { text });
    },
  });
  const logger = pino(
    { level: "info", base: undefined },
    { write: (line: string) => void lines.push(line) },
  ) as FastifyBaseLogger;
  const gateway = await openGateway({
    database,
    clock,
    logger,
    vocabulary: options.vocabulary ?? {},
    vault: new SecretVault(options.secretsKeys ?? [SECRETS_KEY]),
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies,
    gatewayGuard: options.guard,
    stripeApiUrl: options.stripeApiUrl,
    tossApiUrl: options.tossApiUrl,
    introspection: options.introspection,
    allowPrivateWebhooks: options.allowPrivateWebhooks,
    slowReaders: options.slowReaders,
    maxResponseLength: options.maxResponseCharacters,
    streamLimits: options.streamLimits,
    demo: options.demoToken === undefined ? undefined : { token: options.demoToken, examples: NO_EXAMPLES },
    isLoopback: options.isLoopback,
    requestsPerMinute: options.requestsPerMinute,
    // As with the pool: many concurrent requests of a test are no attack.
    admission: options.admission ?? { vendors: GENEROUS_LIMITS, unknownCallers: GENEROUS_LIMITS },
  });
  afterAll(async () => {
    await gateway.close();
    await drop();
    // Whatever the tests of a file did, none of the statements may have left the vendor out.
    expect(findUnfencedStatements([...statementTexts.values()])).toEqual([]);
    // The worker process continues with other files.
    statements.length = lines.length = 0;
  });
  const test = new TestGateway(gateway, database, url, clock, statements, lines);
  test.vendor = await test.openVendor();
  return test;
}

export class TestGateway {
  /** The vendor that requests are made for by default. */
  vendor!: TestVendor;

  constructor(
    readonly gateway: Gateway,
    readonly database: Database,
    readonly databaseUrl: string,
    readonly clock: TestClock,
    /** Every statement since the start; set its length to 0 to count anew. */
    readonly statements: { text: string; parameters: unknown[] }[],
    /** Every line of the log. */
    readonly logLines: string[],
  ) {}

  /** Opens a vendor with a live token. */
  async openVendor(input: Partial<VendorInput> = {}): Promise<TestVendor> {
    return this.database.transaction(async (handle) => {
      const { vendors, apiKeys } = createServices(handle, this.clock.now());
      const id = await vendors.createVendor({
        name: "Test vendor",
        zoneId: "Asia/Seoul",
        currency: "KRW",
        country: "KR",
        sandbox: false,
        ...input,
      });
      const { token } = await apiKeys.create(id, "test", false);
      // The feed of a test begins with what the test does.
      await handle.execute(`delete from unnumbered_events where vendor_id = ${id}`);
      await handle.execute(`delete from event_log where vendor_id = ${id}`);
      return { id, token };
    });
  }

  /** A REST call below /api/v1. Its method and path give the type of its body: rest-answers.ts. */
  sendRest<M extends RestMethod, P extends RestPath<M>>(
    method: M,
    path: P,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<TestResponse<RestAnswerBody<M, P>>> {
    return this.sendRawRest(method, path, body, options);
  }

  /** A REST call whose path the contract does not have or that is put together at run time, and its answer as it is. */
  async sendRawRest(
    method: RestMethod,
    path: string,
    body?: unknown,
    { token, headers }: RequestOptions = {},
  ): Promise<TestResponse<RawData>> {
    const response = await this.gateway.server.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        ...this.tokenHeader(token),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = response.body;
    return { status: response.statusCode, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** A REST call by POST. */
  post = <P extends RestPath<"POST">>(path: P, body: unknown, options?: RequestOptions) =>
    this.sendRest("POST", path, body, options);

  /** The body of a REST call that must succeed. */
  async readRestBody<M extends RestMethod, P extends RestPath<M>>(
    method: M,
    path: P,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<RestBody<M, P>> {
    const answer = await this.sendRawRest(method, path, body, options);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A GraphQL operation, by POST. The document gives the type of its data: answers.ts. */
  sendGraphQL<Q extends DocumentText>(
    query: Q,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<GraphQLResponse<DataOf<Q>>> {
    return this.sendRawGraphQL(query, variables, options);
  }

  /** A document that the schema refuses or that is put together at run time, and its answer as it is. */
  async sendRawGraphQL(
    query: string,
    variables: Record<string, unknown> = {},
    { token, headers }: RequestOptions = {},
  ): Promise<GraphQLResponse<RawData>> {
    const response = await this.gateway.server.inject({
      method: "POST",
      url: "/graphql",
      headers: { ...this.tokenHeader(token), "content-type": "application/json", ...headers },
      payload: JSON.stringify({ query, variables }),
    });
    return { status: response.statusCode, ...JSON.parse(response.body) };
  }

  /** The data of a GraphQL operation that must succeed. */
  queryData<Q extends DocumentText>(
    query: Q,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<DataOf<Q>> {
    return this.queryRawData(query, variables, options);
  }

  /** The data of a document that is put together at run time, and that must succeed. */
  async queryRawData(query: string, variables?: Record<string, unknown>, options?: RequestOptions): Promise<RawData> {
    const { data, errors } = await this.sendRawGraphQL(query, variables, options);
    if (errors) throw new Error(`The operation failed: ${JSON.stringify(errors)}`);
    return data;
  }

  private tokenHeader(token: string | null | undefined): Record<string, string> {
    return token === null ? {} : { "secret-token": token ?? this.vendor.token };
  }
}
