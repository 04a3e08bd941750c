import { stringifyWithTexts } from "../../kernel/response-text.ts";
import { mapInTimeSlices, SYNCHRONOUS_LIMIT } from "../../kernel/scheduling/cooperative-work.ts";

/** Lists lie no deeper in an answer that are long by themselves: answer, data, page, rows. */
const MAX_LONG_LIST_DEPTH = 4;

/** Serializes an answer as JSON. Long lists yield to other requests meanwhile. */
export const stringifyResponse = async (response: object): Promise<string> =>
  `${hasLongList(response) ? await stringifyInTimeSlices(response) : stringifyWithTexts(response)}\n`;

function hasLongList(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > MAX_LONG_LIST_DEPTH) return false;
  if (Array.isArray(value)) return value.length > SYNCHRONOUS_LIMIT;
  return Object.values(value).some((part) => hasLongList(part, depth + 1));
}

async function stringifyInTimeSlices(value: unknown): Promise<string> {
  if (Array.isArray(value) && value.length > SYNCHRONOUS_LIMIT)
    return `[${(await mapInTimeSlices(value as unknown[], (item) => stringifyWithTexts(item))).join(",")}]`;
  if (!hasLongList(value)) return stringifyWithTexts(value);
  const parts: string[] = [];
  for (const [key, part] of Object.entries(value as object))
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${await stringifyInTimeSlices(part)}`);
  return `{${parts.join(",")}}`;
}
