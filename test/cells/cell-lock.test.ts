import { sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createCellService } from "../../src/cells/cell-list.ts";
import { openDatabase } from "../../src/database/client.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { adminSession, createDatabase, openSession } from "../faults/harness/fault-databases.ts";
import { GatewayProcess } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { createCellCommands, LIMIT_MS, refusalOf } from "./cell-commands.ts";

/*
 * A gateway with its worker, and two cells. Several commands change the place of one of them at the same time, and are killed, or lose their
 * lock.
 */

/** For tests of several commands that copy a cell, on a busy machine. */
const COMMANDS_MS = 300_000;

const { settings, commands, cells, fileOf, sessionOf, restore, backUp, stateOf, start } = await createCellCommands();
let gateway: GatewayProcess;
let place: string;
let home: Sql;
const BUSY =
  "Another command moves or restores the cell busy, or encrypts its secrets anew. Wait until it has ended, then repeat this one.\n";

beforeAll(async () => {
  await buildOnce();
  // A gateway has a pool for each cell, and all test files share the connections of one server.
  gateway = await GatewayProcess.start({ ...settings, ROLE: "both", DATABASE_POOL_SIZE: "3" });
  place = await createDatabase({ empty: true });
  recordOf(await cells("add", "busy", "--url", place));
  recordOf(await cells("add", "free", "--url", await createDatabase({ empty: true })));
  recordOf(await commands.vendorCreate("--name", "Beans of busy", "--cell", "busy"));
  await backUp("busy");
  home = adminSession(settings.DATABASE_URL);
}, COMMANDS_MS);

afterAll(() => gateway.kill());

/** The sessions of commands in the home database that have the lock of a cell. */
const listLocks = () => home<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()
  and state = 'idle in transaction' and query like '%pg_try_advisory_xact_lock(hashtextextended(%"isHeld"'`;

/** Locks a table of the present place until it is told to release it. */
async function block(url: string, lock: string) {
  const [session, observer] = [openSession(url, { max: 1 }), adminSession(url)];
  await session.unsafe(`begin; lock table ${lock}`);
  return {
    release: () => session.end(),
    /** How many sessions of commands wait for it with such a statement. */
    count: async (statement: string) =>
      (
        await observer`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like ${`${statement}%`}`
      ).length,
  };
}

describe("the place of a cell", () => {
  test(
    "is replaced by one command at a time, and by the next one when that is killed",
    async () => {
      const target = await createDatabase({ empty: true });
      const { release, count } = await block(place, "vendors in access exclusive mode");
      const { child, exited } = start("restore", "busy", fileOf("busy"), "--to", target, "--discard-writes");
      onTestFinished(() => void child.kill("SIGKILL"));
      await waitUntil(
        "the restore asks the cell",
        async () => (await count('select from "public".vendors limit 1')) > 0,
        LIMIT_MS,
      );
      expect(await listLocks()).toHaveLength(1);
      const other = await createDatabase({ empty: true });
      expect(await refusalOf(restore("busy", "--to", other, "--discard-writes"))).toBe(BUSY);
      expect(await refusalOf(cells("move", "busy", "--to", other))).toBe(BUSY);
      expect(await refusalOf(cells("move", "busy", "--to-node", "127.0.0.1:1"))).toBe(BUSY);
      // What it copies has the secrets as they are.
      expect(await refusalOf(commands.secretsRotate())).toBe(BUSY);
      // Other cells are free.
      expect(await refusalOf(cells("move", "free", "--to", place))).toContain("are a cell already");
      expect(await sessionOf(other)`select to_regclass('vendors') is null as is_empty`).toEqual([{ is_empty: true }]);
      child.kill("SIGKILL");
      expect(await exited).toEqual([null, "SIGKILL"]);
      await release();
      await waitUntil("the lock has ended", async () => (await listLocks()).length === 0);
      const restored = recordOf(await restore("busy", "--to", target, "--discard-writes"));
      expect(restored).toMatchObject({ name: "busy", schema: "public" });
      expect(await stateOf("busy")).toMatchObject({ state: "OPEN", up: true, vendors: 1 });
      place = target;
    },
    COMMANDS_MS,
  );

  test(
    "is not replaced by a command that has lost its lock to another one",
    async () => {
      const [first, second] = [await createDatabase({ empty: true }), await createDatabase({ empty: true })];
      const { release, count } = await block(place, "customers in row exclusive mode");
      const losing = cells("move", "busy", "--to", first);
      const isCopying = (commandsThere: number) => async () => (await count("lock table")) === commandsThere;
      await waitUntil("the move locks the tables", isCopying(1), LIMIT_MS);
      const [lock] = await listLocks();
      await home`select pg_terminate_backend(${lock!.pid}, 5000)`;
      const winning = cells("move", "busy", "--to", second);
      await waitUntil("the other one does, too", isCopying(2), LIMIT_MS);
      await release();
      expect(await refusalOf(losing)).toBe(
        "Another command has begun to move or restore the cell busy meanwhile. This one has changed nothing.\n",
      );
      recordOf(await winning);
      const { url, state } = await stateOf("busy");
      expect([new URL(String(url)).pathname, state]).toEqual([new URL(second).pathname, "OPEN"]);
      place = second;
    },
    COMMANDS_MS,
  );

  test(
    "is replaced by a command whose lock was lost and taken by nobody",
    async () => {
      const target = await createDatabase({ empty: true });
      const { release, count } = await block(place, "customers in row exclusive mode");
      const moving = cells("move", "busy", "--to", target);
      await waitUntil("the move locks the tables", async () => (await count("lock table")) === 1, LIMIT_MS);
      const [lock] = await listLocks();
      await home`select pg_terminate_backend(${lock!.pid}, 5000)`;
      await release();
      recordOf(await moving);
      const { url } = await stateOf("busy");
      expect(new URL(String(url)).pathname).toBe(new URL(target).pathname);
      place = target;
    },
    COMMANDS_MS,
  );

  test(
    "is the one that another command registers while secrets are encrypted anew",
    async () => {
      const [oldKey, newKey] = [settings.SECRETS_KEY, Buffer.alloc(32, "newer").toString("base64")];
      const withKeys = (...keys: string[]) => commandsOn({ ...settings, SECRETS_KEY: keys.join(",") }, LIMIT_MS);
      const isWaiting = async () =>
        (
          await home`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%"cells"%'`
        ).length > 0;
      // Another address of the same database, so that the old place can be opened, too.
      const url = Object.assign(new URL(place), { hostname: "localhost" }).href;
      const database = openDatabase({ url: settings.DATABASE_URL, poolSize: 1 });
      onTestFinished(() => database.close());
      const { rotated } = await database.transaction(async (handle) => {
        await handle.execute(sql`set local idle_in_transaction_session_timeout = 0`);
        const service = createCellService(handle, new SecretVault([SECRETS_KEY]));
        const cell = await service.require("busy");
        await service.setPlace(cell.number, { ...cell, url }, cell.state);
        const rotating = withKeys(newKey, oldKey).secretsRotate();
        await waitUntil("the rotation waits for the row of the cell", isWaiting, LIMIT_MS);
        return { rotated: rotating };
      });
      recordOf(await rotated);
      const cell = await createCellService(database.handle, new SecretVault([Buffer.from(newKey, "base64")])).require(
        "busy",
      );
      expect(cell).toMatchObject({ url, state: "OPEN" });
      recordOf(await withKeys(oldKey, newKey).secretsRotate());
    },
    COMMANDS_MS,
  );
});
