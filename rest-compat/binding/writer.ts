import {
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  type GraphQLOutputType,
  type GraphQLObjectType,
  type SelectionSetNode,
} from "graphql";
import type { Operation } from "./operations.ts";
import { fieldsOf } from "./selection.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Rewrites a completed GraphQL value as the old body has it. */
export type Write = (value: unknown) => unknown;

const asIs: Write = (value) => value;

/** How the scalars stand on the REST wire: amounts and ids are JSON numbers there. */
const scalars: Readonly<Record<string, Write>> = { Decimal: Number, BigInt: Number };

/** Compiles, once, what turns the data of an operation into the body of a route: one pass, and no code per route. */
export function bodyWriter({ answer: { type, selection }, fragments }: Operation, vocabulary: Vocabulary): Write {
  return objectWriter(type, selection);

  function objectWriter(parent: GraphQLObjectType, selected: SelectionSetNode): Write {
    const fields = fieldsOf(parent, selected, fragments).map(({ key, type: fieldType, selection: below }) => ({
      key,
      wire: vocabulary.field(key),
      write: writerOf(fieldType, below),
    }));
    return (value) => {
      const body: Record<string, unknown> = {};
      for (const { key, wire, write } of fields) {
        const given = (value as Record<string, unknown>)[key];
        body[wire] = given === null ? null : write(given);
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
    if (isEnumType(nullable)) return (word) => vocabulary.value(nullable.name, word as string);
    return scalars[String(nullable)] ?? asIs;
  }
}
