import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { callWorld } from "./payment-validation.ts";
import { InvalidWorldError, type World } from "./world.ts";

const isModule = (file: string): boolean => /\.m?js$/.test(file);

/**
 * Finds the world files of a path: the file itself, or the modules of a folder, sorted by name. The path is resolved
 * against the first of the folders in which it exists. @throws InvalidWorldError
 */
export async function findWorldFiles(path: string, folders: readonly string[]): Promise<string[]> {
  for (const folder of folders) {
    const absolutePath = resolve(folder, path);
    const found = await stat(absolutePath).catch(() => undefined);
    if (!found) continue;
    if (found.isDirectory()) {
      const files = (await readdir(absolutePath)).filter(isModule).sort();
      if (files.length === 0)
        throw new InvalidWorldError(`The folder ${path} has no worlds: no file ends in .mjs or .js.`);
      return files.map((file) => join(absolutePath, file));
    }
    if (!isModule(path))
      throw new InvalidWorldError(`${path} is not a world: a world is a module that ends in .mjs or .js.`);
    return [absolutePath];
  }
  throw new InvalidWorldError(`There is no file ${path}.`);
}

/** Loads the world that a file exports by default. @throws InvalidWorldError */
export async function loadWorld(file: string): Promise<World> {
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    throw new InvalidWorldError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  return callWorld(file, () => validateWorld(module.default, file));
}

function validateWorld(value: unknown, file: string): World {
  if (typeof value !== "object" || value === null)
    throw new InvalidWorldError(
      `${file} is not a world: its default export must be an object with a name and generate.`,
    );
  const { name, generate } = value as Partial<Record<keyof World, unknown>>;
  if (typeof name !== "string" || name.trim() === "")
    throw new InvalidWorldError(`${file} is not a world: its name must be a string that is not blank.`);
  if (typeof generate !== "function")
    throw new InvalidWorldError(`${file} is not a world: its generate must be a function.`);
  return value as World;
}
