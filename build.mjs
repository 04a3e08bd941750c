/*
 * Compiles the sources to dist, unless dist was compiled from these very sources: `npm run build`.
 * With --where-possible, which `npm ci` uses, an installation without TypeScript is no error.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const stamp = join(root, "dist/.sources");

/** Everything that the compiled files depend on; the lock file says which types the libraries have. */
function sources() {
  const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const files = include.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  return ["tsconfig.json", "package-lock.json", ...files.filter((name) => name.endsWith(".ts")).sort()];
}

/** One text for all sources: it changes with any of them. Times of files do not count, because git sets them anew. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const name of sources())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  return hash.digest("hex");
}

const isBuilt = existsSync(join(root, "dist/src/main.js"));
// An image may hold what is compiled and no sources.
if (!isBuilt || existsSync(join(root, "src"))) build();

function build() {
  const found = fingerprint();
  const isFresh = isBuilt && existsSync(stamp) && readFileSync(stamp, "utf8") === found;
  if (!isFresh) process.exitCode = compile(found);
}

function compile(found) {
  const compiler = compilerOf();
  if (compiler === undefined) {
    const isLenient = process.argv.includes("--where-possible");
    process.stderr.write(
      "Recoup is not compiled from these sources, and TypeScript is not installed here. Run `npm ci --include=dev`, or copy dist from a machine that has compiled it.\n",
    );
    return isLenient ? 0 : 1;
  }
  const why = isBuilt ? "the sources have changed" : "it has not been compiled yet";
  process.stderr.write(`Compiling Recoup, because ${why}. This can take a minute.\n`);
  rmSync(stamp, { force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.json"], { cwd: root, stdio: "inherit" });
  // Sources that changed meanwhile may be in dist or not: the next build looks again.
  if (status === 0 && fingerprint() === found) writeFileSync(stamp, found);
  return status ?? 1;
}

function compilerOf() {
  try {
    return createRequire(import.meta.url).resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
}
