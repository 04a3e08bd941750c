import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KEY_BYTES } from "../../kernel/secrets/secret-vault.ts";
import { errorCodeOf } from "./embedded-file-lock.ts";

/** Its name in the data directory. */
const KEY_FILE = "secrets.key";

/**
 * The default key with which a gateway on an embedded database encrypts secrets: generated at the first start, stored
 * beside the database, readable by its user only.
 */
export async function loadOrCreateEmbeddedKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, KEY_FILE);
  const stored = await readFile(path, "utf8").catch((error: unknown) => {
    if (errorCodeOf(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (stored === undefined) {
    await mkdir(dataDir, { recursive: true });
    await createKeyFile(path);
    return loadOrCreateEmbeddedKey(dataDir);
  }
  const key = Buffer.from(stored, "base64");
  if (key.length !== KEY_BYTES)
    throw new Error(
      `${path} has no key of 32 bytes in base64. Restore the file, or delete it; the secrets that it encrypted are lost then.`,
    );
  return key;
}

/** Written whole before it gets its name, and never over one that another gateway has just made. */
async function createKeyFile(path: string): Promise<void> {
  const temporaryPath = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(temporaryPath, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600 });
  try {
    await link(temporaryPath, path);
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(temporaryPath);
  }
}
