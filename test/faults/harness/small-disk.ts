import { execFile } from "node:child_process";
import { chown, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unprivilegedAccount } from "../../../src/database/embedded/embedded-binaries.ts";
import { onFileEnd } from "./cleanup.ts";
import { createFolder } from "./data-folders.ts";

const runCommand = promisify(execFile);
const MEGABYTE = Buffer.alloc(1 << 20);

/** A file system of so many megabytes that a test can fill. Mounting it requires root. */
export class SmallDisk {
  /** Undefined if this user may not mount. */
  static async mount(megabytes: number): Promise<SmallDisk | undefined> {
    const folder = await createFolder();
    const isMounted = await runCommand("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]).then(
      () => true,
      () => false,
    );
    if (!isMounted) return undefined;
    onFileEnd(() => runCommand("umount", [folder]));
    const account = await unprivilegedAccount();
    if (account) await chown(folder, account.uid, account.gid);
    return new SmallDisk(folder);
  }

  private constructor(readonly folder: string) {}

  private get fillerPath(): string {
    return join(this.folder, "filler");
  }

  /** Fills the disk to the last byte, or leaves so many megabytes. */
  async fillUp({ leave = 0 } = {}): Promise<void> {
    const file = await open(this.fillerPath, "w");
    const hasRoom = async () => leave === 0 || (await this.freeMegabytes()) > leave;
    for (let chunk = MEGABYTE; chunk.length > 0 && (await hasRoom());) {
      try {
        await file.write(chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        chunk = chunk.subarray(0, chunk.length >> 1);
      }
    }
    await file.close();
  }

  private async freeMegabytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return (bavail * bsize) / MEGABYTE.length;
  }

  async freeSpace(): Promise<void> {
    await rm(this.fillerPath);
  }
}
