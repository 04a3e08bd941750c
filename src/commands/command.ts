import { stripVTControlCharacters } from "node:util";
import { parseArgs, renderUsage, type ArgsDef, type CommandMeta, type ParsedArgs } from "citty";
import { DrizzleQueryError } from "drizzle-orm";
import { ConfigError, readConfig } from "../config.ts";
import { openDatabase, type Database, type Handle } from "../database/client.ts";
import { openStore } from "../database/database-connection.ts";
import { isOutage } from "../database/database-errors.ts";
import { IdempotencyRepository } from "../idempotency/idempotency.repository.ts";
import { IdempotencyService } from "../idempotency/idempotency.service.ts";
import { systemClock } from "../kernel/clock.ts";
import { Refusal } from "../kernel/refusals.ts";
import { Vault } from "../kernel/secret-vault.ts";
import { GatewayAccountRepository } from "../payments/gateways/gateway-account.repository.ts";
import { GatewayAccountService } from "../payments/gateways/gateway-account.service.ts";
import { PaymentRepository } from "../payments/payment.repository.ts";
import { RestoreRepository } from "../payments/restores/backup-restore.repository.ts";
import { RestoreService } from "../payments/restores/backup-restore.service.ts";
import { StoredMethodService } from "../payments/stored-method.service.ts";
import { CoverRepository } from "../recovery/covers/cover.repository.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { ApiKeyService } from "../vendors/api-key.service.ts";
import { VendorSettingsRepository } from "../vendors/vendor-settings.repository.ts";
import { VendorSettingsService } from "../vendors/vendor-settings.service.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import { VendorService } from "../vendors/vendor.service.ts";
import { Faults, WrongArguments } from "./argument-errors.ts";

/** One thing that can be asked for on the command line. */
export interface Command {
  meta: CommandMeta;
  args: ArgsDef;
  /** Does it, as the words ask. */
  perform(words: string[]): Promise<void>;
}

/** Several commands under one name, told apart by the first word. */
export interface CommandGroup {
  meta: CommandMeta;
  subCommands: Record<string, Command>;
}

/**
 * Makes a command. `act` is told what is wrong with the arguments so far, adds what it finds itself, and settles it all
 * before it acts.
 */
export const defineCommand = <const Args extends ArgsDef>(
  meta: CommandMeta,
  args: Args,
  act: (args: ParsedArgs<Args>, faults: Faults) => Promise<void>,
): Command => ({
  meta,
  args,
  perform: (words) => {
    const parsed = parseArgs<Args>(words, args);
    const faults = new Faults();
    faults.unexpected(parsed, args, words);
    return act(parsed, faults);
  },
});

/**
 * Runs the command that this process was started for. citty reads the arguments and writes the help; its own `runMain`
 * stays unused, because it stops at the first fault, lets unknown options pass, and prints stacks.
 */
export async function main(program: Command | CommandGroup): Promise<void> {
  const fail = (sentence: string) => {
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  };
  // A reader that hangs up, or a full disk, must not keep us from letting go of the database.
  process.stdout.on("error", ({ message }: Error) => {
    fail(`The answer could not be written: ${message}`);
  });
  try {
    await start(program, process.argv.slice(2));
  } catch (error) {
    fail(explain(error));
  }
}

async function start(program: Command | CommandGroup, words: string[]): Promise<void> {
  const group = "subCommands" in program ? program : undefined;
  const command = "subCommands" in program ? choose(program, words[0]) : program;
  if (words.includes("--help") || words.includes("-h")) {
    const usage = await renderUsage(command ?? program, command && group);
    process.stdout.write(`${process.stdout.isTTY ? usage : stripVTControlCharacters(usage)}\n`);
    return;
  }
  if (!command) {
    const choice = Object.keys(group?.subCommands ?? {}).join(", ");
    throw new WrongArguments([`The first word must be one of: ${choice}. Options follow it.`]);
  }
  await command.perform(group ? words.slice(1) : words);
}

