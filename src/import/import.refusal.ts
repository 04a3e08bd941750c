import type { FieldError, Refusal } from "../kernel/refusals.ts";
import { refusalCodes, type RefusalCode } from "../kernel/refusal-codes.ts";
import { importCodes, type ImportCode } from "./import.codes.ts";

/** Why a row was not imported: one line of the file of refused rows. */
export interface RowRefusal {
  file: string;
  /** The line that the row begins in; 1 is the first. */
  line: number;
  /** The merchant's own id of the row; null if it could not be read. */
  partnerId: string | null;
  code: RefusalCode | ImportCode;
  /** The column or path of the value; null if the row as a whole is wrong. */
  field: string | null;
  message: string;
  whatToDo: string;
}

/** A refusal before its row's place is known. */
export type RowProblem = Pick<RowRefusal, "code" | "field" | "message">;

export const rowProblem = (code: ImportCode, field: string | null, message: string): RowProblem => ({
  code,
  field,
  message,
});

/** The problems of wrong values. */
export const problemsOfFields = (errors: readonly FieldError[], code: RefusalCode = "INVALID_ARGUMENT"): RowProblem[] =>
  errors.map(({ path, message }) => ({ code, field: path, message: `\`${path}\` ${message}` }));

/** The problems that a service found. */
export function problemsOfRefusal({ code, message, details }: Refusal): RowProblem[] {
  const fields = details?.fields ?? [];
  return fields.length > 0 && code === "INVALID_ARGUMENT"
    ? problemsOfFields(fields, code)
    : [{ code, field: fields[0]?.path ?? null, message }];
}

const isImportCode = (code: RowProblem["code"]): code is ImportCode => Object.hasOwn(importCodes, code);

/** What to do about a code. */
export function whatToDoAbout(code: RowProblem["code"]): string {
  if (isImportCode(code)) return importCodes[code];
  return code === "INVALID_ARGUMENT" ? "Correct the value of the field." : refusalCodes[code].cure;
}

/** A row of which no record can be made, for reasons that only an import knows. */
export class UnusableRow extends Error {
  constructor(readonly problems: readonly RowProblem[]) {
    super("A row cannot be imported.");
  }
}
