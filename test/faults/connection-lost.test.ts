import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openDatabase, type Handle } from "../../src/database/client.ts";
import { isConnectionLost, isDatabaseOutage } from "../../src/database/database-errors.ts";
import { adminSession, runAdminStatement, createDatabase } from "./harness/fault-databases.ts";
import { waitUntil } from "./harness/wait-until.ts";

/*
 * A connection that is lost in the middle of a transaction: the caller gets an error, and later statements of that
 * transaction reach neither the process nor the next transaction on the connection.
 */

const url = await createDatabase();
const admin = adminSession(url);
/** With a pool of one, the next transaction gets the connection that replaces the lost one. */
const database = openDatabase({ url, poolSize: 1 });
await database.handle.execute(sql`create table notes (note text not null)`);
const write = (handle: Handle, note: string) => handle.execute(sql`insert into notes values (${note})`);
const loseAll = () =>
  admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'recoup'`;
const notes = async () => (await admin`select note from notes order by note`).map((row) => row["note"] as string);

const afterwards: Record<string, (handle: Handle) => Promise<unknown>> = {
  "sends another statement": (handle) => write(handle, "lost"),
  "opens a savepoint": (handle) => handle.transaction((part) => write(part as unknown as Handle, "lost")),
  ends: () => Promise.resolve(),
  "fails with another error": () => Promise.reject(new Error("of something else")),
};

test.each(Object.entries(afterwards))(
  "a lost transaction whose work %s has no effect and raises no unhandled error",
  async (_, goOn) => {
    await admin`truncate notes`;
    let lose = () => {};
    const isLost = new Promise<void>((resolve) => (lose = resolve));
    let [hasWritten, reached] = [false, false];
    const lost = database.transaction(async (handle) => {
      await write(handle, "lost");
      hasWritten = true;
      await isLost;
      reached = true;
      await goOn(handle);
    });
    await waitUntil("it has written", () => Promise.resolve(hasWritten));
    const told = expect(lost).rejects.toSatisfy(isConnectionLost);
    await loseAll();
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
  },
);

const whoIsNext: Record<string, () => Promise<unknown>> = {
  "a statement": () => database.handle.execute(sql`select 1`),
  "a transaction": () => database.transaction((handle) => handle.execute(sql`select 1`)),
  "a readiness check": () => database.ping(),
};

test.each(Object.entries(whoIsNext))(
  "a lost connection is reported to its own transaction, and not to the next one, which is %s",
  async (_, ask) => {
    const told = expect(database.handle.execute(sql`select pg_sleep(60)`)).rejects.toSatisfy(isConnectionLost);
    await waitUntil("it is asked", async () => (await sessions()).some(({ state }) => state === "active"));
    await loseAll();
    await told;
    await ask();
  },
);

/* Each statement sends two rows before it fails. */
const failing = {
  fails: sql`select 10 / (3 - one) as note from generate_series(1, 3) one`,
  "loses its connection": sql`select case one when 3 then pg_terminate_backend(pg_backend_pid())::text else 'lost' end as note from generate_series(1, 3) one`,
};

describe.each(Object.entries(failing))(
  "the rows of a statement that %s are not added to the next statement's result",
  (_, statement) => {
    const next: Record<string, () => Promise<unknown>> = {
      "in SQL": () => database.handle.execute(sql`select 'own' as note`),
      "on a table": () => database.handle.select({ note: sql`'own'` }).from(sql`generate_series(1, 1)`),
      "in a transaction": () => database.transaction((handle) => handle.execute(sql`select 'own' as note`)),
      "in a savepoint": () =>
        database.transaction(async (handle) => {
          const part = handle.transaction((inner) => inner.execute(failing["fails"]));
          await expect(part).rejects.toThrow();
          return handle.execute(sql`select 'own' as note`);
        }),
    };

    test.each(Object.entries(next))("%s", async (_how, ask) => {
      await expect(database.handle.execute(statement)).rejects.toThrow();
      expect(await ask()).toEqual([{ note: "own" }]);
    });
  },
);

test("a transaction that fails with the loss of another connection is rolled back", async () => {
  await admin`truncate notes`;
  const gone = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  const failed = database.transaction(async (handle) => {
    await write(handle, "half");
    throw gone;
  });
  await expect(failed).rejects.toBe(gone);
  expect(await notes()).toEqual([]);
});

test("no caller waits for a connection that the server refuses again and again after it was lost in use", async () => {
  const impatient = openDatabase({ url, poolSize: 1, acquireTimeoutMs: 300 });
  const asked = expect(impatient.handle.execute(sql`select pg_sleep(60)`)).rejects.toThrow();
  await waitUntil("it is asked", async () => (await sessions()).some(({ state }) => state === "active"));
  const name = new URL(url).pathname.slice(1);
  await runAdminStatement(`alter database ${name} connection limit 0`);
  await loseAll();
  await asked;
  for (const wait of [
    () => impatient.transaction((handle) => write(handle, "late")),
    () => impatient.handle.execute(sql`select 1`),
  ]) {
    const refused = await wait().then(
      () => "answered",
      (error: unknown) => isDatabaseOutage(error),
    );
    expect(refused).toBe(true);
  }
  await runAdminStatement(`alter database ${name} connection limit -1`);
  await waitUntil("it works again", () =>
    impatient
      .transaction((handle) => write(handle, "again"))
      .then(
        () => true,
        () => false,
      ),
  );
  expect(await notes()).toEqual(["again"]);
  await impatient.close();
});

const sessions = () =>
  admin`select state from pg_stat_activity where datname = current_database() and application_name = 'recoup'`;
