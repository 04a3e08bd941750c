import { SeededRandom } from "../../../src/demo/seeded-random.ts";
import type { RecordPair, RecordNoun, ProtocolOperation, ProtocolComparison } from "./protocol-comparison.ts";

/** A random source with a seed: the same seed selects the same operations. */
export class OperationRandom extends SeededRandom {
  isOneIn(count: number): boolean {
    return this.integerBelow(count) === 0;
  }

  /** A field with a value, or nothing: then it is not sent. */
  maybe(name: string, value: unknown): object {
    return this.isOneIn(2) ? { [name]: value } : {};
  }
}

/** An id of no record. */
const UNKNOWN_RECORD: RecordPair = {
  rest: { id: 4_000_000, code: "order_nobodys00" },
  graph: { id: 4_000_000, code: "order_nobodys00" },
};

/** An input in both protocols: ids are numbers in REST and text in GraphQL, and so are amounts. */
export const inputsOfBoth = (rest: Record<string, unknown>, graph: Record<string, unknown>) => ({ rest, graph });

/** Makes an operation with random values, about the records that exist. */
export type CreateOperation = (chance: OperationRandom, twins: ProtocolComparison) => ProtocolOperation;

/** A record of the sequence, and now and then one that does not exist. */
export const pickRecord = (
  chance: OperationRandom,
  twins: ProtocolComparison,
  noun: RecordNoun | "customer" | "product" | "plan",
): RecordPair => {
  const known = twins.recordsOf(noun);
  return known.length === 0 || chance.isOneIn(12) ? UNKNOWN_RECORD : chance.pick(known);
};

export const mutationDocument = (name: string, selection: string): string =>
  `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`;

export const toGraphText = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);

/** The registration of a record that is charged elsewhere. */
export const registrationOperation = (
  path: string,
  name: string,
  noun: RecordNoun,
  [part, selection]: readonly [string, string],
  input: ReturnType<typeof inputsOfBoth>,
): ProtocolOperation => ({
  rest: { method: "POST", path, body: input.rest },
  graphql: { query: mutationDocument(name, `${part} { ${selection} }`), variables: { input: input.graph } },
  resultPath: `${name}.${part}`,
  isExhaustive: true,
  createdNoun: noun,
});

/** Amounts as callers send them, including invalid ones. */
export const sampleAmounts = [0, 1, 18_900, 25_000.5, 999_999_999.99, -1, 0.1234567];
export const sampleNames = [
  "Kim Seo-yeon",
  "커피 한 봉지",
  "",
  "n".repeat(501),
  'O\'Brien & "Sons" <b>',
  "  trimmed?  ",
];
export const sampleDates = [
  "2026-03-01T00:00:00Z",
  "2026-03-31T23:59:59.999+09:00",
  "2024-02-29T12:00:00Z",
  "2026-02-30T00:00:00Z",
  "yesterday",
];
export const sampleIntervals = ["DAY", "WEEK", "MONTH", "YEAR", "FORTNIGHT"];
export const sampleDeclineCodes = ["51", "91", "41", "54", "05", "INSUFFICIENT_FUNDS", "no such code"];
export const sampleEmails = ["seoyeon@example.com", "payer+tag@example.co.kr", "nobody"];

export const partnerIdOf = (chance: OperationRandom, noun: string): string => `${noun}-${chance.integerBelow(10)}`;

/** The record that a sequence begins with. */
export const firstRecord = (
  twins: ProtocolComparison,
  noun: RecordNoun | "customer" | "product" | "plan",
): RecordPair => twins.recordsOf(noun)[0]!;
