import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "graphql-sse";
import { beforeAll, expect, test } from "vitest";
import { EventRepository } from "../../src/events/event.repository.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { startGateway } from "../support/test-gateway.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";

/* A stream goes on exactly after the last event that its client has, however often gateways are killed. */

const BATCH = 20;
const kills = roundCount(3, 20);

const gateway = await startGateway();
beforeAll(buildOnce);

test(
  `a client of streams gets each event once and in order when gateways are killed ${kills} times`,
  async () => {
    const { vendor, database } = gateway;
    const launch = () => GatewayProcess.start({ DATABASE_URL: gateway.databaseUrl, DEMO_DATA: "false", ROLE: "both" });
    let running = await launch();
    const numbers: number[] = [];
    let cursor: string | undefined;
    let connections = 0;
    const client = createClient({
      url: () => `${running.address}/graphql`,
      headers: () => {
        connections++;
        return { "secret-token": vendor.token, ...(cursor && { "last-event-id": cursor }) };
      },
      retryAttempts: Infinity,
      retry: () => wait(100),
    });
    let failure: unknown;
    const isOpen = new Promise<void>((resolve) => {
      client.subscribe<{ events: { databaseId: number; cursor: string } }>(
        { query: "subscription { events { databaseId cursor } }" },
        {
          next: ({ data, errors }) => {
            failure ??= errors?.[0];
            numbers.push(data!.events.databaseId);
            cursor = data!.events.cursor;
          },
          error: (error) => (failure = error),
          complete: () => undefined,
        },
        { connected: () => resolve() },
      );
    });
    await isOpen;
    const addEvents = () =>
      database.transaction((handle) =>
        new EventRepository(handle).insertEvents(
          vendor.id,
          Array.from({ length: BATCH }, (_, order) => ({
            ...{ type: "ORDER_CHANGED", subject: "COVER_ORDER", subjectId: order + 1, trigger: "ORDER_UPDATED" },
            ...{ coverOrderId: order + 1, actor: "SYSTEM", occurredAt: new Date() },
          })),
        ),
      );
    let batches = 0;
    const stopping = new AbortController();
    const writing = (async () => {
      for (; !stopping.signal.aborted; batches++) {
        await addEvents();
        await wait(50);
      }
    })();
    for (let killed = 0; killed < kills; killed++) {
      const known = numbers.length;
      await expect.poll(() => numbers.length, { timeout: 30_000 }).toBeGreaterThan(known + BATCH);
      await running.kill();
      running = await launch();
    }
    stopping.abort();
    await writing;
    const first = numbers[0]!;
    const last = async () => {
      const [row] = await queryRows<{ last: number; open: number }>(
        gateway,
        `select last_number::int as last, (select count(*)::int from unnumbered_events) as open
          from event_sequences where vendor_id = ${vendor.id}`,
      );
      return row!.open === 0 ? row!.last : -1;
    };
    await expect.poll(async () => numbers.at(-1) === (await last()), { timeout: 60_000, interval: 200 }).toBe(true);
    expect(failure).toBeUndefined();
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => first + index));
    logMeasurement(`streams: ${batches * BATCH} events, ${kills} kills, ${connections} connections`);
    client.dispose();
  },
  timeLimitMs(kills),
);
