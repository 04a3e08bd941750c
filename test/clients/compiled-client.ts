import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { projectFile } from "../../src/kernel/project-files.ts";

/** As strict as a merchant's own project would be, without the gateway's settings. */
const project = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "nodenext",
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmitOnError: true,
    rootDir: ".",
    outDir: "out",
  },
  include: ["*.ts"],
};

/** A folder for a generated client, where packages are found. */
export async function clientFolder(): Promise<string> {
  const place = projectFile("node_modules/.cache");
  await mkdir(place, { recursive: true });
  const folder = await mkdtemp(join(place, "client-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(project));
  return folder;
}

/** Type-checks and compiles the folder, and loads its `consumer.ts`. @throws with the compiler's errors. */
export async function compiled<Consumer>(folder: string): Promise<Consumer> {
  const tsc = projectFile("node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error: unknown) => {
    throw new Error((error as { stdout?: string }).stdout ?? "The compiler did not start.", { cause: error });
  });
  return (await import(pathToFileURL(join(folder, "out/consumer.js")).href)) as Consumer;
}

export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });
