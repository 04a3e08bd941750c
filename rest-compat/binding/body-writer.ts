import {
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLOutputType,
  type GraphQLObjectType,
  type SelectionSetNode,
} from "graphql";
import { required } from "../../src/kernel/required-values.ts";
import type { StoredOperation, SelectedType } from "./stored-operations.ts";
import type { RestRoute } from "./route.ts";
import { selectedFieldsOf } from "./selected-fields.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** Rewrites a completed GraphQL value as the old body has it. */
export type WriteWireValue = (value: unknown) => unknown;

const identity: WriteWireValue = (value) => value;

const enumWriter =
  (words: Readonly<Record<string, string>>): WriteWireValue =>
  (word) =>
    words[word as string];

const toAmountNumbers = (amounts: unknown): object =>
  Object.fromEntries(Object.entries(amounts as object).map(([currency, amount]) => [currency, Number(amount)]));

/** How the scalars stand on the REST wire: amounts and ids are JSON numbers there. */
const scalarWriters: Readonly<Record<string, WriteWireValue>> = {
  Decimal: Number,
  Rate: Number,
  BigInt: Number,
  CurrencyAmounts: toAmountNumbers,
};

/** UTC without its suffix, as the billing side has it. */
const zonelessScalarWriters = { ...scalarWriters, DateTime: (text: unknown) => (text as string).replace(/Z$/, "") };

/** Compiles, once, what turns a part of an operation's data into that of a body: one pass, and no code per route. */
export function compileBodyWriter(
  { type, selection }: SelectedType,
  { timeFormat }: RestRoute,
  { fragments }: StoredOperation,
  vocabulary: WireVocabulary,
): WriteWireValue {
  const leaves: Readonly<Record<string, WriteWireValue>> =
    timeFormat === "ZONELESS" ? zonelessScalarWriters : scalarWriters;
  return writerOf(type, selection);

  function objectWriter(parent: GraphQLObjectType, selected: SelectionSetNode): WriteWireValue {
    const fields = selectedFieldsOf(parent, selected, fragments).map(
      ({ key, type: fieldType, selection: below, ...form }) => {
        const write = form.enumMapping ? enumWriter(form.enumMapping) : writerOf(fieldType, below);
        return {
          key,
          wire: vocabulary.toWireField(key),
          write,
          unset: form.valueForNull === undefined ? null : write(form.valueForNull),
        };
      },
    );
    return (value) => {
      const body: Record<string, unknown> = {};
      for (const { key, wire, write, unset } of fields) {
        const given = (value as Record<string, unknown>)[key];
        body[wire] = given === null ? unset : write(given);
      }
      return body;
    };
  }

  function writerOf(fieldType: GraphQLOutputType, below: SelectionSetNode | undefined): WriteWireValue {
    const nullable = getNullableType(fieldType) as GraphQLOutputType;
    if (isListType(nullable)) {
      const item = writerOf(nullable.ofType as GraphQLOutputType, below);
      return (list) => (list as unknown[]).map((one) => (one === null ? null : item(one)));
    }
    if (isObjectType(nullable)) return objectWriter(nullable, required(below, "the selection"));
    if (vocabulary.isClosedList(nullable))
      return (word) => vocabulary.toWireEnumValue(String(nullable), word as string);
    return leaves[String(nullable)] ?? identity;
  }
}
