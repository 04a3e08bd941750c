import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { getNamedType, isLeafType, isNonNullType, isObjectType, type GraphQLObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReplicaChange } from "../../src/database/replica/replica.ts";
import { querySides } from "../../src/graphql/execution/query-sides.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { buildOnce } from "../support/build-once.ts";
import { customerBody } from "./harness/fault-client.ts";
import { openSession } from "./harness/fault-databases.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { HangingProxy } from "./harness/hanging-proxy.ts";
import { ReplicatedGateway, seedDatabase, type ReplicatedAnswer } from "./harness/replicated-gateway.ts";
import { ReplicatedServers } from "./harness/replicated-servers.ts";
import { waitUntil } from "./harness/wait-until.ts";

/*
 * lists and analytics are read from a streaming replica that lags, dies, hangs and comes back. It refuses every write, so that
 * one which went there would be an error in the log.
 */

const READERS = 4;
const times = roundCount(1, 10);
/** A read that hangs is noticed by the next probe, which has a second, and then repeated. */
const MAX_HANG_MS = 10_000;
const MAX_CATCH_UP_MS = 45_000;

const PAGE = "{ orders(first: 20) { nodes { code customer { name } items { product { name } } } } }";
const NAMES = `{ customers(first: 5, orderBy: { field: CREATED_AT, direction: DESC }) { nodes { name } } }`;
const CREATE = `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }`;

/** Arguments of lists that need some. */
const argumentsOf = (childUuid: string): Record<string, string> => ({
  childVendorPage: `(vendorUuid: "${childUuid}")`,
  previewDeclineMapping: `(input: { paymentGateway: PROVIDER_01, errorCode: "Q9", reasonClass: GENERIC_REFUSAL })`,
});

let servers: ReplicatedServers;
let gateway: ReplicatedGateway;
/** Another gateway on the same database. */
let other: ReplicatedGateway;

beforeAll(async () => {
  servers = await ReplicatedServers.start();
  await seedDatabase(servers.primary.url);
  [gateway, other] = await Promise.all([
    ReplicatedGateway.start(servers.primary.url, servers.replica.url),
    ReplicatedGateway.start(servers.primary.url, servers.replica.url),
  ]);
  await Promise.all([gateway.waitUntilUsed(), other.waitUntilUsed()]);
}, 240_000);

const isFailed = ({ status, body }: ReplicatedAnswer): boolean => status >= 400 || body.errors !== undefined;

const errorLines = () => [...gateway.logLines, ...other.logLines].filter((line) => /"level":[56]0/.test(line));

/** Statements other than the look-up of the token and the count of its requests. */
const ofTheOperation = (texts: readonly string[]) => texts.filter((text) => !/api_keys|request_counts/.test(text));

/** Reads by several callers until it is stopped. */
function startReaders(on: ReplicatedGateway = gateway) {
  const stopping = new AbortController();
  const failures: unknown[] = [];
  let count = 0;
  let slowestMs = 0;
  const callers = Array.from({ length: READERS }, async (_, caller) => {
    for (let turn = caller; !stopping.signal.aborted; turn++) {
      const startedAt = performance.now();
      const answer = await (turn % 2 === 0 ? on.sendGraphQL(PAGE) : on.sendRest("GET", "/orders?size=5"));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (isFailed(answer) && failures.length < 3) failures.push(answer);
      count++;
    }
  });
  const waitForMore = async (more: number) => {
    const enough = count + more;
    await waitUntil(`there were ${more} more reads`, async () => count >= enough);
  };
  return {
    waitForMore,
    stop: async () => {
      stopping.abort();
      await Promise.all(callers);
      return { count, failures, slowestMs: Math.round(slowestMs) };
    },
  };
}

const waitUntilChanged = (one: ReplicatedGateway) =>
  waitUntil("the replica was probed", async () => one.changes.length > 0);

/**
 * The answer to a list, repeated until the replica gave it: on a machine that is busy testing it may lag for a while. The statements are
 * those of that answer.
 */
async function readFromReplica(send: () => Promise<ReplicatedAnswer>): Promise<ReplicatedAnswer> {
  for (const deadline = Date.now() + MAX_CATCH_UP_MS; ; await sleep(50)) {
    const before = await gateway.readsOf("replica");
    gateway.onPrimary.length = gateway.onReplica.length = 0;
    const answer = await send();
    if (isFailed(answer) || (await gateway.readsOf("replica")) > before) return answer;
    if (Date.now() > deadline) throw new Error(`The replica answered nothing in ${MAX_CATCH_UP_MS} ms.`);
  }
}

