import { Network, PaymentGateway } from "../../../schema/vocabulary.ts";
import { hasTooManyDigits, MAX_NUMBER_LENGTH, toAmount, type Amount } from "../../kernel/amounts.ts";
import { isZone, parseIsoInstant } from "../../kernel/instants.ts";
import type { PastPayment, PastTry } from "../estimates/past-payment.ts";

/** The columns of a file of past failed payments that every row has: a row is a try. */
export const requiredColumns = [
  "payment_id",
  "payer_id",
  "time",
  "amount",
  "currency",
  "time_zone",
  "approved",
] as const;
/** The other columns. */
export const optionalColumns = ["country", "gateway", "network", "code", "message", "advice_code"] as const;

export type FailureColumn = (typeof requiredColumns)[number] | (typeof optionalColumns)[number];
/** A row as it is written. */
export type FailureRow = Partial<Record<FailureColumn, string | null>>;

/** What all rows of one payment have in common. `gatewayName` is what the file calls its gateway. */
export interface FailedPayment extends Omit<PastPayment, "tries" | "zone"> {
  gatewayName: string;
  zoneId: string;
}

const MAX_TEXT = 500;
/** Tries of one payment above which they are no retries of a person's payment. */
export const MAX_TRIES_OF_PAYMENT = 200;
const FIRST_TIME = Date.parse("2000-01-01T00:00:00Z");

/** A row that cannot be used: the column, and what it must be. */
export class FailureRowError extends Error {
  constructor(
    readonly column: FailureColumn,
    readonly must: string,
  ) {
    super(`${column} ${must}`);
  }
}

/** Reads a row. @throws FailureRowError */
export function readFailureRow(row: FailureRow, now: Date): { payment: FailedPayment; attempt: PastTry } {
  return { payment: readPayment(row), attempt: readTry(row, now) };
}

function readPayment(row: FailureRow): FailedPayment {
  const gatewayName = readText(row, "gateway");
  const currency = readText(row, "currency").toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw new FailureRowError("currency", "must be three letters, such as USD");
  const country = readText(row, "country").toUpperCase() || null;
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    throw new FailureRowError("country", "must be two letters, such as US");
  const zoneId = readText(row, "time_zone");
  if (!isKnownZone(zoneId)) throw new FailureRowError("time_zone", "must be a zone such as America/New_York");
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
  };
}

function readTry(row: FailureRow, now: Date): PastTry {
  const network = readText(row, "network").toUpperCase();
  if (network !== "" && !isNetwork(network))
    throw new FailureRowError("network", `must be empty or one of ${Object.keys(Network).join(", ")}`);
  const approved = approvals.get(readText(row, "approved").toLowerCase());
  if (approved === undefined) throw new FailureRowError("approved", "must be true or false");
  const textOrNull = (column: FailureColumn) => (approved ? null : readText(row, column) || null);
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

function readTime(row: FailureRow, now: Date): Date {
  const text = requireText(row, "time");
  let at: Date;
  try {
    if (!/(?:z|[+-]\d{2}(?::?\d{2})?)$/i.test(text)) throw new RangeError("no offset");
    at = parseIsoInstant(text.replace(" ", "T"));
  } catch {
    throw new FailureRowError(
      "time",
      "must be a date and time with an offset, such as 2026-03-01T09:30:00+09:00 or …Z",
    );
  }
  if (at > now) throw new FailureRowError("time", "must not be in the future");
  if (at.getTime() < FIRST_TIME) throw new FailureRowError("time", "must not be before the year 2000");
  return at;
}

function readAmount(row: FailureRow): Amount {
  const text = requireText(row, "amount");
  const amount = /^\d+(\.\d+)?$/.test(text) && text.length <= MAX_NUMBER_LENGTH ? toAmount(text) : null;
  if (!amount?.gt(0) || hasTooManyDigits(amount))
    throw new FailureRowError("amount", "must be a number above zero, such as 19.99");
  return amount;
}

const samePayment = [
  ["payer_id", "payerId"],
  ["currency", "currency"],
  ["time_zone", "zoneId"],
  ["country", "country"],
  ["gateway", "gatewayName"],
] as const;

/** @throws FailureRowError if two rows of a payment differ in what all rows of a payment have in common. */
export function requireSamePayment(known: FailedPayment, row: FailedPayment): void {
  for (const [column, field] of samePayment)
    if (known[field] !== row[field]) throw new FailureRowError(column, "must be the same in all rows of a payment");
  if (!known.amount.eq(row.amount)) throw new FailureRowError("amount", "must be the same in all rows of a payment");
}

const approvals = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);

const readText = (row: FailureRow, column: FailureColumn): string => (row[column] ?? "").slice(0, MAX_TEXT);

function requireText(row: FailureRow, column: FailureColumn): string {
  const text = readText(row, column);
  if (text === "") throw new FailureRowError(column, "must not be empty");
  return text;
}

const isNetwork = (word: string): word is Network => Object.hasOwn(Network, word);
const isGateway = (word: string): word is PaymentGateway => Object.hasOwn(PaymentGateway, word);
function toGateway(name: string): PaymentGateway {
  const word = name.toUpperCase();
  return isGateway(word) ? word : "UNKNOWN";
}

/** Only names that are zones are remembered: a file can have any number of others. */
const knownZones = new Set<string>();
function isKnownZone(name: string): boolean {
  const isKnown = knownZones.has(name) || isZone(name);
  if (isKnown) knownZones.add(name);
  return isKnown;
}
