import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase, type Handle } from "../../src/database/client.ts";
import { startInOrder } from "../../src/kernel/scheduling/start-in-order.ts";
import { onFileEnd } from "./harness/cleanup.ts";
import { createDatabase } from "./harness/fault-databases.ts";

/*
 * Statements of one transaction are pipelined: once one of them has failed, the database refuses the others for that.
 */

const database = openDatabase({ url: await createDatabase(), poolSize: 1 });
onFileEnd(() => database.close());

/** Work that fails by a division by zero, and notices it later than the work beside it. */
async function divide(handle: Handle): Promise<void> {
  try {
    await handle.execute(sql`select 1 / 0`);
  } finally {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}
const count = (handle: Handle) => handle.execute(sql`select 1`);
const ofDivision = expect.objectContaining({ cause: expect.objectContaining({ code: "22012" }) });

test("a transaction fails with its first error, and not with the refusals that follow it", async () => {
  const both = database.transaction((handle) => Promise.all([divide(handle), count(handle)]));
  await expect(both).rejects.toEqual(ofDivision);
});

test("what failed within a savepoint counts until it is rolled back", async () => {
  const work = database.transaction(async (handle) => {
    const part = handle.transaction((inner) => inner.execute(sql`select 'x'::int`));
    await expect(part).rejects.toMatchObject({ cause: { code: "22P02" } });
    await count(handle);
    await Promise.all([divide(handle), count(handle)]);
  });
  await expect(work).rejects.toEqual(ofDivision);
});

test("work that is started in order sends its statements in this order, however they are built", async () => {
  const readTime = { at: sql<string>`clock_timestamp()::text` };
  const inSql = async (handle: Handle) => {
    const rows = (await handle.execute(sql`select clock_timestamp()::text as at`)) as Iterable<{ at: string }>;
    return [...rows][0]?.at;
  };
  const built = async (handle: Handle) => {
    const [row] = await handle.select(readTime).from(sql`generate_series(1, 1)`);
    return row?.at;
  };
  await database.transaction(async (handle) => {
    for (const order of [
      [inSql, built],
      [built, inSql],
    ]) {
      const started = await startInOrder(...order.map((read) => () => read(handle)));
      const times = await Promise.all(started);
      expect(times).toEqual(times.toSorted());
    }
  });
});
