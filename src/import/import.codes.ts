/** What a merchant does about a refusal that only an import knows; the others are in docs/errors.md. */
export const importCodes = {
  ENCODING_NOT_UTF8: "Save the file as UTF-8.",
  QUOTES_NOT_CLOSED: "Close the quotes of the cell, and double quotes inside of it.",
  LINE_TOO_LONG: "Shorten the line to at most 1 MB.",
  LINE_NOT_READABLE: "Write one JSON object a line, or as many cells as the first line has.",
  COLUMN_UNKNOWN: "Remove or rename the column; docs/import.md lists them.",
  COLUMN_REPEATED: "Name each column once.",
  PARTNER_ID_TAKEN:
    "Another row with this id was imported with other values. Change the record by the API, or use another id.",
  PARENT_NOT_IMPORTED: "Import the row that has this partnerId first, or correct the reference.",
  TRY_REPEATED:
    "Another row of the payment has this time and other values. Correct the time, or remove the row that is wrong.",
  TRY_AFTER_APPROVAL: "A payment ends with its approval. Correct the time or `approved`, or remove the later tries.",
  CURRENCY_MISMATCH: "Use the currency that the message names.",
} as const;

/** A code that only an import has. */
export type ImportCode = keyof typeof importCodes;
