import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root: the folder of package.json, whether the code runs from its sources or from dist. */
const projectRoot = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
})();

/** The path of a file that is shipped as it is: a migration, a stored operation. */
export const projectFile = (path: string): string => join(projectRoot, path);
