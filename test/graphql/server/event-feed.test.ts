import { beforeAll, describe, expect, test } from "vitest";
import { EventType } from "../../../schema/vocabulary.ts";
import { eventTypes } from "../../../src/events/event.catalogue.ts";
import { eventExamples, toExampleEvent } from "../../../src/events/event.examples.ts";
import { toEventMessage, toWireName } from "../../../src/events/event.message.ts";
import { coverEventTypes } from "../../../src/recovery/covers/cover-timeline.catalogue.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../../support/cover-mutations.ts";
import { numberEvents } from "../../support/number-events.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });
let orderId: number;

beforeAll(async () => {
  const shop = await createCoverFixture(gateway);
  orderId = (await createCoverOrder(gateway, shop, { paymentFailed: true })).databaseId;
  await numberEvents(gateway);
});

/** An event as the tests read it. */
interface FeedNode {
  databaseId: number;
  messageId: string;
  name: string;
  occurredAt: string;
  data: { coverOrderId?: number };
}

const readFeed = async (args: string, vendor = gateway.vendor) => {
  const { events } = await gateway.queryRawData(
    `{ events${args} { nodes { id databaseId messageId type name occurredAt data } pageInfo { endCursor hasNextPage } totalCount } }`,
    {},
    vendor,
  );
  return events;
};

describe("the feed", () => {
  test("has each event by its number, with the ids, states and facts that a receiver needs", async () => {
    const { nodes, totalCount } = await readFeed("(types: [COVER_STARTED])");
    expect([nodes, totalCount]).toEqual([
      [
        {
          id: expect.any(String),
          databaseId: expect.any(Number),
          messageId: expect.stringMatching(/^event_\d+$/),
          type: "COVER_STARTED",
          name: "cover.started",
          occurredAt: "2026-03-01T09:30:00.000Z",
          data: {
            ...{
              subject: "COVER",
              coverId: expect.any(Number),
              coverOrderId: orderId,
              coverSubscriptionId: expect.anything(),
            },
            ...{
              change: "RECOVERY_STARTED",
              statusBefore: null,
              statusAfter: "IN_PROGRESS",
              actor: "SYSTEM",
              author: { kind: "KEY", keyId: expect.any(Number) },
              reason: null,
            },
            ...{ amount: expect.stringMatching(/^\d+$/), currency: "KRW" },
            facts: { retryDate: expect.any(String), reasonClass: expect.any(String) },
          },
        },
      ],
      1,
    ]);
  });

  test("has the numbers 1, 2, 3 … and goes on after a cursor with what was committed meanwhile", async () => {
    const before = await readFeed("(first: 100)");
    const numbers: number[] = before.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(await readFeed(`(after: "${before.pageInfo.endCursor}")`)).toMatchObject({
      nodes: [],
      pageInfo: { endCursor: null, hasNextPage: false },
    });
    await runMutation(gateway, "reportCoverOrderPaid", { orderId });
    expect((await readFeed(`(after: "${before.pageInfo.endCursor}")`)).nodes).toEqual([]);
    await numberEvents(gateway);
    const after = await readFeed(`(after: "${before.pageInfo.endCursor}")`);
    expect(after.nodes.map(({ databaseId, name }: FeedNode) => [databaseId, name])).toEqual([
      [numbers.length + 1, "order.paid"],
      [numbers.length + 2, "cover.recovered"],
    ]);
  });

  test("of another vendor is its own", async () => {
    const stranger = await gateway.openVendor();
    await numberEvents(gateway);
    const { nodes } = await readFeed("(first: 100)", stranger);
    expect(nodes.map(({ data }: FeedNode) => data.coverOrderId).filter(Boolean)).toEqual([]);
  });

  test("costs the same number of statements for a page of any length", async () => {
    const count = async (first: number) => {
      gateway.statements.length = 0;
      await readFeed(`(first: ${first})`);
      return gateway.statements.filter(({ text }) => /event_/.test(text)).length;
    };
    expect(await count(1)).toBe(await count(5));
  });

  test("is read over REST after a position, by type, with the same messages", async () => {
    const feed = await readFeed("(first: 2)");
    const first = await gateway.sendRawRest("GET", "/events?first=2");
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      events: feed.nodes.map(({ databaseId, messageId, name, occurredAt, data }: FeedNode) => ({
        ...{ number: databaseId, id: messageId, type: name, timestamp: occurredAt, data },
      })),
      position: { after: feed.pageInfo.endCursor, hasMore: true },
    });
    const next = await gateway.sendRawRest("GET", `/events?after=${first.body.position.after}&first=100`);
    expect(next.body.events[0].number).toBe(3);
    expect(next.body.position.hasMore).toBe(false);
    const started = await gateway.sendRawRest("GET", "/events?types=COVER_STARTED");
    expect(started.body.events.map(({ type }: { type: string }) => type)).toEqual(["cover.started"]);
    const several = await gateway.sendRawRest("GET", "/events?types=COVER_STARTED,%20COVER_RECOVERED");
    expect(several.body.events.map(({ type }: { type: string }) => type)).toEqual(["cover.started", "cover.recovered"]);
  });

  test.each([
    ["after=nothing", "after"],
    ["first=0", "first"],
    ["first=101", "first"],
    ["types=NOTHING", "types"],
    ["types=COVER_STARTED,NOTHING", "types"],
  ])("refuses ?%s over REST, and names the field", async (query, path) => {
    const answer = await gateway.sendRawRest("GET", `/events?${query}`);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.details)).toContain(path);
  });
});

describe("the messages of events", () => {
  const rules = Object.values(eventTypes).flatMap((rule) =>
    typeof rule === "string" ? [rule] : [...Object.values(rule.is), rule.otherwise],
  );

  test("have an example for each type that is recorded, of a trigger of the type", () => {
    const recorded = new Set<string>([...rules, ...Object.values(coverEventTypes)]);
    const missing = [...recorded].filter((type) => !(type in eventExamples));
    expect({
      "Add an example in src/events/event.examples.ts": missing,
    }).toEqual({
      "Add an example in src/events/event.examples.ts": [],
    });
  });

  test.each(Object.entries(eventExamples))("of the type %s show nothing but public facts", (type, example) => {
    const message = toEventMessage(toExampleEvent(type as EventType, example));
    expect(message).toMatchObject({ type: toWireName(type as EventType), timestamp: "2026-03-01T00:00:00.000Z" });
    expect(
      JSON.stringify(toEventMessage({ ...toExampleEvent(type as EventType, example), facts: { token: "secret" } })),
    ).not.toContain("secret");
  });

  test("have types with one point", () => {
    const names = (Object.keys(EventType) as EventType[]).map(toWireName);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(toWireName("PAYMENT_METHOD_ADDED")).toBe("payment_method.added");
    expect(toWireName("PRICE_PLAN_CREATED")).toBe("price_plan.created");
  });
});
