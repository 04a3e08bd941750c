import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The result of a command. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Longer than any command needs: one that still runs hangs, and its code is null. */
const LIMIT_MS = 45_000;

/** Runs a program in the project's folder, with nothing of this process's environment but the path to programs. */
function run(file: string, words: string[], settings: Record<string, string>, timeout = LIMIT_MS): Promise<Ended> {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], LOG_LEVEL: "silent", ...settings };
  return new Promise((resolve) => {
    const child = execFile(file, words, { cwd: root, env, timeout }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** Runs a package script with the existing build. */
export const npmRun = (
  script: string,
  words: string[],
  settings: Record<string, string>,
  timeout?: number,
): Promise<Ended> => run("npm", ["run", "-s", "--ignore-scripts", script, "--", ...words], settings, timeout);

const RECOUP = "dist/src/commands/recoup.js";

/** The built replay, run by some version of Node. */
export const recoveryReplayBy =
  (node: string, settings: Record<string, string>, limitMs: number) =>
  (...words: string[]): Promise<Ended> =>
    run(node, [RECOUP, "recovery", "replay", ...words], settings, limitMs);

/** The built commands on one database. */
export function commandsOn(settings: Record<string, string>, limitMs = LIMIT_MS) {
  const recoup =
    (...path: string[]) =>
    (...words: string[]): Promise<Ended> =>
      run(process.execPath, [RECOUP, ...path, ...words], settings, limitMs);
  return {
    vendorCreate: recoup("vendor", "create"),
    cells: recoup("cells"),
    keys: recoup("keys"),
    people: recoup("people"),
    charges: recoup("charges"),
    gatewayVerify: recoup("gateway", "verify"),
    recoveryBacktest: recoup("recovery", "backtest"),
    recoveryReplay: recoup("recovery", "replay"),
    recoveryModel: recoup("recovery", "model"),
    recoup: recoup(),
    secretsRotate: recoup("secrets", "rotate"),
  };
}

/** The built simulation, which needs no database. */
export const recoverySimulate = (...words: string[]): Promise<Ended> =>
  run(process.execPath, [RECOUP, "recovery", "simulate", ...words], {});

/** The values of `name: value` lines. */
export function recordOf({ code, out, err }: Ended): Record<string, string> {
  if (code !== 0) throw new Error(`The command ended with ${String(code)}: ${err}`);
  return Object.fromEntries(
    out
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
}

/** The separate errors of wrong arguments. */
export const faultsOf = ({ err }: Ended): string[] =>
  err
    .split("\n")
    .filter((line) => line.startsWith("  - "))
    .map((line) => line.slice(4));
