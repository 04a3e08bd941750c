import { readdirSync, readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/database/client.ts";
import { WebhookPartitionRepository } from "../../src/webhooks/webhook-partition.repository.ts";
import { createDatabase, openSession } from "./harness/fault-databases.ts";

/* Attempts of earlier versions become the first partition of the table, and go as a whole when they are old enough. */

const MIGRATION = "0077_partition_webhook_attempts.sql";
const LIMIT_MS = 60_000;

const statementsOf = (file: string): string[] =>
  readFileSync(`schema/migrations/${file}`, "utf8").split("--> statement-breakpoint");

/** A database of the version before, with attempts of one delivery at these times, and then the migration. */
async function upgrade(times: readonly string[]): Promise<{ sql: Sql; url: string }> {
  const url = await createDatabase({ empty: true });
  const sql = openSession(url);
  const files = readdirSync("schema/migrations")
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const apply = (file: string) =>
    sql.begin(async (transaction) => {
      for (const statement of statementsOf(file)) if (statement.trim()) await transaction.unsafe(statement);
    });
  for (const file of files.slice(0, files.indexOf(MIGRATION))) await apply(file);
  await sql`alter table webhook_attempts drop constraint webhook_attempts_delivery_fk`;
  for (const [index, time] of times.entries()) await attempt(sql, index + 1, time);
  await sql`alter table webhook_attempts add constraint webhook_attempts_delivery_fk foreign key (vendor_id, delivery_id)
    references webhook_deliveries on delete cascade not valid`;
  await apply(MIGRATION);
  return { sql, url };
}

/** What gateways of both versions send. */
const attempt = (sql: Sql, number: number, time: string) =>
  sql`insert into webhook_attempts ("vendor_id", "delivery_id", "number", "started_at", "duration_ms")
    values (7, 1, ${number}, ${time}, 5) on conflict do nothing`;

const partitionsOf = async (sql: Sql): Promise<Record<string, number[]>> =>
  Object.fromEntries(
    (
      await sql<
        { name: string; numbers: number[] }[]
      >`select tableoid::regclass::text as name, array_agg(number order by number) as numbers
        from webhook_attempts group by 1`
    ).map(({ name, numbers }) => [name, numbers]),
  );

function partitions(url: string): <T>(work: (partitions: WebhookPartitionRepository) => Promise<T>) => Promise<T> {
  const database = openDatabase({ url, poolSize: 1 });
  onTestFinished(() => database.close());
  return (work) => database.transaction((handle) => work(new WebhookPartitionRepository(handle)));
}

describe("attempts of webhooks after the upgrade", { timeout: LIMIT_MS }, () => {
  test("are a first partition that goes as a whole when its last month has ended", async () => {
    const later = new Date(Date.now() + 40 * 86_400_000);
    const { sql, url } = await upgrade(["2025-01-31T00:00:00Z", "2026-02-01T00:00:00Z", later.toISOString()]);
    expect(await partitionsOf(sql)).toEqual({ webhook_attempts_first: [1, 2, 3] });
    await attempt(sql, 3, later.toISOString());
    await attempt(sql, 4, new Date().toISOString());
    const end = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 1));
    await attempt(sql, 5, end.toISOString());
    expect(await partitionsOf(sql)).toEqual({ webhook_attempts_first: [1, 2, 3, 4], webhook_attempts_default: [5] });

    const change = partitions(url);
    const month = `webhook_attempts_${end.toISOString().slice(0, 7).replace("-", "_")}`;
    // The first partition has the months until its end.
    expect(await change((one) => one.makeNext(new Date()))).toBe(month in (await partitionsOf(sql)) ? 1 : 0);
    expect(await change((one) => one.makeNext(end))).toBe(1);
    await attempt(sql, 5, end.toISOString());
    expect(await partitionsOf(sql)).toEqual({ webhook_attempts_first: [1, 2, 3, 4], [month]: [5] });

    expect(await change((one) => one.dropNextBefore(new Date(end.getTime() - 1)))).toBe(0);
    expect(await change((one) => one.dropNextBefore(end))).toBe(1);
    expect(await partitionsOf(sql)).toEqual({ [month]: [5] });
  });

  test("have no first partition if there were none, and old ones without a month are deleted", async () => {
    const { sql, url } = await upgrade([]);
    const change = partitions(url);
    await attempt(sql, 1, "2025-01-31T00:00:00Z");
    await attempt(sql, 2, "2025-02-01T00:00:00Z");
    expect(await partitionsOf(sql)).toEqual({ webhook_attempts_default: [1, 2] });
    expect(await change((one) => one.dropNextBefore(new Date("2025-02-01T00:00:00Z")))).toBe(0);
    expect(await partitionsOf(sql)).toEqual({ webhook_attempts_default: [2] });
  });
});
