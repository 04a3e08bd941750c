import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** A file of the console as it is sent, by its content coding. */
export interface ConsoleFile {
  type: string;
  /** The content by its coding: `br`, `gzip`, or `identity` for the plain file. */
  contents: ReadonlyMap<string, Buffer>;
}

/** The built console: its page, the page of the explorer, and the files that they load, by their paths below /console. */
export interface ConsoleFiles {
  page: string;
  explorerPage: string;
  assets: ReadonlyMap<string, ConsoleFile>;
  /** The names of the guides below /docs. */
  guides: ReadonlySet<string>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
  ["identity", ""],
] as const;

/** The files of the built console, read when they are first requested; undefined while it is not built. */
export function openConsoleFiles(folder: string): () => ConsoleFiles | undefined {
  let files: ConsoleFiles | undefined;
  return () => (files ??= readConsoleFiles(folder));
}

/** Reads them into memory: a request's path is looked up among their names and never reaches the file system. */
function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const assets = names.flatMap((name): [string, ConsoleFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const contents = CODINGS.filter(([, ending]) => names.includes(name + ending)).map(
      ([coding, ending]): [string, Buffer] => [coding, readFileSync(join(folder, name + ending))],
    );
    return [[name, { type, contents: new Map(contents) }]];
  });
  const readPage = (name: string) => readFileSync(join(folder, name), "utf8");
  return {
    page: readPage("index.html"),
    explorerPage: readPage("explorer.html"),
    assets: new Map(assets),
    guides: new Set(JSON.parse(readPage("guides.json")) as string[]),
  };
}
