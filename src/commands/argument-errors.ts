import type { ArgsDef } from "citty";

/** Arguments that cannot be: every one of them, in words. */
export class WrongArguments extends Error {
  constructor(faults: string[]) {
    super(
      `The arguments are wrong:\n${faults.map((fault) => `  - ${fault}`).join("\n")}\nAdd --help to see what can be said.`,
    );
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is wrong with the arguments, gathered so that all of it is told at once. Values are never repeated: one may be a token. */
export class Faults {
  private readonly sentences: string[] = [];

  add(sentence: string): void {
    this.sentences.push(sentence);
  }

  /** Claims something about an argument; the sentence is for the case that it does not hold. */
  unless(holds: boolean, sentence: string): void {
    if (!holds) this.add(sentence);
  }

  /** Finds what the command has no argument for; citty lets that pass. */
  unexpected(args: { _: string[] }, definitions: ArgsDef, words: string[]): void {
    const { _: loose, ...options } = args;
    const strange: string[] = [];
    for (const [name, value] of Object.entries<unknown>(options)) {
      const type = Object.hasOwn(definitions, name) ? definitions[name]!.type : undefined;
      const negated = value === false && words.includes(`--no-${name}`);
      if (type === undefined || (type === "string" && negated)) strange.push(optionText(name, negated));
      if (type === "boolean" && words.some((word) => word.startsWith(`--${name}=`)))
        this.add(`--${name} takes no value.`);
    }
    for (const option of strange) this.add(`There is no option ${option}.`);
    // The word after an option that we do not have is most likely its value, and needs no sentence of its own.
    const astray = loose.filter((word) => !strange.includes(words[words.indexOf(word) - 1] ?? ""));
    this.unless(astray.length === 0, "There are words that belong to no option; put a text with blanks in quotes.");
  }

  /** The text of an option that names something. */
  name(option: string, given: string | undefined): string {
    // `--no-name` makes it false, whatever its type says.
    const text = typeof given === "string" ? given.trim() : "";
    // What looks like an option is the next one: the value was forgotten.
    const fine = text !== "" && !text.startsWith("--") && !/\p{Cc}/u.test(text);
    this.unless(
      fine,
      given === undefined ? `--${option} is missing.` : `--${option} must be a text on one line, and not blank.`,
    );
    return text;
  }

  /** The vendor's uuid that an option holds, or undefined where it is none. */
  uuid(option: string, given: string | undefined): string | undefined {
    if (given !== undefined && UUID.test(given)) return given;
    this.add(given === undefined ? `--${option} is missing.` : `--${option} must be the uuid of a vendor.`);
    return undefined;
  }

  /** Goes on only where nothing is wrong. @throws WrongArguments */
  settle(): void {
    if (this.sentences.length > 0) throw new WrongArguments(this.sentences);
  }
}

const optionText = (name: string, negated: boolean): string =>
  negated ? `--no-${name}` : `${name.length === 1 ? "-" : "--"}${name}`;
