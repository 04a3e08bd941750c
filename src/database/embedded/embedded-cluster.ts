import { randomBytes } from "node:crypto";
import { access, chown, constants, mkdir, readdir, readFile, readlink } from "node:fs/promises";
import { realpath, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  findBinaries,
  createSharedRoot,
  runPostgresProgram,
  SHARED_ROOT,
  unprivilegedAccount,
} from "./embedded-binaries.ts";
import type { SystemAccount, PostgresBinaries } from "./embedded-binaries.ts";
import { errorCodeOf, pathExists, isFulfilled } from "./embedded-file-lock.ts";

/** A database cluster on this machine. `home` contains its data and the passwords of its roles. */
export interface Cluster {
  home: string;
  data: string;
  log: string;
  durable: boolean;
  account: SystemAccount | undefined;
  binaries: PostgresBinaries;
}

/** The superuser and the ordinary role, each with a database of the same name. */
export const ADMIN_ROLE = "postgres";
export const GATEWAY_ROLE = "recoup";

const SERVER_SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=120",
  "shared_buffers=64MB",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
];

/** The type of letters comes from the C library, which has no common name for it; plain C knows only ASCII letters. */
const CTYPE_LOCALES = ["C.UTF-8", "en_US.UTF-8", "UTF-8", "C"];

/** Finds the programs and the place of the cluster that belongs to a data directory; nothing is started yet. */
export async function locateCluster(dataDir: string, durable: boolean): Promise<Cluster> {
  const unprivileged = await unprivilegedAccount();
  const [binaries, home] = await Promise.all([
    findBinaries(unprivileged),
    explainUnwritable(dataDir, () => findHome(dataDir, unprivileged)),
  ]);
  // PostgreSQL starts only as the owner of its data, which was perhaps made before by another user than is chosen today.
  const owner = unprivileged && (await stat(home).catch(() => undefined));
  const account = owner?.uid ? { uid: owner.uid, gid: owner.gid } : unprivileged;
  return {
    home,
    data: join(home, "data"),
    log: join(await realpath(dataDir), "postgres.log"),
    durable,
    account,
    binaries,
  };
}

/** Whether a data directory has a cluster, or a link to one. */
export const hasCluster = (dataDir: string): Promise<boolean> =>
  access(join(dataDir, "postgres")).then(
    () => true,
    // Another error than "not found" is explained by whoever opens it.
    (error: unknown) => !["ENOENT", "ENOTDIR"].includes(errorCodeOf(error) ?? ""),
  );

async function findHome(dataDir: string, account: SystemAccount | undefined): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const real = await realpath(dataDir);
  await access(real, constants.W_OK);
  const home = join(real, "postgres");
  if (account && !(await pathExists(home)) && !(await canEnter(real, account))) await linkToSharedRoot(home);
  const link = await readlink(home).catch(() => undefined);
  return link ? resolve(real, link) : home;
}

const canEnter = (directory: string, account: SystemAccount): Promise<boolean> =>
  isFulfilled(runPostgresProgram("/bin/sh", ["-c", 'cd "$1"', "sh", directory], { account }));

async function linkToSharedRoot(home: string): Promise<void> {
  await createSharedRoot(SHARED_ROOT);
  // A new name each time: a user who deletes the data directory, and the link in it, wants to start anew.
  const place = join(SHARED_ROOT, `data-${randomBytes(8).toString("hex")}`);
  await symlink(place, home).catch((error: unknown) => {
    if (errorCodeOf(error) !== "EEXIST") throw error;
  });
}

async function explainUnwritable<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const advice =
      "Make it writable for the user of the gateway, with enough free disk space, or set another DATA_DIR.";
    throw new Error(`The data directory ${dataDir} cannot be used: ${(cause as Error).message}\n${advice}`, { cause });
  }
}

/** Makes the cluster unless it is there, and refuses one that these programs cannot run. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const { home, data, binaries } = cluster;
  if (!(await pathExists(home))) await explainUnwritable(dirname(cluster.log), () => createCluster(cluster));
  const versionText = await readFile(join(data, "PG_VERSION"), "utf8").catch((error: unknown) => error as Error);
  if (versionText instanceof Error)
    throw new Error(
      `${home} is not a database cluster that this user can read (${versionText.message}). Start the gateway as the user that created it, or move it away to start with an empty database.`,
    );
  if (versionText.trim() !== binaries.major)
    throw new Error(
      `${home} was made by PostgreSQL ${versionText.trim()}, and this version of Recoup brings PostgreSQL ${binaries.major}. ` +
        "Back it up with the version of Recoup that made it (recoup backup FILE), move the folder away but for its secrets.key, and restore the " +
        "backup with this version (recoup restore FILE), as docs/backups.md says; or set another DATA_DIR.",
    );
}

/** Everything is made under another name first: a process killed halfway leaves no half cluster under the real one. */
async function createCluster(cluster: Cluster): Promise<void> {
  const { home, account } = cluster;
  const leftovers = (await readdir(dirname(home))).filter((name) => name.startsWith(`${basename(home)}.new-`));
  for (const name of leftovers) await rm(join(dirname(home), name), { recursive: true, force: true });
  const temporaryHome = `${home}.new-${randomBytes(6).toString("hex")}`;
  try {
    const files = [ADMIN_ROLE, GATEWAY_ROLE].map((role) => passwordFile(temporaryHome, role));
    await mkdir(temporaryHome, { mode: 0o700 });
    for (const file of files) await writeFile(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
    if (account) for (const path of [temporaryHome, ...files]) await chown(path, account.uid, account.gid);
    await runInitdb(cluster, temporaryHome);
    await rename(temporaryHome, home);
  } catch (error) {
    await rm(temporaryHome, { recursive: true, force: true }).catch(() => undefined);
    if (!(await pathExists(home))) throw error;
  }
}

async function runInitdb(cluster: Cluster, temporaryHome: string): Promise<void> {
  const fixedArguments = [
    ...[
      "--pgdata",
      join(temporaryHome, "data"),
      "--username",
      ADMIN_ROLE,
      "--pwfile",
      passwordFile(temporaryHome, ADMIN_ROLE),
    ],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ...["--locale=C", "--no-instructions", ...(cluster.durable ? [] : ["--no-sync"])],
    ...SERVER_SETTINGS.flatMap((setting) => ["--set", setting]),
  ];
  for (const locale of CTYPE_LOCALES) {
    try {
      await runPostgresProgram(cluster.binaries.initdb, [...fixedArguments, `--lc-ctype=${locale}`], {
        account: cluster.account,
        cwd: temporaryHome,
      });
      return;
    } catch (error) {
      if (locale === "C" || !/invalid locale|encoding mismatch/.test((error as Error).message)) throw error;
    }
  }
}

const passwordFile = (home: string, role: string): string => join(home, `${role}.password`);

/** The password made for a role together with the cluster. */
export const readRolePassword = (cluster: Cluster, role: string): Promise<string> =>
  readFile(passwordFile(cluster.home, role), "utf8");

/** The address of a role's database. */
export const roleDatabaseUrl = async (cluster: Cluster, port: number, role: string): Promise<string> =>
  `postgres://${role}:${await readRolePassword(cluster, role)}@127.0.0.1:${port}/${role}`;
