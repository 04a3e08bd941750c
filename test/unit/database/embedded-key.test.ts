import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadOrCreateEmbeddedKey } from "../../../src/database/embedded/embedded-key.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "recoup-key-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a data directory gets one key, which only its user can read", async () => {
  const folder = join(await newFolder(), "new");
  const [first, second] = await Promise.all([loadOrCreateEmbeddedKey(folder), loadOrCreateEmbeddedKey(folder)]);
  expect(first).toHaveLength(32);
  expect(second).toEqual(first);
  expect(await loadOrCreateEmbeddedKey(folder)).toEqual(first);
  expect(await readdir(folder)).toEqual(["secrets.key"]);
  expect((await stat(join(folder, "secrets.key"))).mode & 0o777).toBe(0o600);
});

test("two data directories have two keys", async () => {
  expect(await loadOrCreateEmbeddedKey(await newFolder())).not.toEqual(
    await loadOrCreateEmbeddedKey(await newFolder()),
  );
});

test("a file without a key is not overwritten: data encrypted with its key would be lost", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "secrets.key"), "half a k");
  await expect(loadOrCreateEmbeddedKey(folder)).rejects.toThrow(/secrets.key has no key.*Restore the file/);
});
