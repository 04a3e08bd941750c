import { chmod, mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onFileEnd } from "./cleanup.ts";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Where data directories are: in memory if there is room. The faults are killed processes, after which the files are as
 * they were written, on a disk or not; a disk would only add the time of each flush.
 */
async function roomiestPlace(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  return found && found.bavail * found.bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}

/** A folder that the user of PostgreSQL can enter. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(await roomiestPlace(), "recoup-faults-"));
  await chmod(folder, 0o755);
  onFileEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A data directory for embedded gateways; a server that they leave behind is ended with it. */
export async function createDataDir(): Promise<string> {
  const folder = await createFolder();
  onFileEnd(async () => {
    const pid = await findPostmasterPid(folder);
    if (pid === undefined) return;
    process.kill(pid, "SIGQUIT");
    while (isRunning(pid)) await sleep(20);
  });
  return folder;
}

/** The process id of the embedded server, while it runs. */
export async function findPostmasterPid(dataDir: string): Promise<number | undefined> {
  const record = await readFile(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number(record.split("\n")[0]);
  return pid > 0 && isRunning(pid) ? pid : undefined;
}

/** The address of the embedded database, as the ordinary role. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const home = join(dataDir, "postgres");
  const password = await readFile(join(home, "recoup.password"), "utf8");
  const port = (await readFile(join(home, "data", "postmaster.pid"), "utf8")).split("\n")[3]!;
  return `postgres://recoup:${password}@127.0.0.1:${port}/recoup`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
