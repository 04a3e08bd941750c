import {
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLOutputType,
  type GraphQLObjectType,
  type SelectionSetNode,
} from "graphql";
import type { Operation, Selected } from "./stored-operations.ts";
import type { Route } from "./route.ts";
import { fieldsOf } from "./selected-fields.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** Rewrites a completed GraphQL value as the old body has it. */
export type Write = (value: unknown) => unknown;

const asIs: Write = (value) => value;

const worded =
  (words: Readonly<Record<string, string>>): Write =>
  (word) =>
    words[word as string];

const numbersOf = (amounts: unknown): object =>
  Object.fromEntries(Object.entries(amounts as object).map(([currency, amount]) => [currency, Number(amount)]));

/** How the scalars stand on the REST wire: amounts and ids are JSON numbers there. */
const scalars: Readonly<Record<string, Write>> = {
  Decimal: Number,
  Rate: Number,
  BigInt: Number,
  CurrencyAmounts: numbersOf,
};

/** UTC without its suffix, as the billing side has it. */
const zoneless = { ...scalars, DateTime: (text: unknown) => (text as string).replace(/Z$/, "") };

/** Compiles, once, what turns a part of an operation's data into that of a body: one pass, and no code per route. */
export function bodyWriter(
  { type, selection }: Selected,
  { times }: Route,
  { fragments }: Operation,
  vocabulary: Vocabulary,
): Write {
  const leaves: Readonly<Record<string, Write>> = times === "ZONELESS" ? zoneless : scalars;
  return writerOf(type, selection);

  function objectWriter(parent: GraphQLObjectType, selected: SelectionSetNode): Write {
    const fields = fieldsOf(parent, selected, fragments).map(({ key, type: fieldType, selection: below, ...form }) => {
      const write = form.words ? worded(form.words) : writerOf(fieldType, below);
      return { key, wire: vocabulary.field(key), write, unset: form.unset === undefined ? null : write(form.unset) };
    });
    return (value) => {
      const body: Record<string, unknown> = {};
      for (const { key, wire, write, unset } of fields) {
        const given = (value as Record<string, unknown>)[key];
        body[wire] = given === null ? unset : write(given);
      }
      return body;
    };
  }

  function writerOf(fieldType: GraphQLOutputType, below: SelectionSetNode | undefined): Write {
    const nullable = getNullableType(fieldType) as GraphQLOutputType;
    if (isListType(nullable)) {
      const item = writerOf(nullable.ofType as GraphQLOutputType, below);
      return (list) => (list as unknown[]).map((one) => (one === null ? null : item(one)));
    }
    if (isObjectType(nullable)) return objectWriter(nullable, below!);
    if (vocabulary.isClosed(nullable)) return (word) => vocabulary.value(String(nullable), word as string);
    return leaves[String(nullable)] ?? asIs;
  }
}
