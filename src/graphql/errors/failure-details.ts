import type { FieldFault } from "../../kernel/refusals.ts";
import { refusalCodes, type RefusalCode, type RefusalMeaning } from "../../kernel/refusal-codes.ts";
import { quotable, receivedSentence } from "../../kernel/quoted-values.ts";
import type { Verdict } from "./failures.ts";

/** Where the pages of the error codes begin; each code has one of its own. */
export const ERROR_PAGES = "/docs/errors";

/** The address of the page of a code, given where the gateway is reached: "" makes it a path. */
export const docUrlOf = (code: RefusalCode, address: string): string => `${address}${ERROR_PAGES}/${code}`;

/** What was sent at a path of the request; undefined where nothing was. */
export type SentAt = (path: string) => unknown;

/**
 * Completes a verdict for its caller: the argument that it is about, where it names none itself; the value that was sent
 * there; and what to do. Who refuses knows the rule, and only the edge of the protocol knows the request.
 */
export function detailed(verdict: Verdict, sentAt: SentAt): Verdict {
  if (verdict.kind === "bug" || verdict.kind === "outage") return verdict;
  const fields = (verdict.details?.fields ?? subjectOf(verdict, sentAt)).map((field) => withValue(field, sentAt));
  const hint = refusalCodes[verdict.code].cure;
  return {
    kind: verdict.kind,
    code: verdict.code,
    message: withReceived(verdict.message, fields[0]),
    details: { ...verdict.details, ...(fields.length > 0 && { fields }), hint },
  };
}

/** The first argument that could name what a refusal is about, or the part of the request that it always is about. */
function subjectOf({ kind, code, message }: Verdict, sentAt: SentAt): FieldFault[] {
  const { subject }: RefusalMeaning = refusalCodes[code];
  const path = typeof subject === "string" ? subject : subject?.find((name) => sentAt(name) !== undefined);
  return path === undefined ? [] : [{ path, code: kind === "missing" ? "NOT_FOUND" : "REFUSED", message }];
}

function withValue(field: FieldFault, sentAt: SentAt): FieldFault {
  const value = quotable(field.path, sentAt(field.path));
  return value === undefined ? field : { ...field, value };
}

/** The sentence of the refusal, with what was received behind what it says of the first field. */
function withReceived(message: string, first: FieldFault | undefined): string {
  if (first?.value === undefined || first.code === "REQUIRED") return message;
  if (typeof first.value === "string" && message.includes(JSON.stringify(first.value))) return message;
  const received = receivedSentence(first.value);
  const end = message.indexOf(first.message) + first.message.length;
  return message.includes(first.message) ? message.slice(0, end) + received + message.slice(end) : message + received;
}
