import type { GraphQLField } from "graphql";
import { Extensions } from "type-graphql";

/** The value of a field with a resolver that the database can write as well: it only names a value of the row. */
export type ProjectedField =
  /** The value that the projection has under the field's name. */
  | "PROJECTED"
  /** The number of the row. */
  | "RECORD_NUMBER"
  /** The global id of the row, which is a record of this type. */
  | { globalIdOf: string };

const EXTENSION = "projectedField";

/** The extensions of a field that the database can write although it has a resolver. */
export const projectedField = (value: ProjectedField): Record<string, unknown> => ({ [EXTENSION]: value });

/** Marks a resolver that does nothing but return a value of its row. */
export const Projected = (value: ProjectedField = "PROJECTED") => Extensions(projectedField(value));

export const projectedValueOf = ({ extensions }: GraphQLField<unknown, unknown>): ProjectedField | undefined =>
  extensions[EXTENSION] as ProjectedField | undefined;
