import { stripVTControlCharacters } from "node:util";
import { parseArgs, renderUsage, type ArgsDef, type CommandMeta, type ParsedArgs } from "citty";
import { DrizzleQueryError } from "drizzle-orm";
import { ConfigError } from "../config.ts";
import { isDatabaseOutage } from "../database/database-errors.ts";
import { Refusal } from "../kernel/refusals.ts";
import { nearestWord } from "../kernel/suggestions.ts";
import { OperationError } from "../operations/operation-error.ts";
import { ArgumentErrors, InvalidArgumentsError } from "./argument-errors.ts";

/** A gateway that does not answer. */
export class UnreachableError extends Error {}

/** One command of the command line. */
export interface Command {
  meta: CommandMeta;
  args: ArgsDef;
  /** The values of the argument without an option, if they are known beforehand. */
  values: readonly string[];
  /** Runs the command with its arguments. */
  execute(words: string[]): Promise<void>;
}

/** Several commands under one name, selected by the first word. */
export interface CommandGroup {
  meta: CommandMeta;
  subCommands: Record<string, Command | CommandGroup | LazyCommand>;
}

/** A command whose code is loaded when it is called: its libraries take longer to load than many commands run. */
export interface LazyCommand {
  meta: CommandMeta;
  load: () => Promise<Command | CommandGroup>;
}

/**
 * Defines a command. `action` receives the errors found so far, adds its own, and must call `throwIfAny` before it changes
 * anything.
 */
export const defineCommand = <const Args extends ArgsDef>(
  meta: CommandMeta,
  args: Args,
  action: (args: ParsedArgs<Args>, errors: ArgumentErrors) => Promise<void>,
  values: readonly string[] = [],
): Command => ({
  meta,
  args,
  values,
  execute: (words) => {
    const parsed = parseArgs<Args>(words, args);
    const errors = new ArgumentErrors();
    errors.addUnexpected(parsed, args, words);
    return action(parsed, errors);
  },
});

/** The exit codes, as docs/command-line.md describes them. */
const exitCodes = { failed: 1, wrongCall: 2, unreachable: 3 };

/**
 * Runs the command of this process. citty parses the arguments and renders the help. Its `runMain` is not used, because it
 * stops at the first error, accepts unknown options, and prints stack traces.
 */
export async function runProgram(program: CommandGroup): Promise<void> {
  const fail = (sentence: string, code: number) => {
    process.stderr.write(`${sentence}\n`);
    process.exitCode = code;
  };
  // A closed pipe or a full disk must not prevent the release of the database.
  const output = { isLost: false };
  process.stdout.on("error", ({ message }: Error) => {
    output.isLost = true;
    fail(`The output could not be written: ${message}`, exitCodes.failed);
  });
  try {
    await dispatch(program, readWords(process.argv.slice(2)));
  } catch (error) {
    // What waits for the output fails with its error, which has been reported.
    if (!output.isLost) fail(describeError(error), exitCodeOf(error));
  }
}

/** Other programs have `--version`, and help as a word before the command. */
function readWords(words: string[]): string[] {
  const [first, ...rest] = words;
  if (first === "--version" || first === "-v") return ["version", ...rest];
  return first === "help" ? [...rest, "--help"] : words;
}

async function dispatch(program: CommandGroup, words: string[]): Promise<void> {
  let found: Command | CommandGroup = program;
  const path: string[] = [];
  while ("subCommands" in found) {
    const [word = ""] = words;
    const next: Command | CommandGroup | LazyCommand | undefined = Object.hasOwn(found.subCommands, word)
      ? found.subCommands[word]
      : undefined;
    if (!next) break;
    path.push(found.meta.name as string);
    words = words.slice(1);
    found = await loadCommand(next);
  }
  if (words.includes("--help") || words.includes("-h")) {
    const usage = await renderUsage(found, path.length > 0 ? { meta: { name: path.join(" ") } } : undefined);
    process.stdout.write(`${process.stdout.isTTY ? usage : stripVTControlCharacters(usage)}\n`);
  } else if ("subCommands" in found) {
    const place = path.length > 0 ? `The argument after ${[...path, found.meta.name].join(" ")}` : "The first argument";
    const names = Object.keys(found.subCommands);
    const nearest = nearestWord(words[0] ?? "", names);
    const suggestion = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    throw new InvalidArgumentsError([`${place} must be one of: ${names.join(", ")}. Options follow it.${suggestion}`]);
  } else await found.execute(words);
}

/** The command itself. */
export const loadCommand = async (command: Command | CommandGroup | LazyCommand): Promise<Command | CommandGroup> =>
  "load" in command ? command.load() : command;

/** The output of a command: as lines of text, and as one object for `--json`. */
export interface CommandOutput {
  lines: string[];
  json: object;
}

/** Prints the output of a command. */
export const printOutput = (json: boolean | undefined, output: CommandOutput): boolean =>
  printLines(json ? [JSON.stringify(output.json)] : output.lines);

/** Prints lines. Control characters in names are replaced: they could end a line or control the terminal. */
export const printLines = (lines: string[]): boolean =>
  process.stdout.write(lines.map((line) => `${line.replace(/(?!\t)\p{Cc}/gu, " ")}\n`).join(""));

type Value = string | number | boolean | Date | null;

const formatValue = (value: Value): string => (value instanceof Date ? value.toISOString() : String(value ?? "-"));

/** Formats named values, each on a line of its own: `name: value`. */
export const toRecordOutput = (values: Record<string, Value>): CommandOutput => ({
  lines: Object.entries(values).map(([name, value]) => `${name}: ${formatValue(value)}`),
  json: values,
});

/** Formats named values and a token, with the note that the token is shown only once. */
export function toRecordOutputWithToken(values: Record<string, Value>, token: string): CommandOutput {
  const { lines, json } = toRecordOutput({ ...values, token });
  return { lines: [...lines, "note: The token is shown only now and never again. Store it now."], json };
}

/** Formats rows under a line of headings, with columns separated by tabs. */
export const toTableLines = (headings: string[], rows: Value[][]): string[] =>
  [headings, ...rows].map((row) => row.map((value) => formatValue(value).replaceAll("\t", " ")).join("\t"));

const causeOf = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error);

function exitCodeOf(error: unknown): number {
  if (error instanceof InvalidArgumentsError || error instanceof ConfigError) return exitCodes.wrongCall;
  const isUnreachable = error instanceof UnreachableError || isDatabaseOutage(causeOf(error));
  return isUnreachable ? exitCodes.unreachable : exitCodes.failed;
}

/** Describes the error of a failed command in a sentence, without a stack trace. */
function describeError(error: unknown): string {
  const explained = [InvalidArgumentsError, ConfigError, OperationError, Refusal, UnreachableError];
  if (error instanceof Error && explained.some((kind) => error instanceof kind)) return error.message;
  // Drizzle's own message repeats the statement and all its parameters.
  const cause = causeOf(error);
  const { message, code = "no code" } = cause as NodeJS.ErrnoException;
  if (isDatabaseOutage(cause))
    return `The database cannot be reached (${code}). Check DATABASE_URL; without it the embedded database is used.`;
  return `The command failed: ${message || code}`;
}
