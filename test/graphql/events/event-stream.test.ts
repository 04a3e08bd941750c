import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "graphql-sse";
import { describe, expect, test } from "vitest";
import { EventRepository } from "../../../src/events/event.repository.ts";
import { createServices } from "../../../src/graphql/services.ts";
import type { EventType } from "../../../schema/vocabulary.ts";
import { EventStreamReader, listenToGraphQL, numbersOf, STREAM } from "../../support/event-stream-reader.ts";
import { createEventNumbering, numberEvents } from "../../support/number-events.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

const LIMITS = { perKey: 3, perVendor: 4, perProcess: 60, checkIntervalMs: 200, maxStallMs: 2_000 };
const gateway = await startGateway({ streamLimits: LIMITS });
const url = await listenToGraphQL(gateway);

/** Records events of a vendor and numbers them. */
async function addEvents(vendor: TestVendor, count: number, type: EventType = "ORDER_CHANGED", padding = 0) {
  const occurredAt = gateway.clock.now();
  const facts = { reason: "x".repeat(padding) };
  const event = { type, subject: "ORDER", subjectId: 1, orderId: 1, trigger: "sendDelivery", actor: "SYSTEM" } as const;
  await gateway.database.transaction((handle) =>
    new EventRepository(handle).insertEvents(
      vendor.id,
      Array.from({ length: count }, () => ({ ...event, facts, occurredAt })),
    ),
  );
  await numberEvents(gateway);
}

