import { isZone } from "../../kernel/instants.ts";
import { WorldFault, type Answer, type FailedPayment } from "./world.ts";

type Unknown = Record<string, unknown>;

const isObject = (value: unknown): value is Unknown => typeof value === "object" && value !== null;
const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isInstant = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
const isAbsent = (value: unknown): boolean => value === undefined;
const isWord = (value: unknown): boolean => isAbsent(value) || typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";

const networks: readonly unknown[] = ["VISA", "MASTERCARD", "AMEX", "OTHER"];
const zones = new Map<string, boolean>();

/** Whether a name is one of a zone; asked for every payment, so each is looked up once. */
function isKnownZone(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const known = zones.get(value) ?? isZone(value);
  zones.set(value, known);
  return known;
}

/** What each field of a payment must be. */
const fields: readonly (readonly [name: string, holds: (value: unknown) => boolean, must: string])[] = [
  ["failedAt", isInstant, "a valid Date"],
  ["amount", (value) => typeof value === "number" && Number.isFinite(value) && value > 0, "a number above zero"],
  ["currency", (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value), "three capitals, such as KRW"],
  ["country", (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value), "two capitals, such as KR"],
  ["timeZone", isKnownZone, "a zone of the IANA time zone database"],
  ["gateway", isText, "a text"],
  ["network", (value) => isAbsent(value) || networks.includes(value), "VISA, MASTERCARD, AMEX, OTHER, or absent"],
  ["payerId", isText, "a text"],
  ["code", isWord, "a text, or absent"],
  ["message", isWord, "a text, or absent"],
  ["adviceCode", isWord, "a text, or absent"],
  ["attempt", isFunction, "a function"],
  ["firstPayableAt", isFunction, "a function"],
  [
    "methodChangedAt",
    (value) => isAbsent(value) || (Array.isArray(value) && value.every(isInstant)),
    "a list of valid Dates, or absent",
  ],
  ["silentFrom", (value) => isAbsent(value) || isInstant(value), "a valid Date, or absent"],
];

/** Takes what a world generated for a payment. @throws WorldFault that names the first field which does not fit. */
export function checkedPayment(value: unknown, index: number): FailedPayment {
  if (!isObject(value)) throw new WorldFault(`payment ${index} is no object.`);
  const wrong = fields.find(([name, holds]) => !holds(value[name]));
  if (wrong) throw new WorldFault(`payment ${index}: ${wrong[0]} must be ${wrong[2]}.`);
  return value as unknown as FailedPayment;
}

/** Charges a payment. @throws WorldFault for an answer that is none */
export function charged(payment: FailedPayment, at: Date, index: number): Answer {
  // The world gets a date of its own: what it does with it is its affair.
  const value: unknown = asked(`payment ${index}: attempt`, () => payment.attempt(new Date(at)));
  if (!isObject(value) || typeof value["approved"] !== "boolean")
    throw new WorldFault(`payment ${index}: attempt must answer { approved: true } or { approved: false, … }.`);
  for (const name of ["code", "message", "adviceCode"])
    if (!isWord(value[name])) throw new WorldFault(`payment ${index}: attempt's ${name} must be a text, or absent.`);
  return value as unknown as Answer;
}

/** When a charge would first succeed in a span; what lies after its end is not within it. @throws WorldFault */
export function firstPayable(payment: FailedPayment, from: Date, until: Date, index: number): Date | null {
  const what = `payment ${index}: firstPayableAt`;
  const value: unknown = asked(what, () => payment.firstPayableAt(new Date(from), new Date(until)));
  if (value === null) return null;
  if (!(value instanceof Date) || !(value >= from))
    throw new WorldFault(`${what} must answer null or a Date not before the beginning of the span.`);
  return value <= until ? value : null;
}

/** What a world's function answers. @throws WorldFault with what it threw */
export function asked<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorldFault) throw error;
    throw new WorldFault(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
