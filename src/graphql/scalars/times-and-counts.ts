import { GraphQLScalarType } from "graphql";
import { GraphQLDuration } from "graphql-scalars";
import { parseIsoInstant } from "../../kernel/instants.ts";
import { UnsafeNumber } from "../../kernel/json-reader.ts";
import { createScalar } from "./create-scalar.ts";

export const DurationScalar = new GraphQLScalarType({
  ...GraphQLDuration.toConfig(),
  // The library's own description is an indented column, which no printer can reproduce as a block.
  description: "An ISO 8601 duration, such as P1D, PT5M or P1Y2M10DT2H30M.",
});

/** Instants. */
export const DateTimeScalar = createScalar<Date>(
  "DateTime",
  'An instant in ISO 8601. Output is in UTC with milliseconds: "2026-03-01T09:30:00.123Z". Input may have any offset; a time without an offset means UTC.',
  (value) => {
    if (typeof value !== "string") throw new RangeError("must be a string.");
    return parseIsoInstant(value);
  },
  (value: Date | string) => (typeof value === "string" ? value : value.toISOString()),
);

const INT32_MAX = 2_147_483_647;

const integerScalar = (name: string, min: number) =>
  createScalar<number>(
    name,
    `A whole number from ${min} to ${INT32_MAX}.`,
    (value) => {
      const number = value instanceof UnsafeNumber ? Number(value.text) : value;
      if (typeof number !== "number") throw new RangeError("must be a whole number.");
      if (number < min || number > INT32_MAX) throw new RangeError(`must be from ${min} to ${INT32_MAX}.`);
      if (!Number.isInteger(number)) throw new RangeError("must be a whole number.");
      return number;
    },
    (value: number) => value,
  );

/** Counts that are at least 1. */
export const PositiveIntScalar = integerScalar("PositiveInt", 1);

/** Counts that are at least 0. */
export const NonNegativeIntScalar = integerScalar("NonNegativeInt", 0);
