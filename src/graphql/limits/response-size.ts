import { invalid } from "../../kernel/refusals.ts";
import { ResponseText } from "../../kernel/response-text.ts";
import { SYNCHRONOUS_LIMIT, TimeSlices } from "../../kernel/scheduling/cooperative-work.ts";

/** An answer may have about so many characters: a thousand orders with all their parts fit. */
export const MAX_RESPONSE_CHARACTERS = 16_000_000;

/**
 * Refuses an answer that is too large before it is serialized, which would block all other requests and take several
 * times its size of memory. @throws a Refusal ANSWER_TOO_LARGE.
 */
export async function requireResponseWithinLimit(data: unknown, maxCharacters: number): Promise<void> {
  if ((await countCharactersInTimeSlices(data, maxCharacters)) <= maxCharacters) return;
  throw invalid(
    "ANSWER_TOO_LARGE",
    `The answer would have more than ${maxCharacters} characters. Request smaller pages or slices, or fewer fields.`,
  );
}

/** Lists lie no deeper in an answer that are long by themselves: data, page, rows. */
const MAX_LONG_LIST_DEPTH = 3;

/** As `countCharacters`; long lists yield to other requests. */
async function countCharactersInTimeSlices(value: unknown, maxCharacters: number, depth = 0): Promise<number> {
  if (typeof value !== "object" || value === null || value instanceof ResponseText || depth === MAX_LONG_LIST_DEPTH)
    return countCharacters(value, maxCharacters);
  if (Array.isArray(value)) {
    if (value.length <= SYNCHRONOUS_LIMIT) return countCharacters(value, maxCharacters);
    const slices = new TimeSlices();
    let characters = 2;
    for (const item of value as unknown[]) {
      characters += countCharacters(item, maxCharacters) + 1;
      if (characters > maxCharacters) return characters;
      if (slices.isOver) await slices.yieldToOthers();
    }
    return characters;
  }
  let characters = 2;
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key];
    characters += key.length + 4 + (await countCharactersInTimeSlices(part, maxCharacters, depth + 1));
    if (characters > maxCharacters) return characters;
  }
  return characters;
}

/** About how long a value is as JSON; counting ends where it is too long. */
function countCharacters(value: unknown, maxCharacters: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (value instanceof ResponseText) return value.text.length;
  let characters = 2;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      characters += countCharacters(item, maxCharacters) + 1;
      if (characters > maxCharacters) return characters;
    }
    return characters;
  }
  for (const key in value) {
    characters += key.length + 4 + countCharacters((value as Record<string, unknown>)[key], maxCharacters);
    if (characters > maxCharacters) return characters;
  }
  return characters;
}
