import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase, type Handle } from "../../src/database/client.ts";
import type { NameLimits } from "../../src/database/driver/statement-names.ts";
import { onFileEnd } from "./harness/cleanup.ts";
import { createDatabase } from "./harness/fault-databases.ts";

/*
 * What a connection has prepared stays in the memory of PostgreSQL for as long as the connection lives. So the number of
 * statements is limited, and those that are executed once are not prepared by name.
 */

const LIMITS: NameLimits = {
  maxNames: 5,
  maxCharacters: 10_000,
  renewAfterMs: 3_600_000,
  renewAfterRejections: Infinity,
};
const url = await createDatabase();

function open(limits: Partial<NameLimits> = {}, poolSize = 1) {
  const database = openDatabase({ url, poolSize, nameLimits: { ...LIMITS, ...limits } });
  onFileEnd(() => database.close());
  return database;
}

/** Executes a statement that no other number has. */
const execute = (handle: Handle, number: number) =>
  handle.execute(sql`select ${"x"}::text as ${sql.identifier(`column_${number}`)}`);

/** The numbers of the statements that the connection has prepared by name. */
async function prepared(handle: Handle) {
  const rows = await handle.execute(sql`select statement from pg_prepared_statements`);
  const texts = [...(rows as Iterable<{ statement: string }>)].map(({ statement }) => statement);
  const numbers = texts.flatMap((text) => /column_(\d+)/.exec(text)?.[1] ?? []).map(Number);
  return numbers.toSorted((a, b) => a - b);
}

test("a statement is prepared by name when it is executed a second time", async () => {
  const { handle } = open();
  for (let number = 0; number < 20; number++) await execute(handle, number);
  expect(await prepared(handle)).toEqual([]);
  for (let time = 0; time < 3; time++) await execute(handle, 7);
  expect(await prepared(handle)).toEqual([7]);
});

test("no more statements are prepared by name than the limit, in transactions neither", async () => {
  const database = open();
  for (let number = 0; number < 20; number++)
    for (let time = 0; time < 3; time++)
      if (number % 2) await execute(database.handle, number);
      else await database.transaction((handle) => execute(handle, number));
  expect(await prepared(database.handle)).toEqual([0, 1, 2, 3, 4]);
});

test("no more characters are prepared by name than the limit", async () => {
  const { handle } = open({ maxCharacters: 100 });
  for (let number = 10; number < 20; number++) for (let time = 0; time < 2; time++) await execute(handle, number);
  const length = `select $1::text as "column_10"`.length;
  expect(await prepared(handle)).toHaveLength(Math.floor(100 / length));
});

test("connections are replaced when other statements have become frequent", async () => {
  const database = open({ renewAfterMs: 0, renewAfterRejections: 10 }, 2);
  const backend = async (handle: Handle) =>
    [...((await handle.execute(sql`select pg_backend_pid() as pid`)) as Iterable<{ pid: number }>)][0]!.pid;
  for (let number = 0; number < 5; number++)
    for (let time = 0; time < 2; time++) await execute(database.handle, number);
  const isAlive = async (pid: number) => {
    const rows = await database.handle.execute(sql`select 1 from pg_stat_activity where pid = ${pid}`);
    return [...(rows as Iterable<unknown>)].length > 0;
  };
  // A transaction that is open meanwhile ends on its connection.
  const replaced = await database.transaction(async (inner) => {
    const pid = await backend(inner);
    for (let time = 0; time < 20; time++) await execute(database.handle, 6);
    await execute(inner, 8);
    expect(await isAlive(pid)).toBe(true);
    expect(await backend(inner)).toBe(pid);
    return pid;
  });
  for (let time = 0; time < 3; time++) await execute(database.handle, 7);
  const named = await prepared(database.handle);
  expect(named).not.toContain(0);
  expect(named).toContain(7);
  await expect.poll(() => isAlive(replaced)).toBe(false);
});
