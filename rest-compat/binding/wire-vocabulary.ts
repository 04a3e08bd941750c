import { isEnumType, type GraphQLSchema, type GraphQLType } from "graphql";
import { RegionCode } from "../../schema/regions.ts";
import { hiddenFieldNames, hiddenEnumValues, OrderItemStatusByName } from "../../schema/vocabulary.ts";

/** A vocabulary file that cannot be used: everything that is wrong with it, in words. */
export class VocabularyError extends Error {
  constructor(problems: string[]) {
    super(`The vocabulary file cannot be used:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
  }
}

/** All field and parameter names are one kind: they can meet in one body. The words of each enum are a kind of their own. */
const FIELD_KIND = "a field";

/** The words of the contract that GraphQL spells in another way, by enum and name. */
const contractWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OrderItemStatus: OrderItemStatusByName,
};

/**
 * Translates between the neutral words of the gateway and the words on the wire. Without a vocabulary file they are the same.
 * A mapped word is known on the wire under its wire word only.
 */
export class WireVocabulary {
  private readonly mapping: ReadonlyMap<string, string>;
  private readonly toWireByKind = new Map<string, Map<string, string>>();
  private readonly fromWireByKind = new Map<string, Map<string, string>>();

  /** @throws VocabularyError where the file names an unknown word, or gives two words of one kind the same wire word. */
  constructor(file: unknown, schema: GraphQLSchema, fieldNames: Iterable<string>) {
    const problems: string[] = [];
    const mapping = parseMapping(file, problems);
    this.mapping = mapping;
    const toWire = (word: string) => mapping.get(word) ?? word;
    const kinds = neutralWordsByKind(schema, fieldNames);
    const known = new Set([...kinds].flatMap(([kind, words]) => [...words].map((word) => toContract(kind, word))));
    for (const word of mapping.keys()) {
      if (!known.has(word)) problems.push(`"${word}" is not a neutral word of this interface.`);
    }
    for (const [kind, words] of kinds) {
      const out = new Map([...words].map((word) => [word, toWire(toContract(kind, word))]));
      const back = new Map<string, string>();
      for (const [word, wire] of out) {
        const other = back.get(wire);
        if (other !== undefined) problems.push(`"${other}" and "${word}" are both "${wire}" on the wire.`);
        back.set(wire, word);
      }
      this.toWireByKind.set(kind, out);
      this.fromWireByKind.set(kind, back);
    }
    if (problems.length > 0) throw new VocabularyError([...new Set(problems)]);
  }

  /** Translates a field or parameter name to the wire. */
  toWireField(neutral: string): string {
    return this.toWireByKind.get(FIELD_KIND)?.get(neutral) ?? neutral;
  }

  /** Translates any word to the wire: the file is flat, so a word has one translation, whatever its meaning. */
  toWireWord(neutral: string): string {
    return this.mapping.get(neutral) ?? neutral;
  }

  /** Translates an enum value to the wire. */
  toWireEnumValue(enumName: string, neutral: string): string {
    return this.toWireByKind.get(enumName)?.get(neutral) ?? neutral;
  }

  /** Translates a wire word to an enum value; undefined if there is none. */
  fromWireEnumValue(enumName: string, wire: string): string | undefined {
    return this.fromWireByKind.get(enumName)?.get(wire);
  }

  /** Whether the values of a type are words of a closed list: an enum, or the codes of regions. */
  isClosedList(type: GraphQLType): boolean {
    return this.toWireByKind.has(String(type));
  }

  /** Whether some words of a closed list stand differently on the wire. */
  hasOwnWordsFor(name: string): boolean {
    return [...(this.toWireByKind.get(name) ?? [])].some(([word, wire]) => word !== wire);
  }

  /** The words of an enum as they stand on the wire. */
  wireValuesOf(enumName: string): string[] {
    return [...(this.toWireByKind.get(enumName)?.values() ?? [])];
  }
}

const toContract = (kind: string, word: string): string => contractWords[kind]?.[word] ?? word;

function parseMapping(file: unknown, problems: string[]): Map<string, string> {
  if (typeof file !== "object" || file === null || Array.isArray(file)) {
    problems.push("It must be one flat JSON object from neutral word to wire word.");
    return new Map();
  }
  const entries = Object.entries(file);
  for (const [word, wire] of entries) {
    if (typeof wire !== "string" || wire.trim() === "") problems.push(`"${word}" must be mapped to a word.`);
  }
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function neutralWordsByKind(schema: GraphQLSchema, fieldNames: Iterable<string>): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>([
    [FIELD_KIND, new Set([...hiddenFieldNames, ...fieldNames])],
    ["RegionCode", new Set(Object.keys(RegionCode))],
  ]);
  for (const [name, words] of Object.entries(hiddenEnumValues)) kinds.set(name, new Set(words));
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type) && !type.name.startsWith("__"))
      kinds.set(type.name, new Set(type.getValues().map((value) => value.name)));
  }
  return kinds;
}
