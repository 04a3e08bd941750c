import fc from "fast-check";

/*
 * Values and bodies that nobody should send. All are text, because JavaScript objects cannot have the same key twice.
 */

/** A JSON value as it is written: an object as its entries, an array as its items, anything else as its characters. */
export type JsonText = { entries: [string, JsonText][] } | { items: JsonText[] } | { text: string };

export function toJsonText(value: unknown): JsonText {
  if (Array.isArray(value)) return { items: value.map(toJsonText) };
  if (typeof value !== "object" || value === null) return { text: JSON.stringify(value) };
  return { entries: Object.entries(value).map(([key, part]) => [key, toJsonText(part)]) };
}

/** The characters of a value: as JSON, or as a literal of a GraphQL document. */
export function printJsonText(value: JsonText, as: "json" | "graphql" = "json"): string {
  if ("text" in value) return value.text;
  if ("items" in value) return `[${value.items.map((item) => printJsonText(item, as)).join(",")}]`;
  const key = (name: string) => (as === "graphql" ? name : JSON.stringify(name));
  return `{${value.entries.map(([name, part]) => `${key(name)}:${printJsonText(part, as)}`).join(",")}}`;
}

const nestedArrays = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const nestedObjects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

const oddTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "👩‍👩‍👧‍👦🇰🇷",
  "\u202eمرحبا\u202c",
  "\ufeff",
  "e\u0301".repeat(120),
  "__proto__",
  "constructor",
  "toString",
  "' or 1=1 --",
  "%_\\",
  "null",
  "NaN",
  "Infinity",
  "-0",
  "1e5",
  "0x10",
  "9007199254740993",
  "P1D",
  "-P1D",
  "P99999999999Y",
  "P1M2W",
  "PT1e400S",
  "2026-02-30T00:00:00Z",
  "2026-03-01T24:00:00Z",
  "2026-03-01T23:59:60Z",
  "0000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:59.999-23:59",
  "2026-03-01T00:00:00+99:99",
  "294277-01-01T00:00:00Z",
  "Q292ZXJPcmRlcjox",
  "Q292ZXJPcmRlcjotMQ",
  "x".repeat(256),
  "x".repeat(501),
  "語".repeat(4_001),
  "1 ".repeat(20_000),
  "a@b.".repeat(200),
];

const oddNumbers =
  "0 -0 -1 1 0.5 1.1234567 123456789012345678 1e308 -1e308 1e309 5e-324 1e-400 2147483648 9007199254740992 9007199254740993 1E400";

/** Values of another type than the expected one. */
const oddValues: readonly string[] = [
  "null",
  "true",
  "false",
  ...oddNumbers.split(" "),
  "9".repeat(400),
  ...oddTexts.map((word) => JSON.stringify(word)),
  "{}",
  "[]",
  "[[]]",
  "[null]",
  "[[[[1]]]]",
  '[{"__proto__":{"id":1}}]',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"id":1}}}',
  '{"length":1,"0":1}',
  '{"toJSON":1,"valueOf":2,"then":3}',
  nestedArrays(60),
  nestedArrays(500),
  nestedObjects(60),
  `[${"1,".repeat(3_000)}1]`,
];

/** Keys that mean something to JavaScript, or nothing to anyone. */
const oddKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "toJSON",
  "",
  "\0",
  "memo",
  "id",
  "vendorId",
];

const rawText = (characters: string): JsonText => ({ text: characters });

export const arbitraryOddValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }).map((word) => JSON.stringify(word)) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** One change to a value: at which of its places, which change, and with which key and value. */
export interface JsonMutation {
  at: number;
  kind: "replace" | "drop" | "repeat" | "add" | "wrap";
  key: string;
  value: string;
}

export const arbitraryMutation: fc.Arbitrary<JsonMutation> = fc.record({
  at: fc.nat(40),
  kind: fc.constantFrom("replace", "replace", "replace", "drop", "repeat", "add", "wrap"),
  key: fc.constantFrom(...oddKeys),
  value: arbitraryOddValue,
});

/** A copy of a value with one mutation. */
export function applyMutation(value: JsonText, { at, kind, key, value: odd }: JsonMutation): JsonText {
  const copy = structuredClone(value);
  const slots = slotsOf(copy);
  const slot = slots[at % Math.max(1, slots.length)];
  if (!slot) return rawText(odd);
  const { parent, index } = slot;
  const list: unknown[] = "entries" in parent ? parent.entries : parent.items;
  const toSlotValue = (part: JsonText, name?: string) =>
    "entries" in parent ? [name ?? parent.entries[index]![0], part] : part;
  if (kind === "drop") list.splice(index, 1);
  else if (kind === "replace") list[index] = toSlotValue(rawText(odd));
  else if (kind === "wrap") list[index] = toSlotValue({ items: [slot.part] });
  else list.push(toSlotValue(rawText(odd), kind === "add" ? key : undefined));
  return copy;
}

type JsonContainer = Exclude<JsonText, { text: string }>;

function slotsOf(value: JsonText): { parent: JsonContainer; index: number; part: JsonText }[] {
  if ("text" in value) return [];
  const parts = "entries" in value ? value.entries.map(([, part]) => part) : value.items;
  return parts.flatMap((part, index) => [{ parent: value, index, part }, ...slotsOf(part)]);
}

/** One change to the characters of a text: some are dropped, repeated, or inserted. */
export interface TextMutation {
  from: number;
  length: number;
  kind: "drop" | "repeat" | "insert" | "cut";
  inserted: string;
}

export const arbitraryTextMutation = (inserts: readonly string[]): fc.Arbitrary<TextMutation> =>
  fc.record({
    from: fc.nat(2_000),
    length: fc.integer({ min: 1, max: 30 }),
    kind: fc.constantFrom("drop", "repeat", "insert", "insert", "cut"),
    inserted: fc.oneof(fc.constantFrom(...inserts), fc.string({ unit: "binary", maxLength: 4 })),
  });

export function applyTextMutation(sentence: string, { from, length, kind, inserted }: TextMutation): string {
  const at = from % (sentence.length + 1);
  const [before, after] = [sentence.slice(0, at), sentence.slice(at)];
  if (kind === "cut") return before;
  if (kind === "drop") return before + after.slice(length);
  return before + (kind === "repeat" ? after.slice(0, length) : inserted) + after;
}
