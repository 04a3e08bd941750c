import { inTurns, SHORT } from "../kernel/cooperative-work.ts";

/** Lists lie no deeper in an answer that are long by themselves: answer, data, page, rows. */
const DEEPEST_LONG_LIST = 4;

/** An answer as JSON. Where it has a long list, others have their turns while that is written. */
export const answerText = async (answer: object): Promise<string> =>
  `${hasLongList(answer) ? await textInTurns(answer) : JSON.stringify(answer)}\n`;

function hasLongList(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > DEEPEST_LONG_LIST) return false;
  if (Array.isArray(value)) return value.length > SHORT;
  return Object.values(value).some((part) => hasLongList(part, depth + 1));
}

async function textInTurns(value: unknown): Promise<string> {
  if (Array.isArray(value) && value.length > SHORT)
    return `[${(await inTurns(value as unknown[], (item) => JSON.stringify(item))).join(",")}]`;
  if (!hasLongList(value)) return JSON.stringify(value);
  const parts: string[] = [];
  for (const [key, part] of Object.entries(value as object))
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${await textInTurns(part)}`);
  return `{${parts.join(",")}}`;
}
