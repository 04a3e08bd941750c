import { access, chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../../src/database/embedded/embedded-database.ts";
import { migrateDatabase } from "../../src/database/migrations/migrate.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { buildOnce } from "../support/build-once.ts";
import { gatewayAt, NOBODY } from "./command-gateway.ts";
import { commandsOn, npmRun, recordOf } from "./command-line.ts";

/* Behaviour that all commands share. */

beforeAll(buildOnce);

test("package scripts build the programs that they run", async () => {
  const { scripts } = JSON.parse(await readFile(projectFile("package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const running = Object.keys(scripts).filter((name) => scripts[name]!.includes(" dist/"));
  expect(running).toEqual(expect.arrayContaining(["start", "keys", "vendor:create", "secrets:rotate"]));
  expect(running.map((name) => [name, scripts[`pre${name}`]])).toEqual(
    running.map((name) => [name, "npm run -s build"]),
  );
  // A rebuild would remove it for a moment while other files run commands.
  expect(await npmRun("keys", ["--help"], {})).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/USAGE recoup keys create\|revoke\|list/),
  });
});

describe.concurrent("the commands", () => {
  test("name the error when the settings are wrong or the database is down", async () => {
    expect(await commandsOn({ DATABASE_URL: "mysql://x" }).keys("list", "--vendor", NOBODY)).toEqual({
      code: 2,
      out: "",
      err: "The settings are wrong:\n  - DATABASE_URL must be a postgres:// address; leave it out for the embedded database.\n",
    });
    const { code, err } = await commandsOn({ DATABASE_URL: "postgres://me:hidden@127.0.0.1:1/x" }).keys(
      "list",
      "--vendor",
      NOBODY,
    );
    expect({ code, err }).toEqual({
      code: 3,
      err: "The database cannot be reached (ECONNREFUSED). Check DATABASE_URL; without it the embedded database is used.\n",
    });
  });

  test("refuse to create an embedded database in which there would be nothing to do", async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), "recoup-nowhere-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const here = commandsOn({ DATA_DIR: folder });
    const refusal = {
      code: 2,
      out: "",
      err: `The settings are wrong:\n  - There is no database in ${folder}. Set DATABASE_URL or DATA_DIR as for the gateway; recoup start creates a new database.\n`,
    };
    for (const words of [
      ["secrets", "rotate"],
      ["charges", "restored"],
      ["recovery", "replay"],
      ["cells", "list"],
      ["cells", "migrate", "--status"],
      ["keys", "list", "--vendor", NOBODY],
      ["backup", join(folder, "empty.backup")],
      ["move", "--to", "postgres://127.0.0.1:1/x"],
    ])
      expect(await here.recoup(...words)).toEqual(refusal);
    expect(await readdir(folder)).toEqual([]);
  });

  test("share the embedded database with a gateway, and stop it when no gateway uses it", async ({
    onTestFinished,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "recoup-commands-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // Open to the user that PostgreSQL runs as if the tests run as root; otherwise the data would be elsewhere.
    await chmod(folder, 0o755);
    const server = await startEmbeddedServer({ dataDir: folder, durable: false });
    onTestFinished(() => server.release());
    await migrateDatabase(server.url);
    const running = await gatewayAt(server.url, systemClock);
    const here = commandsOn({ DATA_DIR: folder });

    const made = recordOf(await here.vendorCreate("--name", "Bean Club")) as { vendor: string; token: string };
    expect(await running.asks(made.token)).toMatchObject({ uuid: made.vendor });
    expect(await here.keys("list", "--vendor", NOBODY)).toMatchObject({ code: 2 });
    expect(await running.asks(made.token)).toMatchObject({ uuid: made.vendor });
    await running.close();
    await server.release();

    const runs = () =>
      access(join(folder, "postgres/data/postmaster.pid")).then(
        () => true,
        () => false,
      );
    expect(await runs()).toBe(false);
    expect(await here.keys("list", "--vendor", made.vendor)).toMatchObject({
      code: 0,
      out: expect.stringContaining("first"),
    });
    expect(await runs()).toBe(false);
    expect(await here.keys("revoke", "--vendor", made.vendor, "--key", "77")).toMatchObject({
      code: 1,
      err: "The vendor has no valid key with this id.\n",
    });
    expect(await runs()).toBe(false);
  });
});
