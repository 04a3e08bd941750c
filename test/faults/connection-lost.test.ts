import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase, type Handle } from "../../src/database/client.ts";
import { adminSession, makeDatabase } from "./harness/databases.ts";
import { until } from "./harness/until.ts";

/*
 * A connection that is lost in the middle of a transaction: the caller is told, and whatever the work of that transaction
 * still does reaches neither the process nor the transaction that has the connection next.
 */

const url = await makeDatabase();
const admin = adminSession(url);
/** With one connection, the next transaction has the one that the lost one had. */
const database = openDatabase({ url, connections: 1 });
await database.handle.execute(sql`create table notes (note text not null)`);
const write = (handle: Handle, note: string) => handle.execute(sql`insert into notes values (${note})`);
const notes = async () => (await admin`select note from notes order by note`).map((row) => row["note"] as string);

const afterwards: Record<string, (handle: Handle) => Promise<unknown>> = {
  "sends another statement": (handle) => write(handle, "lost"),
  "opens a part of its own": (handle) => handle.transaction((part) => write(part as unknown as Handle, "lost")),
  "comes to its end": () => Promise.resolve(),
  "fails of something else": () => Promise.reject(new Error("of something else")),
};

test.each(Object.entries(afterwards))("the work of a lost transaction that %s is not heard of", async (_, goOn) => {
  await admin`truncate notes`;
  let lose = () => {};
  const isLost = new Promise<void>((resolve) => (lose = resolve));
  let reached = false;
  const lost = database.transaction(async (handle) => {
    await write(handle, "lost");
    await isLost;
    reached = true;
    await goOn(handle);
  });
  await until("it has written", async () => (await sessions()).some(({ state }) => state === "idle in transaction"));
  const told = expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'recoup'`;
  await told;

  const next = database.transaction(async (handle) => {
    await write(handle, "before");
    lose();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await write(handle, "after");
    throw new Error("taken back");
  });
  await expect(next).rejects.toThrow("taken back");
  expect(reached).toBe(true);
  expect(await notes()).toEqual([]);
  await database.transaction((handle) => write(handle, "kept"));
  expect(await notes()).toEqual(["kept"]);
});

test("a transaction whose other connection is lost is taken back on its own", async () => {
  await admin`truncate notes`;
  const gone = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  const failed = database.transaction(async (handle) => {
    await write(handle, "half");
    throw gone;
  });
  await expect(failed).rejects.toBe(gone);
  expect(await notes()).toEqual([]);
});

const sessions = () =>
  admin`select state from pg_stat_activity where datname = current_database() and application_name = 'recoup'`;
