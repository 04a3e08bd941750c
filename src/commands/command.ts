import { stripVTControlCharacters } from "node:util";
import { parseArgs, renderUsage, type ArgsDef, type CommandMeta, type ParsedArgs } from "citty";
import { DrizzleQueryError } from "drizzle-orm";
import { ConfigError, readConfig, type Config } from "../config.ts";
import { openDatabase, type Database, type Handle } from "../database/client.ts";
import { openDatabaseSource } from "../database/database-connection.ts";
import { isDatabaseOutage } from "../database/database-errors.ts";
import { createServices } from "../graphql/services.ts";
import { systemClock } from "../kernel/clock.ts";
import { Refusal } from "../kernel/refusals.ts";
import { SecretVault } from "../kernel/secret-vault.ts";
import { OperationError } from "../operations/operation-error.ts";
import { CoverRepository } from "../recovery/covers/cover.repository.ts";
import { RecoveryModelRepository } from "../recovery/models/recovery-model.repository.ts";
import { RecoveryPoolingRepository } from "../recovery/pooling/recovery-pooling.repository.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import { ArgumentErrors, InvalidArgumentsError } from "./argument-errors.ts";

/** One command of the command line. */
export interface Command {
  meta: CommandMeta;
  args: ArgsDef;
  /** Runs the command with its arguments. */
  execute(words: string[]): Promise<void>;
}

/** Several commands under one name, selected by the first word. */
export interface CommandGroup {
  meta: CommandMeta;
  subCommands: Record<string, Command>;
}

/**
 * Defines a command. `action` receives the errors found so far, adds its own, and must call `throwIfAny` before it changes
 * anything.
 */
export const defineCommand = <const Args extends ArgsDef>(
  meta: CommandMeta,
  args: Args,
  action: (args: ParsedArgs<Args>, errors: ArgumentErrors) => Promise<void>,
): Command => ({
  meta,
  args,
  execute: (words) => {
    const parsed = parseArgs<Args>(words, args);
    const errors = new ArgumentErrors();
    errors.addUnexpected(parsed, args, words);
    return action(parsed, errors);
  },
});

/**
 * Runs the command of this process. citty parses the arguments and renders the help. Its `runMain` is not used, because it
 * stops at the first error, accepts unknown options, and prints stack traces.
 */
export async function runProgram(program: Command | CommandGroup): Promise<void> {
  const fail = (sentence: string) => {
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  };
  // A closed pipe or a full disk must not prevent the release of the database.
  process.stdout.on("error", ({ message }: Error) => {
    fail(`The output could not be written: ${message}`);
  });
  try {
    await dispatch(program, process.argv.slice(2));
  } catch (error) {
    fail(describeError(error));
  }
}

async function dispatch(program: Command | CommandGroup, words: string[]): Promise<void> {
  const group = "subCommands" in program ? program : undefined;
  const command = "subCommands" in program ? findSubCommand(program, words[0]) : program;
  if (words.includes("--help") || words.includes("-h")) {
    const usage = await renderUsage(command ?? program, command && group);
    process.stdout.write(`${process.stdout.isTTY ? usage : stripVTControlCharacters(usage)}\n`);
    return;
  }
  if (!command) {
    const choice = Object.keys(group?.subCommands ?? {}).join(", ");
    throw new InvalidArgumentsError([`The first argument must be one of: ${choice}. Options follow it.`]);
  }
  await command.execute(group ? words.slice(1) : words);
}

const findSubCommand = ({ subCommands }: CommandGroup, word = ""): Command | undefined =>
  Object.hasOwn(subCommands, word) ? subCommands[word] : undefined;

/** The output of a command: as lines of text, and as one object for `--json`. */
export interface CommandOutput {
  lines: string[];
  json: object;
}

/** The services for a command's queries (`read`) and changes (`write`), in one transaction and at one instant. */
export type CommandServices = ReturnType<typeof createCommandServices>;

function createCommandServices(handle: Handle, now: Date, vault: SecretVault) {
  const read = {
    vendors: new VendorRepository(handle),
    keys: new ApiKeyRepository(handle),
    covers: new CoverRepository(handle),
    recoveryModels: new RecoveryModelRepository(handle),
    recoveryPoolings: new RecoveryPoolingRepository(handle),
  };
  return { read, write: createServices(handle, now, vault), now };
}

/** Runs work in one transaction on the configured database, prints its output, and releases the database. */
export const runInTransaction = (
  json: boolean | undefined,
  work: (tools: CommandServices) => Promise<CommandOutput>,
): Promise<void> =>
  withDatabase(json, (database, vault) =>
    database.transaction((handle) => work(createCommandServices(handle, systemClock.now(), vault))),
  );

/** Runs work on the configured database, prints its output, and releases the database. */
export async function withDatabase(
  json: boolean | undefined,
  work: (database: Database, vault: SecretVault, config: Config) => Promise<CommandOutput>,
): Promise<void> {
  const config = readConfig(process.env);
  const store = await openDatabaseSource(config.databaseUrl, config.dataDir);
  try {
    const database = openDatabase({
      url: store.url,
      identity: store.identity,
      poolSize: 1,
      prepare: !config.transactionPooler,
    });
    try {
      const vault = new SecretVault([...config.secretsKeys, ...store.secretsKeys]);
      const output = await work(database, vault, config);
      // Printed before closing: a stored token must be shown even if closing fails.
      printOutput(json, output);
    } finally {
      await database.close();
    }
  } finally {
    await store.release();
  }
}

/** Prints the output of a command. */
export const printOutput = (json: boolean | undefined, output: CommandOutput): boolean =>
  printLines(json ? [JSON.stringify(output.json)] : output.lines);

/** Prints lines. Control characters in names are replaced: they could end a line or control the terminal. */
const printLines = (lines: string[]): boolean =>
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

/** Describes the error of a failed command in a sentence, without a stack trace. */
function describeError(error: unknown): string {
  const explained = [InvalidArgumentsError, ConfigError, OperationError, Refusal];
  if (error instanceof Error && explained.some((kind) => error instanceof kind)) return error.message;
  // Drizzle's own message repeats the statement and all its parameters.
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  const { message, code = "no code" } = cause as NodeJS.ErrnoException;
  if (isDatabaseOutage(cause))
    return `The database cannot be reached (${code}). Check DATABASE_URL; without it the embedded database is used.`;
  return `The command failed: ${message || code}`;
}
