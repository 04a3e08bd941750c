import type { GraphQLScalarType } from "graphql";
import { maskCardNumbers } from "../../kernel/secrets/card-mask.ts";
import { createScalar, readWith } from "./create-scalar.ts";

interface TextRules {
  minLength?: number;
  maxLength: number;
  /** Additional validation of the text; returns the text to store. */
  normalize?: (text: string) => string;
  /** Whether card numbers in it are masked after it is validated. */
  masksCardNumbers?: boolean;
}

/** The lengths of texts, for the interface description. */
export const textRulesByScalar = new Map<string, TextRules>();

/** A scalar of texts that follow rules. */
export function textScalar(name: string, description: string, rules: TextRules): GraphQLScalarType<string> {
  textRulesByScalar.set(name, rules);
  const { minLength = 0, maxLength, masksCardNumbers, normalize = (kept) => kept } = rules;
  const check = (value: unknown): string => {
    if (typeof value !== "string") throw new RangeError("must be a string.");
    if (value.length > maxLength) throw new RangeError(`must have at most ${maxLength} characters.`);
    if (value.includes("\0") || !value.isWellFormed())
      throw new RangeError("must be well-formed text without NUL characters.");
    if (value.trim().length < minLength) throw new RangeError("must not be blank.");
    return normalize(value);
  };
  const type = createScalar<string>(
    name,
    description,
    masksCardNumbers ? (value) => maskCardNumbers(check(value)) : check,
  );
  if (masksCardNumbers) type.extensions = { check: (value: unknown) => readWith(check, value) };
  return type;
}

/** What descriptions say of texts whose card numbers are masked. */
export const MASKING_SENTENCE = "Card numbers in it are masked to their last four digits before it is stored.";
