import { UnsafeNumber } from "../../src/kernel/json-reader.ts";
import { nearest } from "../../src/kernel/suggestions.ts";
import type { InputField } from "./input-fields.ts";
import { queryParameters, type Route } from "./route.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** Names in a header, at most; however hostile the request, the header stays small. */
const MOST_NAMES = 20;

/** Characters of one name in a header, at most. */
const LONGEST_NAME = 100;

/** Objects of a body that are looked through for ignored fields, at most: twice as many as an order has items. */
const MOST_OBJECTS = 1_000;

/** Something that was sent and that nothing reads: where it stands, and the name that was probably meant. */
interface Ignored {
  path: string;
  meant: string | undefined;
}

/** Compiles what names the parameters and the fields that a route ignores, as headers of its answer. */
export function ignoredHeaders(
  route: Route,
  taken: readonly InputField[] | undefined,
  vocabulary: Vocabulary,
): (query: object, body: unknown) => Record<string, string> {
  const parameters = queryParameters(route).map(({ name }) => vocabulary.field(name));
  const fields = shapeOf(taken ?? [], vocabulary);
  return (query, body) => ({
    ...headerOf("x-ignored-parameters", unknownKeys(query, "", parameters)),
    ...headerOf("x-ignored-fields", ignoredFields(body, fields)),
  });
}

/** The names that an object may have, and the shapes of the objects below. */
interface Shape {
  names: readonly string[];
  below: ReadonlyMap<string, Shape>;
}

const shapeOf = (fields: readonly InputField[], vocabulary: Vocabulary): Shape => ({
  names: fields.map(({ wire }) => vocabulary.field(wire)),
  below: new Map(
    fields.flatMap(({ wire, below }) => (below ? [[vocabulary.field(wire), shapeOf(below, vocabulary)] as const] : [])),
  ),
});

/** The ignored fields of a body, each list and object in the order in which they were sent. */
function ignoredFields(body: unknown, shape: Shape): Ignored[] {
  const found: Ignored[] = [];
  let objects = 0;
  const visit = (value: unknown, path: string, { names, below }: Shape): void => {
    if (typeof value !== "object" || value === null || value instanceof UnsafeNumber) return;
    if (found.length > MOST_NAMES || ++objects > MOST_OBJECTS) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.slice(0, MOST_OBJECTS).entries())
        visit(item, `${path}[${index}]`, { names, below });
      return;
    }
    found.push(...unknownKeys(value, path, names));
    for (const [name, shapeBelow] of below) {
      if (Object.hasOwn(value, name)) visit((value as Record<string, unknown>)[name], pathOf(path, name), shapeBelow);
    }
  };
  visit(body, "", shape);
  return found;
}

function unknownKeys(value: object, path: string, names: readonly string[]): Ignored[] {
  const unknown: Ignored[] = [];
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue;
    if (unknown.push({ path: pathOf(path, key), meant: nearest(key, names) }) > MOST_NAMES) break;
  }
  return unknown;
}

/** The path of a name below another path; a vocabulary file can hold any name. */
const pathOf = (path: string, name: string): string => (path ? `${path}.${printed(name)}` : printed(name));

/** A name with every character percent-encoded that would mean something in a path or in a header; a long one is cut. */
function printed(name: string): string {
  let text = "";
  for (const character of name.slice(0, LONGEST_NAME).toWellFormed()) {
    text += /[\w$-]/.test(character) ? character : percentEncoded(character);
    if (text.length >= LONGEST_NAME) break;
  }
  return text;
}

const percentEncoded = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** `statu; did-you-mean=status, colour`; a last entry of `...` stands for those that are not named. */
function headerOf(name: string, ignored: readonly Ignored[]): Record<string, string> {
  if (ignored.length === 0) return {};
  const entries = ignored
    .slice(0, MOST_NAMES)
    .map(({ path, meant }) => (meant === undefined ? path : `${path}; did-you-mean=${printed(meant)}`));
  return { [name]: [...entries, ...(ignored.length > MOST_NAMES ? ["..."] : [])].join(", ") };
}
