import type { RefusalCode } from "./refusal-codes.ts";

/**
 * Three ways in which work can end badly, and only three:
 * a Refusal (the caller can act), a bug (an invariant fails), an outage (everything else).
 */

/** The kind of a refusal, by what the caller may do about it; each protocol has one table that translates it. */
export type RefusalKind = "invalid" | "denied" | "missing" | "conflict" | "mismatch" | "excess";

/** One wrong value: its path in the request, the cause, and what to do. */
export interface FieldError {
  path: string;
  /** REFUSED: the value is well-formed, but its record is in a state that does not allow the request. */
  code: "REQUIRED" | "INVALID_TYPE" | "INVALID_VALUE" | "NOT_FOUND" | "REFUSED";
  message: string;
  /** The value that was sent, shortened; absent for secrets and for what was not sent. */
  value?: string | number | boolean | null;
}

/** Validation stops at this many errors: more are of no use, and a megabyte could contain half a million. */
export const MAX_FIELD_ERRORS = 20;

/** A path repeats no more of the request than this. */
const MAX_PATH_LENGTH = 500;

/** Maximum length of a message: fifty words of an enum have to fit. */
const MAX_MESSAGE_LENGTH = 2_000;

/** A sentence that may repeat what was sent, cut where it grows too long. */
export const shorten = (text: string, maxLength = MAX_MESSAGE_LENGTH): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;

/** Adds a fault to those that were found so far. @throws the Refusal of all of them where there are enough. */
export function addFieldError(fieldErrors: FieldError[], fieldError: FieldError): void {
  fieldErrors.push(fieldError);
  if (fieldErrors.length >= MAX_FIELD_ERRORS) throw invalidFields(fieldErrors);
}

/** Whether a message about a value reports a wrong type, rather than a value out of range. */
export const isTypeErrorMessage = (message: string): boolean =>
  /^must be (?:a string|a whole number|a decimal number|a JSON object)\.$/.test(message);

export interface RefusalDetails {
  /** After how many seconds to try again. */
  retryAfter?: number;
  fields?: FieldError[];
  /** The record that has the partner id already. */
  id?: number;
  /** The legal transitions of the state machine. */
  legal?: readonly string[];
  /** What to do about a refusal of this code, independent of its fields. */
  hint?: string;
  /** The page of the code. */
  docUrl?: string;
  /** The sum that was agreed to, the sum that is to be paid now, in plain notation, and their currency. */
  oldAmount?: string;
  newAmount?: string;
  currency?: string;
}

/** The reason why a request was refused, in terms that fit both protocols. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly kind: RefusalKind,
    readonly code: RefusalCode,
    message: string,
    readonly details?: RefusalDetails,
  ) {
    super(message);
  }
}

/** The request is wrong as sent. */
export const invalid = (code: RefusalCode, message: string, details?: RefusalDetails) =>
  new Refusal("invalid", code, message, details);

/** Values of the request are wrong; the message is made from the first of them. */
export function invalidFields(fieldErrors: readonly FieldError[]): Refusal {
  const shortenedErrors = fieldErrors.slice(0, MAX_FIELD_ERRORS).map(({ path, message, ...fault }) => ({
    ...fault,
    path: shorten(path, MAX_PATH_LENGTH) || "body",
    message: shorten(message),
  }));
  const [first, ...others] = shortenedErrors;
  invariant(first, "a refusal has at least one error");
  const othersSentence = others.length === 0 ? "" : ` Other invalid values: ${others.length}.`;
  return invalid(
    "INVALID_ARGUMENT",
    `${fieldErrors[0]?.path ? first.path : "The body"} ${first.message}${othersSentence}`,
    {
      fields: shortenedErrors,
    },
  );
}

/** One value of the request is wrong. */
export const invalidField = (path: string, message: string, value?: FieldError["value"]) =>
  invalidFields([{ path, code: "INVALID_VALUE", message, ...(value !== undefined && { value }) }]);

/** A missing value of the request; the message states the requirement. */
export const requiredField = (path: string, message = "is required.") =>
  invalidFields([{ path, code: "REQUIRED", message }]);

/** The requested record does not exist for this vendor. */
export const notFound = (code: RefusalCode, message: string) => new Refusal("missing", code, message);

/** Something that the request refers to does not exist for this vendor. */
export const unknownReference = (code: RefusalCode, path: string, noun: string, name: "id" | "code" | "uuid" = "id") =>
  invalid(code, `There is no ${noun} with the ${name} given as ${path}.`, {
    fields: [{ path, code: "NOT_FOUND", message: `There is no ${noun} with this ${name}.` }],
  });

/** The caller may not do this. */
export const denied = (code: RefusalCode, message: string) => new Refusal("denied", code, message);

/** Something else is in the way at the moment. */
export const conflict = (code: RefusalCode, message: string) => new Refusal("conflict", code, message);

/** The request contradicts an earlier one. */
export const mismatch = (code: RefusalCode, message: string) => new Refusal("mismatch", code, message);

/** The caller exceeds a limit of size or rate. */
export const overLimit = (code: RefusalCode, message: string, retryAfter: number) =>
  new Refusal("excess", code, message, { retryAfter });

/** Asserts a condition; a failure is a bug of the gateway, never the caller's fault. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${claim}`);
}
