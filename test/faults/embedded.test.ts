import { spawn } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isAnswering, queryOnce, readPostmaster, pidFileIn, createHolderHarness } from "./harness/server-holders.ts";

/*
 * The embedded server that gateways share: who starts it, who stops it, and which data it has after it or a gateway was
 * killed.
 */

const { used, open } = await createHolderHarness();

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("two gateways that start at the same moment share one server, and the last one stops it", async () => {
  const [first, second] = [open(used), open(used)];
  const place = await first.server;
  expect(await second.server).toEqual(place);

  await first.releaseServer();
  expect(await isAnswering(place.url)).toBe(true);
  await second.releaseServer();
  expect(await isAnswering(place.url)).toBe(false);
  expect(await readdir(join(used, "postgres/data"))).not.toContain("postmaster.pid");
});

test("a gateway that starts while the last one stops gets a running server", async () => {
  let last = open(used);
  await last.server;
  for (const head of [0, 60, 120]) {
    const next = open(used);
    await pause(head);
    await last.releaseServer();
    expect(await isAnswering((await next.server).url)).toBe(true);
    last = next;
  }
  await last.releaseServer();
});

test("Ctrl-C reaches the gateways and not the server", async () => {
  const gateway = open(used);
  const { url } = await gateway.server;
  // The holder process leads its process group and, like a gateway that drains, does not end at once.
  process.kill(-gateway.process.pid!, "SIGINT");
  await pause(200);
  expect(await isAnswering(url)).toBe(true);
  await gateway.releaseServer();
});

test("the server of a killed gateway is joined by the next one, which stops it", async () => {
  const killed = open(used);
  const { url } = await killed.server;
  const postmaster = await readPostmaster(used);
  await killed.kill();

  const next = open(used);
  expect(await next.server).toMatchObject({ url });
  expect(await readPostmaster(used)).toEqual(postmaster);
  await next.releaseServer();
  expect(await isAnswering(url)).toBe(false);
});

test("rows committed before the server was killed are there after it starts again", async () => {
  const gateway = open(used, { durable: true });
  const { url } = await gateway.server;
  await queryOnce(url, (sql) =>
    sql.unsafe("create table kept (n int); insert into kept select generate_series(1, 1000)"),
  );
  process.kill((await readPostmaster(used)).pid, "SIGKILL");
  await gateway.kill();

  const next = open(used, { durable: true });
  expect(await queryOnce((await next.server).url, (sql) => sql`select count(*)::int from kept`)).toEqual([
    { count: 1000 },
  ]);
  await next.releaseServer();
});

test("gateways that outlive the server start it again at the same address, and share it again", async () => {
  const [first, second] = [open(used), open(used)];
  const { url, adminUrl } = await first.server;
  await second.server;
  const holders = (): Promise<unknown> =>
    queryOnce(adminUrl, (sql) => sql`select count(*)::int from pg_locks where locktype = 'advisory'`);
  expect(await holders()).toEqual([{ count: 2 }]);
  process.kill((await readPostmaster(used)).pid, "SIGKILL");

  await vi.waitFor(async () => expect(await holders()).toEqual([{ count: 2 }]), { timeout: 45_000 });
  await first.releaseServer();
  expect(await isAnswering(url)).toBe(true);
  await second.releaseServer();
  expect(await isAnswering(url)).toBe(false);
});

test("a record of a killed server is ignored even if its process id now belongs to another process", async ({
  onTestFinished,
}) => {
  const gateway = open(used);
  await gateway.server;
  process.kill((await readPostmaster(used)).pid, "SIGKILL");
  await gateway.kill();
  const { uid, gid } = await stat(join(used, "postgres"));
  const stranger = spawn("sleep", ["60"], { uid, gid, stdio: "ignore" });
  onTestFinished(() => void stranger.kill());
  await writeFile(pidFileIn(used), (await readFile(pidFileIn(used), "utf8")).replace(/^\d+/, String(stranger.pid)));

  const next = open(used);
  expect(await isAnswering((await next.server).url)).toBe(true);
  await next.releaseServer();
});
