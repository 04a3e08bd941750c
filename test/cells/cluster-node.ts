import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const START_LIMIT_S = 60;
const MAX_STARTS = 50;

/** A node of a cluster on this machine, by the folder of its data. The programs of PostgreSQL are at CITUS_PROGRAMS. */
export class ClusterNode {
  constructor(
    readonly folder: string,
    private readonly programs: string,
  ) {}

  /** `kill -9` of the server and of all of its sessions, as when a machine is lost. */
  async kill(): Promise<void> {
    const server = Number((await readFile(join(this.folder, "postmaster.pid"), "utf8")).split("\n")[0]);
    const children = await run("ps", ["-o", "pid=", "--ppid", String(server)]).then(
      ({ stdout }) => stdout.split("\n").map(Number).filter(Boolean),
      () => [],
    );
    for (const process_ of [server, ...children])
      try {
        process.kill(process_, "SIGKILL");
      } catch {
        // A session that has just ended.
      }
  }

  /** Starts the server again, which first recovers from its log. */
  async start(): Promise<void> {
    const { uid, gid } = await stat(this.folder);
    const words = ["-D", this.folder, "-l", `${this.folder}.log`, "-w", "-t", String(START_LIMIT_S), "start"];
    // Sessions that were killed hold the server's memory for a moment more.
    for (let attempt = 1; ; attempt++)
      try {
        await run(join(this.programs, "pg_ctl"), words, {
          uid,
          gid,
          cwd: this.folder,
          env: { PATH: process.env["PATH"], HOME: this.folder },
        });
        return;
      } catch (error) {
        if (attempt === MAX_STARTS) throw error;
        await sleep(200);
      }
  }
}
