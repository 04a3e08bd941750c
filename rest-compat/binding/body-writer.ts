import {
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLOutputType,
  type GraphQLObjectType,
  type SelectionSetNode,
} from "graphql";
import { required } from "../../src/kernel/required-values.ts";
import type { FieldForm, ObjectForm, RecordForm } from "../../src/graphql/execution/response-form.ts";
import { ROWS_FIELD } from "./page-envelope.ts";
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

const NUMBER_SCALARS: ReadonlySet<string> = new Set(["Decimal", "Rate"]);

/** UTC without its suffix, as the billing side has it. */
const zonelessScalarWriters = { ...scalarWriters, DateTime: (text: unknown) => (text as string).replace(/Z$/, "") };

/** What a part of a body consists of, compiled once: no code per route. */
interface BodyPart {
  write: WriteWireValue;
  /** The fields of its objects. */
  form: ObjectForm | undefined;
}

/** Compiles, once, what turns a part of an operation's data into that of a body, and how the database writes it. */
export function compileBodyWriter(
  { type, selection }: SelectedType,
  { timeFormat }: RestRoute,
  { fragments }: StoredOperation,
  vocabulary: WireVocabulary,
): BodyPart {
  const leaves: Readonly<Record<string, WriteWireValue>> =
    timeFormat === "ZONELESS" ? zonelessScalarWriters : scalarWriters;
  return partOf(type, selection);

  function objectPart(parent: GraphQLObjectType, selected: SelectionSetNode): BodyPart {
    const fields = selectedFieldsOf(parent, selected, fragments).map(
      ({ key, type: fieldType, selection: below, ...form }): [key: string, field: FieldForm] => {
        const part = partOf(fieldType, below);
        const write = form.enumMapping ? enumWriter(form.enumMapping) : part.write;
        const valueForNull = form.valueForNull === undefined ? null : write(form.valueForNull);
        return [key, { name: vocabulary.toWireField(key), write, valueForNull, below: part.form }];
      },
    );
    const write: WriteWireValue = (value) => {
      const body: Record<string, unknown> = {};
      for (const [key, field] of fields) {
        const given = (value as Record<string, unknown>)[key];
        body[field.name] = given === null ? field.valueForNull : field.write(given);
      }
      return body;
    };
    return { write, form: new Map(fields) };
  }

  function partOf(fieldType: GraphQLOutputType, below: SelectionSetNode | undefined): BodyPart {
    const nullable = getNullableType(fieldType) as GraphQLOutputType;
    if (isListType(nullable)) {
      const item = partOf(nullable.ofType as GraphQLOutputType, below);
      return {
        write: (list) => (list as unknown[]).map((one) => (one === null ? null : item.write(one))),
        form: item.form,
      };
    }
    if (isObjectType(nullable)) return objectPart(nullable, required(below, "the selection"));
    const write: WriteWireValue = vocabulary.isClosedList(nullable)
      ? (word) => vocabulary.toWireEnumValue(String(nullable), word as string)
      : (leaves[String(nullable)] ?? identity);
    return { write, form: undefined };
  }
}

/**
 * The form in which the database writes the records of a route's answer; undefined for those that only code can write: a
 * JavaScript object sorts names that are numbers, and has each name once.
 */
export function recordFormOf(
  route: RestRoute,
  fields: ObjectForm | undefined,
  vocabulary: WireVocabulary,
): RecordForm | undefined {
  if (!fields || route.redirect || route.addedFields || !hasPlainNames(fields)) return undefined;
  return {
    path: [...route.resourcePath.split("."), ...(route.page ? [ROWS_FIELD] : [])],
    fields,
    numberScalars: NUMBER_SCALARS,
    hasZonelessTimes: route.timeFormat === "ZONELESS",
    rewrittenScalars: new Set(vocabulary.hasOwnWordsFor("RegionCode") ? ["RegionCode"] : []),
  };
}

function hasPlainNames(fields: ObjectForm): boolean {
  const names = [...fields.values()].map(({ name }) => name);
  return (
    new Set(names).size === names.length &&
    names.every((name) => !/^(?:\d+|__proto__)$/.test(name)) &&
    [...fields.values()].every(({ below }) => !below || hasPlainNames(below))
  );
}
