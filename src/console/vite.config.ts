import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { renderGuides, renderRestReference } from "./docs/guides.plugin.ts";

/** Files that a compression makes smaller; the page itself is filled in for each answer. */
const COMPRESSIBLE = /[.](?:js|css|svg)$/;

/** Writes each file compressed beside itself, so that the gateway compresses nothing while it answers. */
const precompress: Plugin = {
  name: "precompress",
  // Not earlier: Vite changes the code until it is written.
  writeBundle({ dir = "." }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!COMPRESSIBLE.test(name)) continue;
      const content = Buffer.from(file.type === "chunk" ? file.code : file.source);
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
    }
  },
};

/** GraphiQL brings its fonts inside of its style sheet: 350 kB that the content policy would refuse. */
const omitGraphiqlFonts: Plugin = {
  name: "omit-graphiql-fonts",
  enforce: "pre",
  transform: (code, id) =>
    /graphiql[\\/]dist[\\/]style[.]css$/.test(id) ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : undefined,
};

/** The console's build; `build.mjs` runs it. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  clearScreen: false,
  logLevel: "warn",
  plugins: [renderGuides(), renderRestReference, omitGraphiqlFonts, precompress],
  build: {
    outDir: "../../dist/console",
    emptyOutDir: true,
    target: "es2022",
    // Browsers with light-dark(), which would otherwise be rewritten in a way that ignores Mantine's colour scheme.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The explorer is one file of GraphiQL, which only its own page loads.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: [join(import.meta.dirname, "index.html"), join(import.meta.dirname, "explorer.html")],
      checks: { pluginTimings: false },
      // Mantine marks each of its files for renderers on servers; there is none here.
      onLog: (level, log, handle) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
});
