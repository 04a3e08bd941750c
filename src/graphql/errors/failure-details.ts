import type { FieldError } from "../../kernel/refusals.ts";
import { refusalCodes, type RefusalCode, type RefusalMeaning } from "../../kernel/refusal-codes.ts";
import { quotableValue, receivedSentence } from "../../kernel/quoted-values.ts";
import type { RequestFailure } from "./failures.ts";

/** The path of the error code pages; each code has its own page. */
export const ERROR_PAGES_PATH = "/docs/errors";

/** The address of the page of a code, given where the gateway is reached: "" makes it a path. */
export const docUrlOf = (code: RefusalCode, address: string): string => `${address}${ERROR_PAGES_PATH}/${code}`;

/** Finds the sent value at a path of the request; undefined if none was sent. */
export type FindSentValue = (path: string) => unknown;

/**
 * Completes a failure for its caller: the argument concerned, if it names none itself; the value that was sent there;
 * and what to do. The code that refuses knows the rule; only the protocol layer knows the request.
 */
export function withDetails(failure: RequestFailure, findSentValue: FindSentValue): RequestFailure {
  if (failure.kind === "bug" || failure.kind === "outage") return failure;
  const fields = (failure.details?.fields ?? subjectErrorsOf(failure, findSentValue)).map((field) =>
    withSentValue(field, findSentValue),
  );
  const hint = refusalCodes[failure.code].cure;
  return {
    kind: failure.kind,
    code: failure.code,
    message: withReceivedSentence(failure.message, fields[0]),
    details: { ...failure.details, ...(fields.length > 0 && { fields }), hint },
  };
}

/** The first argument that could name what a refusal is about, or the part of the request that it always is about. */
function subjectErrorsOf({ kind, code, message }: RequestFailure, findSentValue: FindSentValue): FieldError[] {
  const { subject }: RefusalMeaning = refusalCodes[code];
  const path = typeof subject === "string" ? subject : subject?.find((name) => findSentValue(name) !== undefined);
  return path === undefined ? [] : [{ path, code: kind === "missing" ? "NOT_FOUND" : "REFUSED", message }];
}

function withSentValue(field: FieldError, findSentValue: FindSentValue): FieldError {
  const value = quotableValue(field.path, findSentValue(field.path));
  return value === undefined ? field : { ...field, value };
}

/** The message of the refusal, with the received value after the text about the first field. */
function withReceivedSentence(message: string, first: FieldError | undefined): string {
  if (first?.value === undefined || first.code === "REQUIRED") return message;
  if (typeof first.value === "string" && message.includes(JSON.stringify(first.value))) return message;
  const received = receivedSentence(first.value);
  const end = message.indexOf(first.message) + first.message.length;
  return message.includes(first.message) ? message.slice(0, end) + received + message.slice(end) : message + received;
}
