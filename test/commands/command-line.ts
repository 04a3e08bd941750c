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

/** The built replay, run by some version of Node. */
export const recoveryReplayBy =
  (node: string, settings: Record<string, string>, limitMs: number) =>
  (...words: string[]): Promise<Ended> =>
    run(node, ["dist/src/commands/recovery-replay.js", ...words], settings, limitMs);

/** The built commands on one database. */
export const commandsOn = (settings: Record<string, string>, limitMs = LIMIT_MS) => ({
  vendorCreate: (...words: string[]) =>
    run(process.execPath, ["dist/src/commands/vendor-create.js", ...words], settings),
  keys: (...words: string[]) => run(process.execPath, ["dist/src/commands/keys.js", ...words], settings),
  charges: (...words: string[]) => run(process.execPath, ["dist/src/commands/charges.js", ...words], settings),
  gatewayVerify: (...words: string[]) =>
    run(process.execPath, ["dist/src/commands/gateway-verify.js", ...words], settings),
  recoveryBacktest: (...words: string[]) =>
    run(process.execPath, ["dist/src/commands/recovery-backtest.js", ...words], settings),
  recoveryReplay: (...words: string[]) => recoveryReplayBy(process.execPath, settings, limitMs)(...words),
  recoveryModel: (...words: string[]) =>
    run(process.execPath, ["dist/src/commands/recovery-model.js", ...words], settings),
  recoup: (...words: string[]) => run(process.execPath, ["dist/src/commands/recoup.js", ...words], settings, limitMs),
  secretsRotate: (...words: string[]) =>
    run(process.execPath, ["dist/src/commands/secrets-rotate.js", ...words], settings),
});

/** The built simulation, which needs no database. */
export const recoverySimulate = (...words: string[]): Promise<Ended> =>
  run(process.execPath, ["dist/src/commands/recovery-simulate.js", ...words], {});

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
