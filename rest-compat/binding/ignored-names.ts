import { UnsafeNumber } from "../../src/kernel/json-reader.ts";
import { nearestWord } from "../../src/kernel/suggestions.ts";
import type { InputField } from "./input-fields.ts";
import { queryParametersOf, type RestRoute } from "./route.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** Names in a header, at most; however hostile the request, the header stays small. */
const MAX_NAMES = 20;

/** Characters of one name in a header, at most. */
const MAX_NAME_LENGTH = 100;

/** Objects of a body that are looked through for ignored fields, at most: twice as many as an order has items. */
const MAX_OBJECTS = 1_000;

/** A sent name that is not read: its path, and the name that was probably meant. */
interface IgnoredName {
  path: string;
  suggestion: string | undefined;
}

/** Compiles what names the parameters and the fields that a route ignores, as headers of its answer. */
export function compileIgnoredHeaders(
  route: RestRoute,
  bodyInputFields: readonly InputField[] | undefined,
  vocabulary: WireVocabulary,
): (query: object, body: unknown) => Record<string, string> {
  const parameters = queryParametersOf(route).map(({ name }) => vocabulary.toWireField(name));
  const fields = knownNamesOf(bodyInputFields ?? [], vocabulary);
  return (query, body) => ({
    ...ignoredHeaderOf("x-ignored-parameters", findUnknownKeys(query, "", parameters)),
    ...ignoredHeaderOf("x-ignored-fields", findIgnoredFields(body, fields)),
  });
}

/** The names that an object may have, and the shapes of the objects below. */
interface KnownNames {
  names: readonly string[];
  nested: ReadonlyMap<string, KnownNames>;
}

const knownNamesOf = (fields: readonly InputField[], vocabulary: WireVocabulary): KnownNames => ({
  names: fields.map(({ wireName }) => vocabulary.toWireField(wireName)),
  nested: new Map(
    fields.flatMap(({ wireName, nested }) =>
      nested ? [[vocabulary.toWireField(wireName), knownNamesOf(nested, vocabulary)] as const] : [],
    ),
  ),
});

/** The ignored fields of a body, each list and object in the order in which they were sent. */
function findIgnoredFields(body: unknown, known: KnownNames): IgnoredName[] {
  const ignored: IgnoredName[] = [];
  let objects = 0;
  const visit = (value: unknown, path: string, { names, nested }: KnownNames): void => {
    if (typeof value !== "object" || value === null || value instanceof UnsafeNumber) return;
    if (ignored.length > MAX_NAMES || ++objects > MAX_OBJECTS) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.slice(0, MAX_OBJECTS).entries())
        visit(item, `${path}[${index}]`, { names, nested });
      return;
    }
    ignored.push(...findUnknownKeys(value, path, names));
    for (const [name, shapeBelow] of nested) {
      if (Object.hasOwn(value, name)) visit((value as Record<string, unknown>)[name], joinPath(path, name), shapeBelow);
    }
  };
  visit(body, "", known);
  return ignored;
}

function findUnknownKeys(value: object, path: string, names: readonly string[]): IgnoredName[] {
  const unknown: IgnoredName[] = [];
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue;
    if (unknown.push({ path: joinPath(path, key), suggestion: nearestWord(key, names) }) > MAX_NAMES) break;
  }
  return unknown;
}

/** The path of a name below another path; a vocabulary file can contain any name. */
const joinPath = (path: string, name: string): string => (path ? `${path}.${encodeName(name)}` : encodeName(name));

/** A name with every character percent-encoded that would mean something in a path or in a header; a long one is cut. */
function encodeName(name: string): string {
  let text = "";
  for (const character of name.slice(0, MAX_NAME_LENGTH).toWellFormed()) {
    text += /[\w$-]/.test(character) ? character : percentEncoded(character);
    if (text.length >= MAX_NAME_LENGTH) break;
  }
  return text;
}

const percentEncoded = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** `statu; did-you-mean=status, colour`; a last entry of `...` replaces further ones. */
function ignoredHeaderOf(name: string, ignored: readonly IgnoredName[]): Record<string, string> {
  if (ignored.length === 0) return {};
  const entries = ignored
    .slice(0, MAX_NAMES)
    .map(({ path, suggestion }) =>
      suggestion === undefined ? path : `${path}; did-you-mean=${encodeName(suggestion)}`,
    );
  return { [name]: [...entries, ...(ignored.length > MAX_NAMES ? ["..."] : [])].join(", ") };
}
