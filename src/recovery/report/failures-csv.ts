import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import { firstOf } from "../../kernel/required-values.ts";
import { cachedZoneRules } from "../../kernel/zone-rules.ts";
import type { PastPayment, PastTry } from "../estimates/past-payment.ts";
import {
  FailureRowError,
  MAX_TRIES_OF_PAYMENT,
  readFailureRow,
  requiredColumns,
  requireSamePayment,
  type FailedPayment,
  type FailureRow,
} from "../past-payments/failure-row.ts";

/** A failed payment of the file. `gatewayName` is what the file calls its gateway. */
export interface ReportedPayment extends PastPayment {
  gatewayName: string;
}

/** What the file has, and what could not be read. */
export interface FailuresFile {
  rows: number;
  payments: ReportedPayment[];
  /** Payments that are left out because their first try was approved: they never failed. */
  neverFailed: number;
  errorCount: number;
  /** The first errors, in words. */
  errors: string[];
}

/** The file cannot be used at all. */
export class InvalidFileError extends Error {}

const MAX_ERRORS = 20;

interface OpenPayment extends FailedPayment {
  tries: PastTry[];
}

/**
 * Reads past failed payments from a CSV file, row by row. A bad row is left out and counted.
 * @throws InvalidFileError if the file cannot be read, has no usable header, or no payment is left.
 */
export async function readFailures(file: string, now: Date): Promise<FailuresFile> {
  const open = new Map<string, OpenPayment>();
  const result: FailuresFile = { rows: 0, payments: [], neverFailed: 0, errorCount: 0, errors: [] };
  const parser = parse({
    bom: true,
    columns: toColumns,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  try {
    await pipeline(
      createReadStream(file),
      parser,
      async (records: AsyncIterable<{ record: FailureRow; info: { lines: number } }>) => {
        for await (const { record, info } of records) {
          result.rows++;
          const error = addRow(open, record, now);
          if (error) addError(result, `line ${info.lines}: ${error}.`);
        }
      },
    );
  } catch (error) {
    if (error instanceof InvalidFileError) throw error;
    throw new InvalidFileError(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  closePayments(open, result);
  if (result.payments.length === 0)
    throw new InvalidFileError(["The file has no failed payment that can be used.", ...result.errors].join("\n"));
  return result;
}

function addError(result: FailuresFile, message: string): void {
  result.errorCount++;
  if (result.errors.length < MAX_ERRORS) result.errors.push(message);
}

/** The header in the names of the columns. @throws InvalidFileError if one is missing. */
function toColumns(header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const missing = requiredColumns.filter((column) => !names.includes(column));
  if (missing.length > 0)
    throw new InvalidFileError(
      `The first line must name the columns; missing: ${missing.join(", ")}. docs/recovery-report.md lists them.`,
    );
  return names;
}

/** Adds a row to its payment. @returns what is wrong with it; undefined if nothing is. */
function addRow(open: Map<string, OpenPayment>, row: FailureRow, now: Date): string | undefined {
  try {
    const { payment, attempt } = readFailureRow(row, now);
    const known = open.get(payment.id) ?? { ...payment, tries: [] };
    requireSamePayment(known, payment);
    if (known.tries.some(({ at }) => at.getTime() === attempt.at.getTime()))
      throw new FailureRowError("time", "must not be that of another try of the same payment");
    if (known.tries.length >= MAX_TRIES_OF_PAYMENT)
      throw new FailureRowError("payment_id", `must have at most ${MAX_TRIES_OF_PAYMENT} tries`);
    known.tries.push(attempt);
    open.set(payment.id, known);
    return undefined;
  } catch (error) {
    if (error instanceof FailureRowError) return error.message;
    throw error;
  }
}

/** Puts the tries in order of time. A try after the approved one is an error; a payment that never failed is left out. */
function closePayments(open: Map<string, OpenPayment>, result: FailuresFile): void {
  for (const { zoneId, tries, ...payment } of open.values()) {
    tries.sort((a, b) => a.at.getTime() - b.at.getTime());
    const approved = tries.findIndex((one) => one.approved);
    const kept = approved < 0 ? tries : tries.slice(0, approved + 1);
    for (const { at } of tries.slice(kept.length)) {
      addError(result, `payment ${payment.id}: time ${at.toISOString()} is after the approved try.`);
    }
    if (firstOf(kept).approved) result.neverFailed++;
    else result.payments.push({ ...payment, zone: cachedZoneRules(zoneId, firstOf(kept).at), tries: kept });
  }
  result.payments.sort((a, b) => firstOf(a.tries).at.getTime() - firstOf(b.tries).at.getTime());
}
