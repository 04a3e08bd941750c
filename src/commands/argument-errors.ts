import type { ArgsDef } from "citty";

/** Arguments that cannot be: every one of them, in words. */
export class InvalidArgumentsError extends Error {
  constructor(errors: string[]) {
    super(
      `The arguments are wrong:\n${errors.map((error) => `  - ${error}`).join("\n")}\nAdd --help to see the options.`,
    );
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Collects the errors in the arguments, so that all are reported at once. Values are never repeated: one may be a
 * token.
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

  /** Finds what the command has no argument for; citty lets that pass. */
  addUnexpected(args: { _: string[] }, definitions: ArgsDef, words: string[]): void {
    const { _: loose, ...options } = args;
    const unknownOptions: string[] = [];
    for (const [name, value] of Object.entries<unknown>(options)) {
      const type = Object.hasOwn(definitions, name) ? definitions[name]?.type : undefined;
      const negated = value === false && words.includes(`--no-${name}`);
      if (type === undefined || (type === "string" && negated)) unknownOptions.push(optionText(name, negated));
      if (type === "boolean" && words.some((word) => word.startsWith(`--${name}=`)))
        this.add(`--${name} takes no value.`);
    }
    for (const option of unknownOptions) this.add(`There is no option ${option}.`);
    // The word after an option that we do not have is most likely its value, and needs no sentence of its own.
    const strayWords = loose.filter((word) => !unknownOptions.includes(words[words.indexOf(word) - 1] ?? ""));
    this.check(strayWords.length === 0, "There are values without an option; put a text with blanks in quotes.");
  }

  /** The text of an option that names something. */
  readText(option: string, value: string | undefined): string {
    // `--no-name` makes it false, contrary to its type.
    const text = typeof value === "string" ? value.trim() : "";
    // A value that looks like an option is the next option: the value is missing.
    const isValid = text !== "" && !text.startsWith("--") && !/\p{Cc}/u.test(text);
    this.check(
      isValid,
      value === undefined ? `--${option} is missing.` : `--${option} must be a text on one line, and not blank.`,
    );
    return text;
  }

  /** The vendor's uuid in an option, or undefined if it is not one. */
  readUuid(option: string, value: string | undefined): string | undefined {
    if (value !== undefined && UUID.test(value)) return value;
    this.add(value === undefined ? `--${option} is missing.` : `--${option} must be the uuid of a vendor.`);
    return undefined;
  }

  /** Goes on only where nothing is wrong. @throws InvalidArgumentsError */
  throwIfAny(): void {
    if (this.messages.length > 0) throw new InvalidArgumentsError(this.messages);
  }
}

const optionText = (name: string, negated: boolean): string =>
  negated ? `--no-${name}` : `${name.length === 1 ? "-" : "--"}${name}`;
