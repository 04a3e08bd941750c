import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFile } from "../../src/kernel/project-files.ts";

/** Migrations of the next version: the names of their files, and their texts. */
export type NextMigrations = Readonly<Record<string, string>>;

/** What a built version reads when it runs, besides its modules. */
const FOLDERS = ["dist", "rest-compat", "docs", "schema", "src"];

/**
 * Copies this version, which is built, into a folder, and adds migrations to it: a next version whose processes run beside those of
 * this one. @returns the folder, and what removes it.
 */
export async function makeNextVersion(
  migrations: NextMigrations,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "recoup-next-"));
  await cp(projectFile("package.json"), join(folder, "package.json"));
  await symlink(projectFile("node_modules"), join(folder, "node_modules"));
  for (const name of FOLDERS) {
    await mkdir(join(folder, name));
    await cp(projectFile(name), join(folder, name), { recursive: true });
  }
  const path = join(folder, "schema/migrations/meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as { entries: { idx: number; when: number; tag: string }[] };
  const last = journal.entries.at(-1)?.when ?? 0;
  for (const [index, [tag, text]] of Object.entries(migrations).entries()) {
    await writeFile(join(folder, `schema/migrations/${tag}.sql`), text);
    journal.entries.push({ idx: journal.entries.length, when: last + 1 + index, tag });
  }
  await writeFile(path, JSON.stringify(journal));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