const choose = ({ subCommands }: CommandGroup, word = ""): Command | undefined =>
  Object.hasOwn(subCommands, word) ? subCommands[word] : undefined;

/** What a command tells: text in lines, and the same as one object for programs. */
export interface Answer {
  lines: string[];
  json: object;
}

/** What a command may ask (`read`) and change (`write`), in one transaction and at one instant. */
export type Tools = ReturnType<typeof toolsOn>;

function toolsOn(handle: Handle, now: Date, vault: Vault) {
  const read = {
    vendors: new VendorRepository(handle),
    keys: new ApiKeyRepository(handle),
    covers: new CoverRepository(handle),
  };
  const write = {
    vendors: new VendorService(read.vendors, now),
    keys: new ApiKeyService(read.keys, now),
    settings: new VendorSettingsService(new VendorSettingsRepository(handle), read.vendors, vault, now),
    gateways: new GatewayAccountService(new GatewayAccountRepository(handle), vault, now),
    restores: new RestoreService(new RestoreRepository(handle), now),
    methods: new StoredMethodService(new PaymentRepository(handle), vault, now),
    answers: new IdempotencyService(new IdempotencyRepository(handle), vault, now),
  };
  return { read, write };
}

/** Runs work in one transaction on the database of the settings, prints its answer, and lets go of the database. */
export const onDatabase = (json: boolean | undefined, work: (tools: Tools) => Promise<Answer>): Promise<void> =>
  withDatabase(json, (database, vault) =>
    database.transaction((handle) => work(toolsOn(handle, systemClock.now(), vault))),
  );

/** Runs work on the database of the settings, prints its answer, and lets go of the database. */
export async function withDatabase(
  json: boolean | undefined,
  work: (database: Database, vault: Vault) => Promise<Answer>,
): Promise<void> {
  const config = readConfig(process.env);
  const store = await openStore(config.databaseUrl, config.dataDir);
  try {
    const database = openDatabase({
      url: store.url,
      place: store.place,
      connections: 1,
      prepare: !config.transactionPooler,
    });
    try {
      const vault = new Vault([...config.secretsKeys, ...store.secretsKeys]);
      const answer = await work(database, vault);
      // Printed before anything is closed: a token that is stored must be seen even where closing then fails.
      print(json ? [JSON.stringify(answer.json)] : answer.lines);
    } finally {
      await database.close();
    }
  } finally {
    await store.release();
  }
}

/** Names come from people and may bring line ends, or sequences that a terminal obeys; one record stays one line. */
const print = (lines: string[]): boolean =>
  process.stdout.write(lines.map((line) => `${line.replace(/(?!\t)\p{Cc}/gu, " ")}\n`).join(""));

type Value = string | number | boolean | Date | null;

const textOf = (value: Value): string => (value instanceof Date ? value.toISOString() : String(value ?? "-"));

/** Some values by name, one a line: `name: value`. */
export const record = (values: Record<string, Value>): Answer => ({
  lines: Object.entries(values).map(([name, value]) => `${name}: ${textOf(value)}`),
  json: values,
});

/** Values by name that end in a secret which is told only now. */
export function recordWithToken(values: Record<string, Value>, token: string): Answer {
  const { lines, json } = record({ ...values, token });
  return { lines: [...lines, "note: The token is shown this once and never again. Keep it now."], json };
}

/** Rows under a line of headings, in columns that tabs part. */
export const table = (headings: string[], rows: Value[][]): string[] =>
  [headings, ...rows].map((row) => row.map((value) => textOf(value).replaceAll("\t", " ")).join("\t"));

/** Why the command failed, in words: whoever runs it reads no stacks. */
function explain(error: unknown): string {
  if (error instanceof WrongArguments || error instanceof ConfigError || error instanceof Refusal) return error.message;
  // Drizzle's own message repeats the statement and all its parameters.
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  const { message, code = "no code" } = cause as NodeJS.ErrnoException;
  if (isOutage(cause))
    return `The database cannot be reached (${code}). Check DATABASE_URL; without it the embedded database is used.`;
  return `The command failed: ${message || code}`;
}
