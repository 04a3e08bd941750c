import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KEY_BYTES } from "../kernel/secret-vault.ts";
import { codeOf } from "./embedded-file-lock.ts";

/** Its name in the data directory. */
const FILE = "secrets.key";

/**
 * The key with which a gateway on an embedded database encrypts secrets unless it is given one: made at the first start, kept
 * beside the database, readable by its user only.
 */
export async function embeddedKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, FILE);
  const known = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (known === undefined) {
    await mkdir(dataDir, { recursive: true });
    await make(path);
    return embeddedKey(dataDir);
  }
  const key = Buffer.from(known, "base64");
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} holds no key: 32 bytes in base64. Restore it, or delete it to lose what it encrypted.`);
  return key;
}

/** Written whole before it gets its name, and never over one that another gateway has just made. */
async function make(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
}
