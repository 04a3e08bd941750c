/** How the fields of an object are written, by their keys in the answer of GraphQL. */
export type ObjectForm = ReadonlyMap<string, FieldForm>;

/** How a field is written. */
export interface FieldForm {
  /** The name in place of its key. */
  name: string;
  /** The value in place of null. */
  valueForNull: unknown;
  /** The value in place of a completed one that is not null. */
  write: (value: unknown) => unknown;
  /** The fields of its objects. */
  below: ObjectForm | undefined;
}

/** A protocol's own form of an operation's records. */
export interface RecordForm {
  /** The keys that lead from the data to the records. */
  path: readonly string[];
  fields: ObjectForm;
  /** Scalars that are JSON numbers instead of strings. */
  numberScalars: ReadonlySet<string>;
  /** Whether times end without their zone. */
  hasZonelessTimes: boolean;
  /** Other scalars that `write` changes. */
  rewrittenScalars: ReadonlySet<string>;
}

/** How the records of an answer are written: as GraphQL writes them, in a form of their own, or as values for code. */
export type ResponseForm = "AS_SELECTED" | "VALUES" | RecordForm;
