import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { EventPartitionRepository } from "../../src/events/event-partition.repository.ts";
import { EventPartitionService } from "../../src/events/event-partition.service.ts";
import { EventRepository } from "../../src/events/event.repository.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { createEventNumbering } from "../support/number-events.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";

/* Events get their numbers 1, 2, 3 … once, in the order of each subject, whatever happens to writers and workers. */

const events = roundCount(1_000, 10_000);
const kills = roundCount(4, 20);
const [ORDERS, WRITERS, WORKERS, PAUSE_MS] = [40, 8, 2, 700];

const gateway = await startGateway();
const { database } = gateway;

const insertEvents = (vendorId: number, subjectId: number, from: number, until: number): Promise<void> =>
  database.transaction(async (handle) => {
    // As the lock of a subject's row does.
    await handle.execute(`select pg_advisory_xact_lock(${subjectId})`);
    const values = Array.from({ length: until - from }, (_, index) => ({
      ...{ type: "ORDER_CHANGED" as const, subject: "COVER_ORDER" as const, subjectId, trigger: "ORDER_UPDATED" },
      ...{ coverOrderId: subjectId, actor: "SYSTEM" as const, facts: { step: from + index }, occurredAt: new Date() },
    }));
    await new EventRepository(handle).insertEvents(vendorId, values);
  });

const numbering = () => createEventNumbering(gateway);

/** The vendor's events by number, and what is wrong with their numbers. */
async function expectOneNumberEach(vendorId: number): Promise<number> {
  const [counts] = await queryRows<{
    logged: number;
    numbered: number;
    last: number;
    distinct: number;
    waiting: number;
  }>(
    gateway,
    `select (select count(*)::int from event_log where vendor_id = ${vendorId}) as logged, count(*)::int as numbered,
      max(number)::int as last, count(distinct event_id)::int as distinct,
      (select count(*)::int from unnumbered_events where vendor_id = ${vendorId}) as waiting
      from event_numbers where vendor_id = ${vendorId}`,
  );
  const { logged } = counts!;
  expect(counts).toEqual({ logged, numbered: logged, last: logged, distinct: logged, waiting: 0 });
  const disordered = await queryRows(
    gateway,
    `select * from (select n.number, n.event_id, lag(n.event_id) over (partition by l.subject, l.subject_id order by n.number) as before
      from event_numbers n join event_log l on (l.vendor_id, l.id) = (n.vendor_id, n.event_id) where n.vendor_id = ${vendorId}) x
      where event_id < before`,
  );
  expect(disordered).toEqual([]);
  return logged;
}

describe("the sequencer", () => {
  test("leaves out events of open transactions, and gives them later numbers", async () => {
    const { id } = await gateway.openVendor();
    await insertEvents(id, 1, 0, 2);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = database.transaction(async (handle) => {
      await handle.execute(`insert into event_log (vendor_id, type, subject, subject_id, trigger, actor, occurred_at)
        values (${id}, 'ORDER_PAID', 'COVER_ORDER', 2, 'ORDER_PAID', 'SYSTEM', now())`);
      await handle.execute(`insert into unnumbered_events select vendor_id, id, recorded_at, type from event_log
        where vendor_id = ${id} and subject_id = 2`);
      await released;
    });
    await wait(200);
    await insertEvents(id, 3, 0, 2);
    await numbering().runTurn();
    const numbers = () =>
      queryRows<{ subject: number }>(
        gateway,
        `select l.subject_id::int as subject from event_numbers n join event_log l on (l.vendor_id, l.id) = (n.vendor_id, n.event_id)
          where n.vendor_id = ${id} and l.subject = 'COVER_ORDER' order by n.number`,
      ).then((rows) => rows.map(({ subject }) => subject));
    expect(await numbers()).toEqual([1, 1, 3, 3]);
    release();
    await held;
    await numbering().runTurn();
    expect(await numbers()).toEqual([1, 1, 3, 3, 2]);
    await expectOneNumberEach(id);
  });

  test("numbers each event once when several workers number while others write", async () => {
    const { id } = await gateway.openVendor();
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let step = 0; step < 40; step++) await insertEvents(id, 1 + ((writer + step) % 5), step * 3, step * 3 + 3);
      }),
    );
    const stopping = new AbortController();
    const sequencers = Array.from({ length: 3 }, async () => {
      while (!stopping.signal.aborted) await numbering().runTurn();
    });
    await writing;
    stopping.abort();
    await Promise.all(sequencers);
    while ((await numbering().runTurn()) > 0);
    expect(await expectOneNumberEach(id)).toBe(WRITERS * 40 * 3);
  });

  test("numbers the events of a disabled vendor", async () => {
    const { id } = await gateway.openVendor();
    await insertEvents(id, 1, 0, 1);
    await queryRows(gateway, `update vendors set enabled = false where id = ${id} returning id`);
    await numbering().runTurn();
    expect(await expectOneNumberEach(id)).toBeGreaterThan(0);
  });
});

