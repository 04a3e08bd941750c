import { defineCommand, loadCommand, printLines, type Command, type CommandGroup } from "./command.ts";

/** A word that can follow a command: a command, a value or an option. */
interface Word {
  name: string;
  description: string;
}

/** The words that can follow a path of commands, such as ` recovery model`; that of the program itself is empty. */
interface Completion {
  words: Word[];
  /** Whether it is a command, whose arguments can be files, rather than a group of commands. */
  takesFiles: boolean;
}

async function collectCompletions(group: CommandGroup, path: string, into: Map<string, Completion>): Promise<void> {
  const entries = Object.entries(group.subCommands);
  const words = entries.map(([name, { meta }]) => ({ name, description: meta.description ?? "" }));
  into.set(path, { words, takesFiles: false });
  for (const [name, lazy] of entries) {
    const command = await loadCommand(lazy);
    if ("subCommands" in command) await collectCompletions(command, `${path} ${name}`, into);
    else into.set(`${path} ${name}`, { words: wordsOf(command), takesFiles: true });
  }
}

const wordsOf = ({ args, values }: Command): Word[] => [
  ...values.map((name) => ({ name, description: "" })),
  ...Object.entries(args).flatMap(([name, { type, description = "" }]) =>
    type === "positional" ? [] : [{ name: `--${name}`, description }],
  ),
  { name: "--help", description: "Explain the command" },
];

async function completionsOf(program: CommandGroup): Promise<Map<string, Completion>> {
  const completions = new Map<string, Completion>();
  await collectCompletions(program, "", completions);
  return completions;
}

const pathsOf = (completions: Map<string, Completion>): string[] => [...completions.keys()].filter(Boolean);

/** A function of bash that walks down the commands, and offers the words of the last one; zsh runs it too. */
async function bashLines(program: CommandGroup): Promise<string[]> {
  const completions = await completionsOf(program);
  const paths = pathsOf(completions).map((path) => `"${path}"`);
  return [
    "_recoup() {",
    '  local path="" words="" index',
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    case "$path \${COMP_WORDS[index]}" in`,
    `      ${paths.join(" | ")}) path="$path \${COMP_WORDS[index]}" ;;`,
    "    esac",
    "  done",
    '  case "$path" in',
    ...[...completions].map(
      ([path, { words }]) => `    "${path}") words="${words.map(({ name }) => name).join(" ")}" ;;`,
    ),
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    "complete -o default -F _recoup recoup",
  ];
}

const zshLines = async (program: CommandGroup): Promise<string[]> => [
  "autoload -U +X compinit && compinit",
  "autoload -U +X bashcompinit && bashcompinit",
  ...(await bashLines(program)),
];

/** The same for fish, which shows what each word means beside it. */
async function fishLines(program: CommandGroup): Promise<string[]> {
  const completions = await completionsOf(program);
  const commands = [...completions].filter(([, { takesFiles }]) => takesFiles).map(([path]) => `'${path}'`);
  return [
    "function _recoup_path",
    "  set -l path ''",
    "  for word in (commandline -opc)[2..-1]",
    '    switch "$path $word"',
    `      case ${pathsOf(completions)
      .map((path) => `'${path}'`)
      .join(" ")}`,
    '        set path "$path $word"',
    "    end",
    "  end",
    '  echo "$path"',
    "end",
    "function _recoup_words",
    '  switch "$argv[1]"',
    ...[...completions].flatMap(([path, { words }]) => [
      `    case '${path}'`,
      `      printf '%s\\t%s\\n' ${words.flatMap(({ name, description }) => [name, description].map(quoteForFish)).join(" ")}`,
    ]),
    "  end",
    "end",
    "complete -c recoup -f -a '(_recoup_words (_recoup_path))'",
    `complete -c recoup -n 'contains -- (_recoup_path) ${commands.join(" ").replaceAll("'", '"')}' -F`,
  ];
}

/** Fish knows two escapes between single quotes. */
const quoteForFish = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

const shells: Record<string, { load: string; lines: (program: CommandGroup) => Promise<string[]> }> = {
  bash: { load: 'eval "$(recoup completion bash)"', lines: bashLines },
  zsh: { load: 'eval "$(recoup completion zsh)"', lines: zshLines },
  fish: { load: "recoup completion fish | source", lines: fishLines },
};

/** `recoup completion`, for the commands of a program. */
export const createCompletionCommands = (program: CommandGroup): CommandGroup => ({
  meta: { name: "completion", description: "Prints the completion script of a shell." },
  subCommands: Object.fromEntries(
    Object.entries(shells).map(([name, { load, lines }]) => [
      name,
      defineCommand({ name, description: `Prints the script for ${name}: ${load}` }, {}, async (_args, errors) => {
        errors.throwIfAny();
        printLines(await lines(program));
      }),
    ]),
  ),
});
