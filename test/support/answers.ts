import type { Documents, MutationName, Selections } from "../generated/answers.ts";

export type { MutationName };

/** The text of a document of the tests. A new one is known after `npm run types`. */
export type DocumentText = keyof Documents;

/** The data that answers a document. */
export type DataOf<Q extends DocumentText> = Documents[Q];

/** A selection of a type that some test makes. A helper that takes one is found by this constraint: answer-types.mjs. */
export type SelectionOf<T extends string> = T extends keyof Selections ? Extract<keyof Selections[T], string> : never;

/** The data of a selection of a type. */
export type Selected<T extends string, S extends string> = T extends keyof Selections
  ? S extends keyof Selections[T]
    ? Selections[T][S]
    : never
  : never;

/** A selection of a mutation's payload that some test makes. */
export type PayloadSelection<N extends MutationName> = SelectionOf<`${Capitalize<N>}Payload`>;

/** The data of a mutation, the part below its name. */
export type Payload<N extends MutationName, S extends string> = N extends MutationName
  ? Selected<`${Capitalize<N>}Payload`, S>
  : never;

/** A selection for each of some mutations. */
export type PayloadSelections = Partial<Record<MutationName, string>>;
