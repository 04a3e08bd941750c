import { defineCommand, loadCommand, printLines, type Command, type CommandGroup } from "./command.ts";

/** The words that can follow each command, by its path. */
async function collectWords(group: CommandGroup, path: string, words: Map<string, string[]>): Promise<void> {
  words.set(path, Object.keys(group.subCommands));
  for (const [name, lazy] of Object.entries(group.subCommands)) {
    const command = await loadCommand(lazy);
    if ("subCommands" in command) await collectWords(command, `${path} ${name}`, words);
    else words.set(`${path} ${name}`, optionsOf(command));
  }
}

const optionsOf = ({ args }: Command): string[] => [
  ...Object.entries(args).flatMap(([name, { type }]) => (type === "positional" ? [] : [`--${name}`])),
  "--help",
];

/** A function of bash that walks down the commands, and offers the words of the last one; zsh runs it too. */
async function bashLines(program: CommandGroup): Promise<string[]> {
  const words = new Map<string, string[]>();
  await collectWords(program, "", words);
  const paths = [...words.keys()].filter((path) => path !== "");
  return [
    "_recoup() {",
    '  local path="" words="" index',
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    case "$path \${COMP_WORDS[index]}" in`,
    `      ${paths.map((path) => `"${path}"`).join(" | ")}) path="$path \${COMP_WORDS[index]}" ;;`,
    "    esac",
    "  done",
    '  case "$path" in',
    ...[...words].map(([path, all]) => `    "${path}") words="${all.join(" ")}" ;;`),
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    "complete -o default -F _recoup recoup",
  ];
}

/** `recoup completion`, for the commands of a program. */
export function createCompletionCommands(program: CommandGroup): CommandGroup {
  const bash = defineCommand(
    { name: "bash", description: 'Prints the script for bash: eval "$(recoup completion bash)"' },
    {},
    async (_args, errors) => {
      errors.throwIfAny();
      printLines(await bashLines(program));
    },
  );
  const zsh = defineCommand(
    { name: "zsh", description: 'Prints the script for zsh: eval "$(recoup completion zsh)"' },
    {},
    async (_args, errors) => {
      errors.throwIfAny();
      printLines(["autoload -U +X compinit && compinit", "autoload -U +X bashcompinit && bashcompinit"]);
      printLines(await bashLines(program));
    },
  );
  return {
    meta: { name: "completion", description: "Prints the completion script of a shell." },
    subCommands: { bash, zsh },
  };
}