/** Opens a stream, and waits until it follows the vendor. */
async function openStream(vendor: TestVendor, request: Partial<Parameters<typeof EventStreamReader.open>[1]> = {}) {
  const stream = await EventStreamReader.open(url, { token: vendor.token, ...request });
  if (stream.response.status === 200) await stream.nextBlock();
  return stream;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const cursorOf = async (vendor: TestVendor, number: number): Promise<string> => {
  const { events } = await gateway.queryRawData("{ events(first: 100) { nodes { databaseId cursor } } }", {}, vendor);
  return events.nodes.find(({ databaseId }: { databaseId: number }) => databaseId === number).cursor;
};

describe("a stream of events", () => {
  test("sends each new event with its cursor as the id, and is text/event-stream that no proxy collects", async () => {
    const vendor = await gateway.openVendor();
    await addEvents(vendor, 2);
    const stream = await EventStreamReader.open(url, { token: vendor.token });
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    expect(await stream.nextBlock()).toEqual({ retry: "2000", id: await cursorOf(vendor, 2) });
    await addEvents(vendor, 2);
    const [first, second] = await stream.nextMessages(2);
    const cursor = await cursorOf(vendor, 3);
    expect(first).toEqual({
      id: cursor,
      event: "next",
      data: {
        data: {
          events: { databaseId: 3, cursor, type: "ORDER_CHANGED", data: expect.objectContaining({ orderId: 1 }) },
        },
      },
    });
    expect(numbersOf([second!])).toEqual([4]);
  });

  test("goes on after `after`, and after Last-Event-ID in its place, by POST and by GET", async () => {
    const vendor = await gateway.openVendor();
    await addEvents(vendor, 6);
    const query = `subscription From($after: String) { events(after: $after) { databaseId } }`;
    const variables = { after: await cursorOf(vendor, 2) };
    for (const method of ["POST", "GET"] as const) {
      const stream = await openStream(vendor, { query, variables, method });
      expect(numbersOf(await stream.nextMessages(4))).toEqual([3, 4, 5, 6]);
      const headers = { "last-event-id": await cursorOf(vendor, 4) };
      const again = await openStream(vendor, { query, variables, method, headers });
      expect(numbersOf(await again.nextMessages(2))).toEqual([5, 6]);
      stream.close();
      again.close();
    }
  });

  test("begins before the first event when it was opened before there was one, however often it is opened again", async () => {
    const vendor = await gateway.openVendor();
    const stream = await EventStreamReader.open(url, { token: vendor.token });
    const id = (await stream.nextBlock())!.id!;
    stream.close();
    await addEvents(vendor, 2);
    const again = await openStream(vendor, { headers: { "last-event-id": id } });
    expect(numbersOf(await again.nextMessages(2))).toEqual([1, 2]);
    const { events } = await gateway.queryRawData(
      `{ events(after: "${id}") { totalCount nodes { databaseId } } }`,
      {},
      vendor,
    );
    expect(events.nodes).toEqual([{ databaseId: 1 }, { databaseId: 2 }]);
  });

  test("reads a long backlog page by page and then new events, in order and without gaps, of all types or of some", async () => {
    const vendor = await gateway.openVendor();
    await addEvents(vendor, 1);
    const headers = { "last-event-id": await cursorOf(vendor, 1) };
    for (let batch = 0; batch < 5; batch++) {
      await addEvents(vendor, 69);
      await addEvents(vendor, 1, "ORDER_CREATED");
    }
    const all = await openStream(vendor, { headers });
    const some = await openStream(vendor, {
      headers,
      query: `subscription { events(types: [ORDER_CREATED]) { databaseId } }`,
    });
    expect(numbersOf(await all.nextMessages(350))).toEqual(range(2, 351));
    expect(numbersOf(await some.nextMessages(5))).toEqual([71, 141, 211, 281, 351]);
    await addEvents(vendor, 2);
    await addEvents(vendor, 1, "ORDER_CREATED");
    expect(numbersOf(await all.nextMessages(3))).toEqual([352, 353, 354]);
    expect(numbersOf(await some.nextMessages(1))).toEqual([354]);
  });

  test("misses nothing while events are recorded and numbered beside it", async () => {
    const vendor = await gateway.openVendor();
    await addEvents(vendor, 1);
    const stream = await openStream(vendor, { headers: { "last-event-id": await cursorOf(vendor, 1) } });
    const reading = stream.nextMessages(600);
    const numbering = createEventNumbering(gateway);
    numbering.start();
    await Promise.all(
      range(1, 4).map(async () => {
        for (let batch = 0; batch < 10; batch++) await addEvents(vendor, 15);
      }),
    );
    expect(numbersOf(await reading)).toEqual(range(2, 601));
    await numbering.stop();
  });

  test("has the events of the caller's vendor only", async () => {
    const [one, other] = [await gateway.openVendor(), await gateway.openVendor()];
    await addEvents(one, 3);
    const [ofOne, ofOther] = [await openStream(one), await openStream(other)];
    // The cursor of another vendor is a number, which has a meaning at each vendor.
    const withForeignCursor = await openStream(other, { headers: { "last-event-id": await cursorOf(one, 3) } });
    await addEvents(one, 2);
    await addEvents(other, 4, "ORDER_CREATED");
    expect(numbersOf(await ofOne.nextMessages(2))).toEqual([4, 5]);
    const messages = await ofOther.nextMessages(4);
    expect(messages.map(({ data }) => data.data.events.type)).toEqual(Array(4).fill("ORDER_CREATED"));
    expect(numbersOf(await withForeignCursor.nextMessages(1))).toEqual([4]);
  });

  test("sends comments while nothing is new", async () => {
    const stream = await openStream(await gateway.openVendor());
    expect(await stream.nextBlock()).toEqual({ comment: "" });
    const began = performance.now();
    expect(await stream.nextBlock()).toEqual({ comment: "" });
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 30_000);
});

describe("the client of graphql-sse", () => {
  test("gets events, and goes on after the last one when the connection breaks", async () => {
    const vendor = await gateway.openVendor();
    await addEvents(vendor, 1);
    let lastCursor = await cursorOf(vendor, 1);
    let connections = 0;
    const client = createClient({
      url,
      headers: () => {
        connections++;
        return { "secret-token": vendor.token, "last-event-id": lastCursor };
      },
      retry: () => wait(50),
    });
    const numbers: number[] = [];
    const done = new Promise<void>((resolve, reject) => {
      client.subscribe<{ events: { databaseId: number; cursor: string } }>(
        { query: `subscription ${STREAM}` },
        {
          next: ({ data }) => {
            numbers.push(data!.events.databaseId);
            lastCursor = data!.events.cursor;
            if (data!.events.databaseId === 7) resolve();
          },
          error: reject,
          complete: () => undefined,
        },
      );
    });
    await addEvents(vendor, 3);
    await expect.poll(() => numbers).toEqual([2, 3, 4]);
    gateway.gateway.server.server.closeAllConnections();
    await addEvents(vendor, 3);
    await done;
    expect(numbers).toEqual(range(2, 7));
    expect(connections).toBeGreaterThan(1);
    client.dispose();
  });

  test.each([
    ["{ nothing }", "GRAPHQL_VALIDATION_FAILED", "nothing"],
    ["subscription { events { databaseId } other: events { type } }", "GRAPHQL_VALIDATION_FAILED", undefined],
    ["subscription {", "GRAPHQL_PARSE_FAILED", undefined],
    ["mutation { advanceTestClock(input: { by: P1D }) { now } }", "INVALID_ARGUMENT", undefined],
    ["query { vendor { name } }", "BAD_REQUEST", "query"],
    ['subscription { events(after: "nothing") { databaseId } }', "INVALID_ARGUMENT", "after"],
    ["subscription { events(types: [NOTHING]) { databaseId } }", "INVALID_ARGUMENT", "types[0]"],
    [
      `subscription { events { ${range(1, 31)
        .map((i) => `a${i}: databaseId`)
        .join(" ")} } }`,
      "TOO_MANY_ALIASES",
      "query",
    ],
    [`subscription { events { ${"type ".repeat(2_000)} } }`, "QUERY_TOO_LONG", "query"],
  ])("gets the code and the field when %s is refused", async (query, code, path) => {
    const client = createClient({ url, headers: { "secret-token": gateway.vendor.token }, retryAttempts: 0 });
    const results = [];
    for await (const result of client.iterate({ query })) results.push(result);
    expect(results).toMatchObject([{ errors: [{ extensions: { code, traceId: expect.any(String) } }] }]);
    if (path) expect(JSON.stringify(results)).toContain(`"path":"${path}`);
  });

  test("gets the status 400 and a code for a document that is too long to be read", async () => {
    const client = createClient({ url, headers: { "secret-token": gateway.vendor.token }, retryAttempts: 0 });
    const query = `subscription { events { ${"databaseId ".repeat(10_000)} } }`;
    const failure: unknown = await client
      .iterate({ query })
      .next()
      .catch((error: unknown) => error);
    const { response } = failure as { response?: Response };
    expect(response?.status).toBe(400);
    expect(await response?.text()).toContain('"code":"QUERY_TOO_LONG"');
  });
});

describe("limits of streams", () => {
  test("refuse a stream too many of a key and of a vendor, and allow it when another one was closed", async () => {
    const vendor = await gateway.openVendor();
    const streams = await Promise.all(range(1, 3).map(() => openStream(vendor)));
    const refused = await EventStreamReader.open(url, { token: vendor.token });
    expect([refused.response.status, refused.response.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(refused.response.headers.get("content-type")).toContain("application/json");
    const { token } = await gateway.database.transaction((handle) =>
      createServices(handle, gateway.clock.now()).apiKeys.create(vendor.id, "second", false),
    );
    const ofSecondKey = { id: vendor.id, token };
    streams.push(await openStream(ofSecondKey));
    const again = await EventStreamReader.open(url, { token });
    expect(again.response.status).toBe(429);
    for (const stream of streams) stream.close();
    await expect.poll(async () => (await openStream(vendor)).response.status).toBe(200);
    expect((await openStream(await gateway.openVendor())).response.status).toBe(200);
  });

  test("do not count refused documents, and streams occupy no slot of requests", async () => {
    const vendor = await gateway.openVendor();
    for (let attempt = 0; attempt < 6; attempt++) {
      const stream = await EventStreamReader.open(url, { token: vendor.token, query: "subscription { nothing }" });
      expect((await stream.readToEnd()).at(-1)).toMatchObject({ event: "complete" });
    }
    expect((await openStream(vendor)).response.status).toBe(200);
  });

  test("cost the same statements for many streams as for one while nothing is new", async () => {
    const vendors = await Promise.all(range(1, 8).map(() => gateway.openVendor()));
    await Promise.all(vendors.flatMap((vendor) => [openStream(vendor), openStream(vendor)]));
    await wait(500);
    gateway.statements.length = 0;
    await wait(2_000);
    const texts = gateway.statements.map(({ text }) => text);
    // Four polls and five checks of keys in a second, for all streams.
    expect(texts.length).toBeLessThanOrEqual(20);
    expect(new Set(texts).size).toBe(2);
  });

  test("let a reader that takes nothing hold some messages only, and disconnect it", async () => {
    const vendor = await gateway.openVendor();
    await addEvents(vendor, 1);
    const after = await cursorOf(vendor, 1);
    for (let batch = 0; batch < 20; batch++) await addEvents(vendor, 400, "ORDER_CHANGED", 4_000);
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1").pause();
    let isClosed = false;
    socket.once("close", () => (isClosed = true)).on("error", () => undefined);
    const body = JSON.stringify({ query: `subscription ${STREAM}` });
    gateway.statements.length = 0;
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nsecret-token: ${vendor.token}\r\nlast-event-id: ${after}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const pages = () => gateway.statements.filter(({ text }) => text.includes("any($3::bigint[])")).length;
    await expect.poll(pages).toBeGreaterThan(0);
    // The system's buffers are full when no page is read any more.
    let before = -1;
    const hasStopped = () => before === (before = pages());
    await expect.poll(hasStopped, { timeout: 40_000, interval: 4_000 }).toBe(true);
    // 32 MB of events wait in the log, in 80 pages.
    expect(pages()).toBeLessThan(40);
    socket.resume();
    await expect.poll(() => isClosed, { timeout: 20_000 }).toBe(true);
  }, 90_000);
});

describe("an open stream ends", () => {
  const lastOf = async (stream: EventStreamReader) =>
    (await stream.readToEnd())
      .filter(({ event }) => event)
      .map(({ event, data }) => [event, data?.errors?.[0].extensions.code]);

  test("with TOKEN_INVALID when its key is revoked, and another key's stream goes on", async () => {
    const vendor = await gateway.openVendor();
    const { token, key } = await gateway.database.transaction((handle) =>
      createServices(handle, gateway.clock.now()).apiKeys.create(vendor.id, "second", false),
    );
    const stays = await openStream(vendor);
    const ends = await openStream({ id: vendor.id, token });
    await gateway.database.transaction((handle) =>
      createServices(handle, gateway.clock.now()).apiKeys.revoke(vendor.id, key.id),
    );
    expect(await lastOf(ends)).toEqual([
      ["next", "TOKEN_INVALID"],
      ["complete", undefined],
    ]);
    await addEvents(vendor, 1);
    expect(await stays.nextMessages(1)).toHaveLength(1);
  });

  test("with VENDOR_DISABLED when its vendor is disabled", async () => {
    const vendor = await gateway.openVendor();
    const stream = await openStream(vendor);
    await gateway.database.handle.execute(`update vendors set enabled = false where id = ${vendor.id}`);
    expect(await lastOf(stream)).toEqual([
      ["next", "VENDOR_DISABLED"],
      ["complete", undefined],
    ]);
  });

  test("without completion, and with a time to connect again, when the gateway stops", async () => {
    const other = await startGateway();
    const address = await listenToGraphQL(other);
    const stream = await EventStreamReader.open(address, { token: other.vendor.token });
    await stream.nextBlock();
    const closing = other.gateway.close();
    const rest = await stream.readToEnd();
    expect(rest.filter(({ event }) => event)).toEqual([]);
    expect(rest.at(-1)).toEqual({ retry: "1000" });
    await closing;
  });
});

describe("a subscription", () => {
  test("is refused with a hint when it is sent as a request for JSON", async () => {
    const { status, errors } = await gateway.sendRawGraphQL("subscription { events { databaseId } }");
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      { message: expect.stringContaining("text/event-stream"), extensions: { code: "BAD_REQUEST" } },
    ]);
  });

  test("is refused without a token, and with a wrong one", async () => {
    for (const token of ["", "wrong"]) {
      const { response } = await EventStreamReader.open(url, { token });
      expect(response.status).toBe(403);
      expect(await response.text().catch(() => "")).toBeDefined();
    }
  });
});
