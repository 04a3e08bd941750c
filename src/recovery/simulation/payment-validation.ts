import { isZone } from "../../kernel/instants.ts";
import { InvalidWorldError, type ChargeResult, type FailedPayment } from "./world.ts";

type UnknownRecord = Record<string, unknown>;

const isObject = (value: unknown): value is UnknownRecord => typeof value === "object" && value !== null;
const isNonBlankText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isInstant = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
const isUndefined = (value: unknown): boolean => value === undefined;
const isOptionalText = (value: unknown): boolean => isUndefined(value) || typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";

const networks: readonly unknown[] = ["VISA", "MASTERCARD", "AMEX", "OTHER"];
const zones = new Map<string, boolean>();

/** Whether a name is one of a zone. Cached, because it is called for every payment. */
function isKnownZone(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const isKnown = zones.get(value) ?? isZone(value);
  zones.set(value, isKnown);
  return isKnown;
}

/** The rule for each field of a payment. */
const paymentFields: readonly (readonly [name: string, holds: (value: unknown) => boolean, must: string])[] = [
  ["failedAt", isInstant, "a valid Date"],
  ["amount", (value) => typeof value === "number" && Number.isFinite(value) && value > 0, "a number above zero"],
  ["currency", (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value), "three capitals, such as KRW"],
  ["country", (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value), "two capitals, such as KR"],
  ["timeZone", isKnownZone, "a zone of the IANA time zone database"],
  ["gateway", isNonBlankText, "a text"],
  ["network", (value) => isUndefined(value) || networks.includes(value), "VISA, MASTERCARD, AMEX, OTHER, or absent"],
  ["payerId", isNonBlankText, "a text"],
  ["code", isOptionalText, "a text, or absent"],
  ["message", isOptionalText, "a text, or absent"],
  ["adviceCode", isOptionalText, "a text, or absent"],
  ["attempt", isFunction, "a function"],
  ["firstPayableAt", isFunction, "a function"],
  [
    "methodChangedAt",
    (value) => isUndefined(value) || (Array.isArray(value) && value.every(isInstant)),
    "a list of valid Dates, or absent",
  ],
  ["silentFrom", (value) => isUndefined(value) || isInstant(value), "a valid Date, or absent"],
];

/** Takes what a world generated for a payment. @throws InvalidWorldError that names the first field which does not fit. */
export function validatePayment(value: unknown, index: number): FailedPayment {
  if (!isObject(value)) throw new InvalidWorldError(`payment ${index} is not an object.`);
  const invalidField = paymentFields.find(([name, holds]) => !holds(value[name]));
  if (invalidField) throw new InvalidWorldError(`payment ${index}: ${invalidField[0]} must be ${invalidField[2]}.`);
  return value as unknown as FailedPayment;
}

/** Charges a payment. @throws InvalidWorldError for an answer that is none */
export function chargePayment(payment: FailedPayment, at: Date, index: number): ChargeResult {
  // The world gets a date of its own: what it does with it is its affair.
  const value: unknown = callWorld(`payment ${index}: attempt`, () => payment.attempt(new Date(at)));
  if (!isObject(value) || typeof value["approved"] !== "boolean")
    throw new InvalidWorldError(`payment ${index}: attempt must return { approved: true } or { approved: false, … }.`);
  for (const name of ["code", "message", "adviceCode"])
    if (!isOptionalText(value[name]))
      throw new InvalidWorldError(`payment ${index}: attempt's ${name} must be a text, or absent.`);
  return value as unknown as ChargeResult;
}

/** When a charge would first succeed in a span; what lies after its end is not within it. @throws InvalidWorldError */
export function findFirstPayable(payment: FailedPayment, from: Date, until: Date, index: number): Date | null {
  const what = `payment ${index}: firstPayableAt`;
  const value: unknown = callWorld(what, () => payment.firstPayableAt(new Date(from), new Date(until)));
  if (value === null) return null;
  if (!(value instanceof Date) || !(value >= from))
    throw new InvalidWorldError(`${what} must return null or a Date not before the beginning of the span.`);
  return value <= until ? value : null;
}

/** Calls a world's function and returns its result. @throws InvalidWorldError with the error that it threw */
export function callWorld<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidWorldError) throw error;
    throw new InvalidWorldError(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
