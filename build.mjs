/*
 * Bundles the programs to dist, and builds the console to dist/console, unless dist was made from these very sources: `npm run build`.
 * With --where-possible, which `npm ci` uses, an installation without Rolldown and Vite is no error. `npm run types` checks types.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const { include } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));

const isConsole = (name) => name.startsWith(join("src", "console"));
const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));

/** What is built: its output, its tool, and everything it depends on. The lock file says which versions the libraries have. */
const gateway = {
  name: "Recoup",
  output: "dist/src/main.js",
  stamp: "dist/.sources",
  tool: ["rolldown", "bin/cli.mjs", "--config", "rolldown.config.js"],
  sources: () => [
    "rolldown.config.js",
    "package.json",
    ...include.flatMap(filesBelow).filter((name) => name.endsWith(".ts") && !isConsole(name)),
  ],
};
const console = {
  name: "the console",
  output: "dist/console/index.html",
  stamp: "dist/.console-sources",
  tool: ["vite", "bin/vite.js", "build", "--config", "src/console/vite.config.ts"],
  sources: () => [
    ...filesBelow(join("src", "console")).filter((name) => !name.includes("generated")),
    // The console shows the guides, the REST reference and, in its explorer, the example operations.
    "schema/openapi.json",
    "docs/examples.graphql",
    ...filesBelow("docs").filter((name) => name.endsWith(".md")),
  ],
};

/** One text for all sources: it changes with any of them. Times of files do not count, because git sets them anew. */
function fingerprint({ sources }) {
  const hash = createHash("sha256");
  for (const name of ["build.mjs", "tsconfig.json", "package-lock.json", ...sources().sort()])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  return hash.digest("hex");
}

// An image may hold what is built and no sources.
const hasSources = existsSync(join(root, "src"));
const outcomes = await Promise.all([gateway, console].map(build));
process.exitCode = Math.max(...outcomes);

async function build(target) {
  const isBuilt = existsSync(join(root, target.output));
  if (!hasSources && isBuilt) return 0;
  // An image of an older version, or of the gateway alone.
  if (!hasSources && target === console) return 0;
  const found = fingerprint(target);
  const stamp = join(root, target.stamp);
  if (isBuilt && existsSync(stamp) && readFileSync(stamp, "utf8") === found) return 0;
  return make(target, found, isBuilt);
}

async function make(target, found, isBuilt) {
  const { name, tool, stamp } = target;
  const [program, path, ...words] = tool;
  const folder = folderOf(program);
  if (folder === undefined) {
    const isLenient = process.argv.includes("--where-possible");
    process.stderr.write(
      `${name[0].toUpperCase()}${name.slice(1)} is not built from these sources, and ${program} is not installed here. Run \`npm ci --include=dev\`, or copy dist from a machine that has built it.\n`,
    );
    return isLenient ? 0 : 1;
  }
  const why = isBuilt ? "the sources have changed" : "it has not been built yet";
  process.stderr.write(`Building ${name}, because ${why}. This can take a minute.\n`);
  rmSync(join(root, stamp), { force: true });
  const status = await run(process.execPath, [join(folder, path), ...words]);
  // Sources that changed meanwhile may be in dist or not: the next build looks again.
  if (status === 0 && fingerprint(target) === found) writeFileSync(join(root, stamp), found);
  return status;
}

function run(program, words) {
  return new Promise((resolve) => {
    // A build of a test run has React's production form too: the other one is twice as large, and slower.
    const env = { ...process.env, NODE_ENV: "production" };
    // Errors are printed to stderr; to stdout, the list of files.
    const child = spawn(program, words, { cwd: root, stdio: ["ignore", "ignore", "inherit"], env });
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function folderOf(program) {
  try {
    return dirname(require.resolve(`${program}/package.json`));
  } catch {
    return undefined;
  }
}
