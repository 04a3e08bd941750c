import { statfs } from "node:fs/promises";
import type { FastifyBaseLogger } from "fastify";

/** The space of a disk, in bytes. */
export interface DiskSpace {
  sizeBytes: number;
  /** What an unprivileged user can still write. */
  freeBytes: number;
}

const CHECK_EVERY_MS = 10_000;
/** A disk that stays full is said again so often, for whoever reads the log of the last hour. */
const REPEAT_AFTER_MS = 3_600_000;
/** Below a tenth of the disk it is nearly full, but a gigabyte is enough on a large one. */
const LOW_SHARE = 0.1;
const ENOUGH_BYTES = 1024 ** 3;

/** Whether so little space is left that the database will soon be unable to write. */
const isNearlyFull = ({ sizeBytes, freeBytes }: DiskSpace): boolean =>
  freeBytes < Math.min(sizeBytes * LOW_SHARE, ENOUGH_BYTES);

/** Reads the space of the disk that a folder is on. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { sizeBytes: blocks * bsize, freeBytes: bavail * bsize };
}

/** Warns in the log before the disk of the embedded database is full. Returns a function that ends it. */
export function watchDisk(folder: string, logger: FastifyBaseLogger): () => void {
  let warnedAt = -Infinity;
  const check = async () => {
    const space = await readDiskSpace(folder);
    if (!isNearlyFull(space)) warnedAt = -Infinity;
    else if (performance.now() - warnedAt >= REPEAT_AFTER_MS) {
      warnedAt = performance.now();
      logger.warn(space, "the disk of the data directory is nearly full");
    }
  };
  // A file system that does not tell its space is not watched.
  const start = () => void check().catch(() => undefined);
  start();
  const timer = setInterval(start, CHECK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