/** Each change is told once. */
const areAlternating = (changes: readonly ReplicaChange[]): boolean =>
  changes.every(({ isUsed }, index) => isUsed !== changes[index - 1]?.isUsed);

/** Lets the replica replay commits so much later than the primary made them. */
async function setDelay(delay: string): Promise<void> {
  const replica = openSession(servers.replica.adminUrl, { max: 1 });
  await replica.unsafe(`alter system set recovery_min_apply_delay = '${delay}'`);
  await replica`select pg_reload_conf()`;
  await replica.end();
}

let lastCustomer = 0;

async function createCustomer(on: ReplicatedGateway): Promise<string> {
  // Not by chance: digits of a random name can be those of a card number, which is masked.
  const name = `Customer ${++lastCustomer}`;
  const { body } = await on.sendGraphQL(CREATE, { input: { name, email: "kim@example.com", phone: "01012345678" } });
  expect(body.errors).toBeUndefined();
  return name;
}

async function newestNames(on: ReplicatedGateway): Promise<string[]> {
  const answer = await on.sendGraphQL(NAMES);
  expect(isFailed(answer)).toBe(false);
  return answer.body.data.customers.nodes.map(({ name }: { name: string }) => name);
}

/** Writes by each gateway in turn, each of which is read by both at once. Returns those that one of them did not show. */
async function findMissedWrites(writes: number): Promise<string[]> {
  const missed: string[] = [];
  for (let turn = 0; turn < writes; turn++) {
    const name = await createCustomer(turn % 2 === 0 ? gateway : other);
    const lists = await Promise.all([newestNames(gateway), newestNames(other)]);
    for (const [at, names] of lists.entries()) if (!names.includes(name)) missed.push(`write ${turn} by gateway ${at}`);
  }
  return missed;
}

/** All fields of a type that need no argument, down to a depth. */
function selectionOf(type: GraphQLObjectType, depth: number): string {
  const parts = Object.values(type.getFields())
    .filter(({ args }) => args.every((argument) => !isNonNullType(argument.type)))
    .flatMap((field) => {
      const below = getNamedType(field.type);
      if (isLeafType(below)) return [field.name];
      return depth > 0 && isObjectType(below) ? [`${field.name} { ${selectionOf(below, depth - 1)} }`] : [];
    });
  return [...parts, "__typename"].join(" ");
}

