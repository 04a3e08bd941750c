import { resolve } from "node:path";
import type { ArgsDef } from "citty";

/** Reports all invalid arguments of a command, one sentence each. */
export class InvalidArgumentsError extends Error {
  constructor(errors: string[]) {
    super(
      `The arguments are wrong:\n${errors.map((error) => `  - ${error}`).join("\n")}\nAdd --help to see the options.`,
    );
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Collects the errors in the arguments, so that all are reported at once. Messages never contain a value, because it may
 * be a token.
 */
export class ArgumentErrors {
  private readonly messages: string[] = [];

  add(message: string): void {
    this.messages.push(message);
  }

  /** Adds the message as an error if the condition is false. */
  check(holds: boolean, message: string): void {
    if (!holds) this.add(message);
  }

  /** Adds an error for each unknown option, and for values without an option. citty accepts both. */
  addUnexpected(args: { _: string[] }, definitions: ArgsDef, words: string[]): void {
    const { _: loose, ...options } = args;
    const unknownOptions: string[] = [];
    for (const [name, value] of Object.entries<unknown>(options)) {
      // citty gives `--try-price` as `tryPrice` too; who writes the latter has written no option of the command.
      const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const isWritten = words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
      if (dashed !== name && Object.hasOwn(definitions, dashed) && !isWritten) continue;
      const type = Object.hasOwn(definitions, name) ? definitions[name]?.type : undefined;
      const negated = value === false && words.includes(`--no-${name}`);
      if (type === undefined || (type === "string" && negated)) unknownOptions.push(optionText(name, negated));
      if (type === "boolean" && words.some((word) => word.startsWith(`--${name}=`)))
        this.add(`--${name} takes no value.`);
    }
    for (const option of unknownOptions) this.add(`There is no option ${option}.`);
    // The word after an unknown option is most likely its value and needs no second error.
    const ownWords = loose.filter((word) => !unknownOptions.includes(words[words.indexOf(word) - 1] ?? ""));
    const positions = Object.values(definitions).filter(({ type }) => type === "positional").length;
    this.check(ownWords.length <= positions, "There are values without an option. Put text with spaces in quotes.");
  }

  /** Reads a file's name, which stands without an option. */
  readPath(name: string, value: string | undefined): string {
    const text = value?.trim() ?? "";
    this.check(text !== "" && !/\p{Cc}/u.test(text), `${name} is missing: the name of a file.`);
    return toPath(text);
  }

  /** Reads an option that must be one line of text; `label` is what the command's help calls it. */
  readText(option: string, value: string | undefined, label = `--${option}`): string {
    // `--no-name` sets the value to false, contrary to its type.
    const text = typeof value === "string" ? value.trim() : "";
    // A value that looks like an option is the next option, so the value is missing.
    const isValid = text !== "" && !text.startsWith("--") && !/\p{Cc}/u.test(text);
    this.check(
      isValid,
      value === undefined ? `${label} is missing.` : `${label} must be one line of text, and not blank.`,
    );
    return text;
  }

  /** Reads the address of a PostgreSQL database from an option. */
  readDatabaseUrl(option: string, value: string | undefined): string {
    this.check(
      value !== undefined && /^postgres(ql)?:\/\/\S+$/.test(value),
      value === undefined ? `--${option} is missing.` : `--${option} must be a postgres:// address.`,
    );
    return value ?? "";
  }

  /** Reads a vendor's uuid from an option. Adds an error and returns undefined if it is not one. */
  readUuid(option: string, value: string | undefined): string | undefined {
    if (value !== undefined && UUID.test(value)) return value;
    this.add(value === undefined ? `--${option} is missing.` : `--${option} must be the uuid of a vendor.`);
    return undefined;
  }

  /** @throws InvalidArgumentsError with all errors, if there are any. */
  throwIfAny(): void {
    if (this.messages.length > 0) throw new InvalidArgumentsError(this.messages);
  }
}

/** Paths are relative to the folder that npm was started in. */
export const toPath = (name: string): string => resolve(process.env["INIT_CWD"] ?? process.cwd(), name);

const optionText = (name: string, negated: boolean): string =>
  negated ? `--no-${name}` : `${name.length === 1 ? "-" : "--"}${name}`;
