import { invalid } from "../../kernel/refusals.ts";
import { SHORT, Turns } from "../../kernel/cooperative-work.ts";

/** An answer may have about so many characters: a thousand orders with all their parts fit. */
export const LARGEST_ANSWER = 16_000_000;

/**
 * Refuses an answer that is too large before it is written as text, which would hold up everybody else and take several
 * times its size of memory. @throws a Refusal ANSWER_TOO_LARGE.
 */
export async function refuseLargeAnswer(answer: unknown, largest: number): Promise<void> {
  if ((await charactersInTurns(answer, largest)) <= largest) return;
  throw invalid(
    "ANSWER_TOO_LARGE",
    `The answer would have more than ${largest} characters. Request smaller pages or slices, or fewer fields.`,
  );
}

/** Lists lie no deeper in an answer that are long by themselves: data, page, rows. */
const DEEPEST_LONG_LIST = 3;

/** As `charactersOf`; at long lists others have their turns. */
async function charactersInTurns(value: unknown, largest: number, depth = 0): Promise<number> {
  if (typeof value !== "object" || value === null || depth === DEEPEST_LONG_LIST) return charactersOf(value, largest);
  if (Array.isArray(value)) {
    if (value.length <= SHORT) return charactersOf(value, largest);
    const turns = new Turns();
    let characters = 2;
    for (const item of value as unknown[]) {
      characters += charactersOf(item, largest) + 1;
      if (characters > largest) return characters;
      if (turns.isOver) await turns.next();
    }
    return characters;
  }
  let characters = 2;
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key];
    characters += key.length + 4 + (await charactersInTurns(part, largest, depth + 1));
    if (characters > largest) return characters;
  }
  return characters;
}

/** About how long a value is as JSON; counting ends where it is too long. */
function charactersOf(value: unknown, largest: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let characters = 2;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      characters += charactersOf(item, largest) + 1;
      if (characters > largest) return characters;
    }
    return characters;
  }
  for (const key in value) {
    characters += key.length + 4 + charactersOf((value as Record<string, unknown>)[key], largest);
    if (characters > largest) return characters;
  }
  return characters;
}
