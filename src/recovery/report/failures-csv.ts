import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import { Network, PaymentGateway } from "../../../schema/vocabulary.ts";
import { hasTooManyDigits, MAX_NUMBER_LENGTH, toAmount, type Amount } from "../../kernel/amounts.ts";
import { isZone, parseIsoInstant } from "../../kernel/instants.ts";
import { firstOf } from "../../kernel/required-values.ts";
import { cachedZoneRules } from "../../kernel/zone-rules.ts";
import type { PastPayment, PastTry } from "../estimates/past-payment.ts";

/** The columns of the file: a row is a try. */
const requiredColumns = ["payment_id", "payer_id", "time", "amount", "currency", "time_zone", "approved"] as const;
type Column = (typeof requiredColumns)[number] | "country" | "gateway" | "network" | "code" | "message" | "advice_code";
type Row = Partial<Record<Column, string>>;

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
const MAX_TEXT = 500;
/** Tries of one payment above which they are no retries of a person's payment. */
const MAX_TRIES = 200;
const FIRST_TIME = Date.parse("2000-01-01T00:00:00Z");

/** A row that cannot be used: the column, and what it must be. */
class RowError extends Error {
  constructor(column: Column, must: string) {
    super(`${column} ${must}`);
  }
}

interface OpenPayment extends Omit<ReportedPayment, "tries" | "zone"> {
  zoneId: string;
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
      async (records: AsyncIterable<{ record: Row; info: { lines: number } }>) => {
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
function addRow(open: Map<string, OpenPayment>, row: Row, now: Date): string | undefined {
  try {
    const payment = readPayment(row);
    const attempt = readTry(row, now);
    const known = open.get(payment.id) ?? payment;
    requireSamePayment(known, payment);
    if (known.tries.some(({ at }) => at.getTime() === attempt.at.getTime()))
      throw new RowError("time", "must not be that of another try of the same payment");
    if (known.tries.length >= MAX_TRIES) throw new RowError("payment_id", `must have at most ${MAX_TRIES} tries`);
    known.tries.push(attempt);
    open.set(payment.id, known);
    return undefined;
  } catch (error) {
    if (error instanceof RowError) return error.message;
    throw error;
  }
}

function readPayment(row: Row): OpenPayment {
  const gatewayName = readText(row, "gateway");
  const currency = readText(row, "currency").toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw new RowError("currency", "must be three letters, such as USD");
  const country = readText(row, "country").toUpperCase() || null;
  if (country !== null && !/^[A-Z]{2}$/.test(country)) throw new RowError("country", "must be two letters, such as US");
  const zoneId = readText(row, "time_zone");
  if (!isKnownZone(zoneId)) throw new RowError("time_zone", "must be a zone such as America/New_York");
  return {
    id: requireText(row, "payment_id"),
    payerId: requireText(row, "payer_id"),
    amount: readAmount(row),
    currency,
    country,
    gateway: toGateway(gatewayName),
    gatewayName,
    paymentMethod: null,
    zoneId,
    tries: [],
  };
}

function readTry(row: Row, now: Date): PastTry {
  const network = readText(row, "network").toUpperCase();
  if (network !== "" && !isNetwork(network))
    throw new RowError("network", `must be empty or one of ${Object.keys(Network).join(", ")}`);
  const approved = approvals.get(readText(row, "approved").toLowerCase());
  if (approved === undefined) throw new RowError("approved", "must be true or false");
  const textOrNull = (column: Column) => (approved ? null : readText(row, column) || null);
  return {
    at: readTime(row, now),
    approved,
    network: network === "" ? null : network,
    code: textOrNull("code"),
    message: textOrNull("message"),
    adviceCode: textOrNull("advice_code"),
    initiator: "MERCHANT",
  };
}

function readTime(row: Row, now: Date): Date {
  const text = requireText(row, "time");
  let at: Date;
  try {
    if (!/(?:z|[+-]\d{2}(?::?\d{2})?)$/i.test(text)) throw new RangeError("no offset");
    at = parseIsoInstant(text.replace(" ", "T"));
  } catch {
    throw new RowError("time", "must be a date and time with an offset, such as 2026-03-01T09:30:00+09:00 or …Z");
  }
  if (at > now) throw new RowError("time", "must not be in the future");
  if (at.getTime() < FIRST_TIME) throw new RowError("time", "must not be before the year 2000");
  return at;
}

function readAmount(row: Row): Amount {
  const text = requireText(row, "amount");
  const amount = /^\d+(\.\d+)?$/.test(text) && text.length <= MAX_NUMBER_LENGTH ? toAmount(text) : null;
  if (!amount?.gt(0) || hasTooManyDigits(amount))
    throw new RowError("amount", "must be a number above zero, such as 19.99");
  return amount;
}

const samePayment = [
  ["payer_id", "payerId"],
  ["currency", "currency"],
  ["time_zone", "zoneId"],
  ["country", "country"],
  ["gateway", "gatewayName"],
] as const;

function requireSamePayment(known: OpenPayment, row: OpenPayment): void {
  for (const [column, field] of samePayment)
    if (known[field] !== row[field]) throw new RowError(column, "must be the same in all rows of a payment");
  if (!known.amount.eq(row.amount)) throw new RowError("amount", "must be the same in all rows of a payment");
}

const approvals = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);

const readText = (row: Row, column: Column): string => (row[column] ?? "").slice(0, MAX_TEXT);

function requireText(row: Row, column: Column): string {
  const text = readText(row, column);
  if (text === "") throw new RowError(column, "must not be empty");
  return text;
}

const isNetwork = (word: string): word is Network => Object.hasOwn(Network, word);
const isGateway = (word: string): word is PaymentGateway => Object.hasOwn(PaymentGateway, word);
function toGateway(name: string): PaymentGateway {
  const word = name.toUpperCase();
  return isGateway(word) ? word : "UNKNOWN";
}

const zones = new Map<string, boolean>();
function isKnownZone(name: string): boolean {
  const isKnown = zones.get(name) ?? isZone(name);
  zones.set(name, isKnown);
  return isKnown;
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