describe("a gateway with a read replica", () => {
  test("reads every list and all analytics there, and nothing but reads reaches it", async () => {
    const { body } = await gateway.sendGraphQL("{ childVendors(first: 1) { nodes { uuid } } }");
    const given = argumentsOf(String(body.data.childVendors.nodes[0].uuid));
    const query = buildGatewaySchema().getQueryType()!.getFields();
    const lists = Object.keys(querySides).filter((name) => querySides[name] === "LIST");
    const failed: unknown[] = [];
    for (const name of lists) {
      const type = getNamedType(query[name]!.type) as GraphQLObjectType;
      const document = `{ ${name}${given[name] ?? ""} { ${selectionOf(type, 2)} } }`;
      // At first graphql-js runs it, then it is compiled, and the database writes the text of its records.
      for (let turn = 0; turn < 3; turn++) {
        const answer = await readFromReplica(() => gateway.sendGraphQL(document));
        if (isFailed(answer)) failed.push(name, answer.body.errors);
        if (ofTheOperation(gateway.onPrimary).length > 0) failed.push(name, gateway.onPrimary);
        if (gateway.onReplica.length === 0) failed.push(`${name} is not read from the replica`);
        failed.push(...gateway.onReplica.filter((text) => !/^\s*(?:select|with)/i.test(text)));
      }
    }
    expect(failed).toEqual([]);
    expect(errorLines()).toEqual([]);
  });

  test("reads records without a list, rehearsals, and what only the primary may answer from the primary", async () => {
    const { body } = await gateway.sendGraphQL("{ subscriptions(first: 1) { nodes { databaseId } } }");
    const subscription = String(body.data.subscriptions.nodes[0].databaseId);
    const rehearsal = `previewSubscriptionCharge(subscriptionId: ${subscription}) { __typename }`;
    const documents = [
      "{ vendor { name } }",
      "{ order(id: 1) { code } }",
      "{ apiKeys(first: 1) { nodes { name } } }",
      `{ ${rehearsal} }`,
      `{ orders(first: 1) { nodes { code } } ${rehearsal} }`,
      "query Alone { vendor { name } } query Lists { orders(first: 1) { nodes { code } } }",
    ];
    for (const query of documents) {
      gateway.onReplica.length = 0;
      const operationName = query.startsWith("query") ? { operationName: "Alone" } : {};
      const answer = await gateway.sendGraphQL(query, {}, {}, operationName);
      expect({ query, errors: answer.body.errors, onReplica: gateway.onReplica }).toEqual({
        query,
        errors: undefined,
        onReplica: [],
      });
    }
    const beside = "{ vendor { name } orders(first: 1) { nodes { code } } }";
    expect(isFailed(await readFromReplica(() => gateway.sendGraphQL(beside)))).toBe(false);
    expect(ofTheOperation(gateway.onPrimary)).toEqual([]);
    expect(gateway.onReplica).not.toEqual([]);
  });

  test("reads REST lists from the replica, and a request with an idempotency key from the primary", async () => {
    expect(isFailed(await readFromReplica(() => gateway.sendRest("GET", "/orders?size=5")))).toBe(false);
    expect(gateway.onReplica).not.toEqual([]);
    gateway.onReplica.length = 0;
    const keyed = await gateway.sendGraphQL(PAGE, {}, { "idempotency-key": randomUUID() });
    const created = await gateway.sendRest("POST", "/cover/customer", customerBody());
    const single = await gateway.sendRest("GET", "/orders/1");
    expect([keyed, created, single].map(isFailed)).toEqual([false, false, false]);
    expect(gateway.onReplica).toEqual([]);
  });

  test("gives the primary the last word on a list that is refused", async () => {
    const refused = async () => {
      const { body } = await gateway.sendGraphQL(`{ orders(after: "nothing") { nodes { code } } }`);
      expect(body.errors[0].extensions.code).toBe("INVALID_ARGUMENT");
      return gateway.readsOf("repeated");
    };
    const before = await gateway.readsOf("repeated");
    await waitUntil("the replica refused a list", async () => (await refused()) > before);
  });

  test("misses no acknowledged write, through whichever gateway", async () => {
    const before = await other.readsOf("replica");
    const fromReplica = async () => (await other.readsOf("replica")) - before;
    const readers = startReaders();
    // Not because all of it was read from the primary.
    for (let round = 0; round < 10 && (await fromReplica()) < 50; round++)
      expect(await findMissedWrites(100)).toEqual([]);
    const { failures } = await readers.stop();
    expect(failures).toEqual([]);
    logMeasurement(`R-11: ${await fromReplica()} lists right behind a write were read from the replica`);
    expect(await fromReplica()).toBeGreaterThanOrEqual(50);
  });

  test("reads from the primary while the replica lags, and leaves it alone from five seconds on", async () => {
    gateway.changes.length = 0;
    await setDelay("60s");
    expect(await findMissedWrites(20)).toEqual([]);
    await Promise.all([gateway.waitUntilUsed(false), other.waitUntilUsed(false)]);
    const leftAlone = { isUsed: false, reason: "it lags five seconds or more" };
    expect(gateway.changes).toContainEqual(leftAlone);
    const metrics = await gateway.readMetrics();
    expect(metrics["recoup_replica_lag_seconds"]).toBeGreaterThanOrEqual(5);
    expect(metrics["recoup_replica_used"]).toBe(0);
    const onReplica = await gateway.readsOf("replica");
    expect(await findMissedWrites(20)).toEqual([]);
    expect(await gateway.readsOf("replica")).toBe(onReplica);
    expect(await gateway.isReady()).toBe(true);
    await setDelay("0");
    await Promise.all([gateway.waitUntilUsed(), other.waitUntilUsed()]);
    expect(areAlternating(gateway.changes)).toBe(true);
    const { recoup_replica_lag_seconds: lag, recoup_replica_used: used } = await gateway.readMetrics();
    expect(lag).toBeLessThan(5);
    expect(used).toBe(1);
  });

  test(
    "fails no request when the replica is killed under load, and reads from it again when it is back",
    async () => {
      for (let round = 0; round < times; round++) {
        gateway.changes.length = 0;
        const readers = startReaders();
        await readers.waitForMore(50);
        await servers.replica.kill();
        await gateway.waitUntilUsed(false);
        await readers.waitForMore(50);
        expect(await findMissedWrites(5)).toEqual([]);
        await servers.replica.start();
        await gateway.waitUntilUsed();
        await readers.waitForMore(50);
        const { count, failures, slowestMs } = await readers.stop();
        logMeasurement(`R-11 kill -9: ${count} reads, ${failures.length} failed, slowest ${slowestMs} ms`);
        expect(failures).toEqual([]);
        expect(gateway.changes).toContainEqual({
          isUsed: false,
          reason: expect.stringMatching(/^it does not answer/) as string,
        });
        expect(areAlternating(gateway.changes)).toBe(true);
        expect(slowestMs).toBeLessThan(MAX_HANG_MS);
        await other.waitUntilUsed();
      }
    },
    timeLimitMs(times),
  );

  test(
    "fails no request when statements on the replica are cancelled for what it replays",
    async () => {
      const primary = openSession(servers.primary.url);
      const before = await gateway.readsOf("repeated");
      const readers = startReaders();
      // A table that is locked on the primary is locked on the replica too, where readers of it must go at once.
      while ((await gateway.readsOf("repeated")) < before + times)
        await primary.begin(async (transaction) => {
          await transaction`lock table customers, order_items in access exclusive mode`;
        });
      const { failures } = await readers.stop();
      expect(failures).toEqual([]);
      expect(errorLines()).toEqual([]);
    },
    timeLimitMs(times),
  );

  test(
    "fails no request when the replica hangs, and none waits for long",
    async () => {
      const proxy = await HangingProxy.start(servers.replica.port);
      const hanging = await ReplicatedGateway.start(servers.primary.url, servers.replica.urlAt(proxy.port));
      await hanging.waitUntilUsed();
      for (let round = 0; round < times; round++) {
        const readers = startReaders(hanging);
        await readers.waitForMore(50);
        proxy.hang();
        await hanging.waitUntilUsed(false);
        await readers.waitForMore(50);
        proxy.resume();
        await hanging.waitUntilUsed();
        const { count, failures, slowestMs } = await readers.stop();
        logMeasurement(`R-11 hang: ${count} reads, ${failures.length} failed, slowest ${slowestMs} ms`);
        expect(failures).toEqual([]);
        expect(slowestMs).toBeLessThan(MAX_HANG_MS);
      }
      proxy.hang();
      await hanging.close();
    },
    timeLimitMs(times),
  );

  test("is set up by its environment, says in log and metrics where it reads, and stays ready without the replica", async () => {
    await buildOnce();
    const settings = {
      DATABASE_URL: servers.primary.url,
      DATABASE_REPLICA_URL: servers.replica.url,
      METRICS_PORT: "0",
    };
    const process = await GatewayProcess.start(settings);
    const prints = (text: string) => waitUntil(`it printed ${text}`, async () => process.output.includes(text));
    await prints('"msg":"reads go to the replica"');
    const headers = { "secret-token": TOKEN };
    const metricsPort = /"port":(\d+),"msg":"metrics can be read"/.exec(process.output)![1]!;
    let metrics = "";
    await waitUntil("it read from the replica", async () => {
      expect((await fetch(`${process.address}/api/v1/orders?size=1`, { headers })).status).toBe(200);
      metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return /^recoup_reads_total[{]side="replica"[}] [1-9]/m.test(metrics);
    });
    expect(metrics).toMatch(/^recoup_replica_used 1$/m);
    expect(metrics).toMatch(/^recoup_replica_lag_seconds \d/m);
    await servers.replica.kill();
    await prints('"msg":"the replica is left alone; reads go to the primary"');
    expect((await fetch(`${process.address}/readyz`)).status).toBe(200);
    expect((await fetch(`${process.address}/api/v1/orders?size=1`, { headers })).status).toBe(200);
    await servers.replica.start();
    expect(await process.stop()).toBe(0);
    await Promise.all([gateway.waitUntilUsed(), other.waitUntilUsed()]);
  });

  test("never reads from a server that is no standby of its database", async () => {
    const { primary, replica } = servers;
    const onPrimary = await ReplicatedGateway.start(primary.url, primary.url);
    await waitUntilChanged(onPrimary);
    expect(onPrimary.changes).toEqual([{ isUsed: false, reason: "it is not a standby" }]);
    const onTemplate = await ReplicatedGateway.start(primary.url, replica.url.replace(/shop$/, "postgres"));
    await waitUntilChanged(onTemplate);
    expect(onTemplate.changes).toEqual([{ isUsed: false, reason: "its address names another database" }]);
    expect(isFailed(await onTemplate.sendGraphQL(PAGE))).toBe(false);

    gateway.changes.length = 0;
    await replica.promote();
    const isRefused = async () => gateway.changes.some((one) => !one.isUsed && one.reason === "it is not a standby");
    await waitUntil("the promoted server was refused", isRefused);
    expect(await findMissedWrites(5)).toEqual([]);
    expect(errorLines()).toEqual([]);
  });
});