describe("when workers and gateways are killed", () => {
  beforeAll(buildOnce);

  test(
    `${kills} times while ${events} events are under way, each event is numbered once, in the order of its subject`,
    async () => {
      const vendor = await gateway.openVendor();
      const settings = {
        DATABASE_URL: gateway.databaseUrl,
        SECRETS_KEY: SECRETS_KEY.toString("base64"),
        DEMO_DATA: "false",
      };
      const launch = () => GatewayProcess.launch({ ...settings, ROLE: "both" });
      const processes = Array.from({ length: WORKERS }, launch);
      const started = Date.now();
      let [written, killed] = [0, 0];
      const writing = Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let step = 0; written < events; step++) {
            written += 5;
            await insertEvents(vendor.id, 1 + ((writer * 7 + step) % ORDERS), step * 5, step * 5 + 5);
            await wait((kills * PAUSE_MS * WRITERS * 5) / events);
          }
        }),
      );
      for (; killed < kills; killed++) {
        await wait(PAUSE_MS + (killed === 0 ? 1_500 : 0));
        await processes[killed % WORKERS]!.kill();
        processes[killed % WORKERS] = launch();
      }
      await writing;
      for (let tries = 0; tries < 120; tries++) {
        const open = await queryRows(gateway, `select from unnumbered_events where vendor_id = ${vendor.id} limit 1`);
        if (open.length === 0) break;
        await wait(250);
      }
      await Promise.all(processes.map((process) => process.kill()));
      const logged = await expectOneNumberEach(vendor.id);
      expect(logged).toBeGreaterThanOrEqual(events);
      logMeasurement(`events: ${logged} numbered once with ${killed} kills, in ${Date.now() - started} ms`);
    },
    timeLimitMs(kills + 10),
  );
});

describe("the partitions of the log", () => {
  const makeNext = (realNow: string) =>
    database.transaction((handle) =>
      new EventPartitionService({
        eventPartitionRepository: new EventPartitionRepository(handle),
        realNow: new Date(realNow),
      }).makeNext(),
    );

  test("are made for three months, once, and take what the default partition has of them", async () => {
    const { id } = await gateway.openVendor();
    await queryRows(
      gateway,
      `insert into event_log (vendor_id, recorded_at, type, subject, subject_id, trigger, actor, occurred_at)
        values (${id}, '2061-12-31T23:59:59.999Z', 'ORDER_PAID', 'COVER_ORDER', 2, 'ORDER_PAID', 'SYSTEM', now()) returning id`,
    );
    const partition = () =>
      queryRows<{ name: string }>(
        gateway,
        `select tableoid::regclass::text as name from event_log where vendor_id = ${id} and recorded_at > '2061-01-01'`,
      );
    expect(await partition()).toEqual([{ name: "event_log_default" }]);
    const made: number[] = [];
    for (let turn = 0; turn < 4; turn++) made.push(await makeNext("2061-11-30T23:00:00Z"));
    expect(made).toEqual([1, 1, 1, 0]);
    expect(await partition()).toEqual([{ name: "event_log_2061_12" }]);
    const indexes = await queryRows<{ count: number }>(
      gateway,
      "select count(*)::int as count from pg_indexes where tablename in ('event_log_2062_01', 'event_log') group by tablename",
    );
    expect(indexes).toEqual([{ count: 8 }, { count: 8 }]);
  });
});
