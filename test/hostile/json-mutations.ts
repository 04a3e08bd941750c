import fc from "fast-check";

/* Values and bodies that nobody should send. All is text, because objects of JavaScript cannot say the same key twice. */

/** A JSON value as it is written: an object as its entries, an array as its items, anything else as its characters. */
export type Written = { entries: [string, Written][] } | { items: Written[] } | { text: string };

export function written(value: unknown): Written {
  if (Array.isArray(value)) return { items: value.map(written) };
  if (typeof value !== "object" || value === null) return { text: JSON.stringify(value) };
  return { entries: Object.entries(value).map(([key, part]) => [key, written(part)]) };
}

/** The characters of a value: as JSON, or as a literal of a GraphQL document. */
export function print(value: Written, as: "json" | "graphql" = "json"): string {
  if ("text" in value) return value.text;
  if ("items" in value) return `[${value.items.map((item) => print(item, as)).join(",")}]`;
  const key = (name: string) => (as === "graphql" ? name : JSON.stringify(name));
  return `{${value.entries.map(([name, part]) => `${key(name)}:${print(part, as)}`).join(",")}}`;
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

const words = [
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

const numbers =
  "0 -0 -1 1 0.5 1.1234567 123456789012345678 1e308 -1e308 1e309 5e-324 1e-400 2147483648 9007199254740992 9007199254740993 1E400";

/** Values that stand where another was meant. */
const values: readonly string[] = [
  "null",
  "true",
  "false",
  ...numbers.split(" "),
  "9".repeat(400),
  ...words.map((word) => JSON.stringify(word)),
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
  nested(60),
  nested(500),
  objects(60),
  `[${"1,".repeat(3_000)}1]`,
];

/** Keys that mean something to JavaScript, or nothing to anyone. */
const keys = [
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

const text = (characters: string): Written => ({ text: characters });

export const oddValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }).map((word) => JSON.stringify(word)) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** One thing that is done to a value: at which of its places, what, and with which key and value. */
export interface Mess {
  at: number;
  how: "replace" | "drop" | "repeat" | "add" | "wrap";
  key: string;
  value: string;
}

export const mess: fc.Arbitrary<Mess> = fc.record({
  at: fc.nat(40),
  how: fc.constantFrom("replace", "replace", "replace", "drop", "repeat", "add", "wrap"),
  key: fc.constantFrom(...keys),
  value: oddValue,
});

/** A copy of a value with one mess in it. */
export function messUp(value: Written, { at, how, key, value: odd }: Mess): Written {
  const copy = structuredClone(value);
  const slots = slotsOf(copy);
  const slot = slots[at % Math.max(1, slots.length)];
  if (!slot) return text(odd);
  const { parent, index } = slot;
  const list: unknown[] = "entries" in parent ? parent.entries : parent.items;
  const place = (part: Written, name?: string) =>
    "entries" in parent ? [name ?? parent.entries[index]![0], part] : part;
  if (how === "drop") list.splice(index, 1);
  else if (how === "replace") list[index] = place(text(odd));
  else if (how === "wrap") list[index] = place({ items: [slot.part] });
  else list.push(place(text(odd), how === "add" ? key : undefined));
  return copy;
}

type Parent = Exclude<Written, { text: string }>;

function slotsOf(value: Written): { parent: Parent; index: number; part: Written }[] {
  if ("text" in value) return [];
  const parts = "entries" in value ? value.entries.map(([, part]) => part) : value.items;
  return parts.flatMap((part, index) => [{ parent: value, index, part }, ...slotsOf(part)]);
}

/** One thing that is done to the characters of a text: some are dropped, repeated, or put in. */
export interface Slip {
  from: number;
  length: number;
  how: "drop" | "repeat" | "insert" | "cut";
  what: string;
}

export const slipOf = (inserts: readonly string[]): fc.Arbitrary<Slip> =>
  fc.record({
    from: fc.nat(2_000),
    length: fc.integer({ min: 1, max: 30 }),
    how: fc.constantFrom("drop", "repeat", "insert", "insert", "cut"),
    what: fc.oneof(fc.constantFrom(...inserts), fc.string({ unit: "binary", maxLength: 4 })),
  });

export function slip(sentence: string, { from, length, how, what }: Slip): string {
  const at = from % (sentence.length + 1);
  const [before, after] = [sentence.slice(0, at), sentence.slice(at)];
  if (how === "cut") return before;
  if (how === "drop") return before + after.slice(length);
  return before + (how === "repeat" ? after.slice(0, length) : what) + after;
}
