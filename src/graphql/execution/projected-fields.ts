import type { GraphQLField } from "graphql";
import { Extensions } from "type-graphql";

/** How the database writes a field that has a resolver, or what it leaves to the resolver. */
export type ProjectedField =
  /** The value that the projection has under the field's name. */
  | "PROJECTED"
  /**
   * What the resolver makes of that value alone and of what is the same for all rows of an answer, without a write or a read: rows with
   * the same value share what it returns.
   */
  | "MADE_OF_VALUE"
  /** The number of the row. */
  | "RECORD_NUMBER"
  /** The global id of the row, which is a record of this type. */
  | { globalIdOf: string };

const EXTENSION = "projectedField";

/** The extensions of such a field. */
export const projectedField = (value: ProjectedField): Record<string, unknown> => ({ [EXTENSION]: value });

/** Marks a resolver that does nothing but return a value of its row, or what it is made of. */
export const Projected = (value: ProjectedField = "PROJECTED") => Extensions(projectedField(value));

export const projectedValueOf = ({ extensions }: GraphQLField<unknown, unknown>): ProjectedField | undefined =>
  extensions[EXTENSION] as ProjectedField | undefined;
