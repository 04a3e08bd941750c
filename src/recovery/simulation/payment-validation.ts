import { isZone } from "../../kernel/instants.ts";
import { InvalidWorldError, type ChargeResult, type DeclineDetails, type FailedPayment } from "./world.ts";

type UnknownRecord = Record<string, unknown>;

const isObject = (value: unknown): value is UnknownRecord => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";
const isNonBlankText = (value: unknown): value is string => isText(value) && value.trim() !== "";
const isInstant = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime());
const isUndefined = (value: unknown): value is undefined => value === undefined;
const isOptionalText = (value: unknown): value is string | undefined => isUndefined(value) || isText(value);
/** What a world's function returns is checked at each call. */
const isFunction = (value: unknown): value is (...instants: Date[]) => never => typeof value === "function";

const networks = ["VISA", "MASTERCARD", "AMEX", "OTHER"] as const;
const zones = new Map<string, boolean>();

/** Whether a name is one of a zone. Cached, because it is called for every payment. */
function isKnownZone(value: unknown): value is string {
  if (!isText(value)) return false;
  const isKnown = zones.get(value) ?? isZone(value);
  zones.set(value, isKnown);
  return isKnown;
}

interface FieldRule<Value> {
  holds: (value: unknown) => value is Value;
  must: string;
}

/** The rule for each field of a payment, in the order in which they are checked. */
const paymentFields: { readonly [Name in keyof Required<FailedPayment>]: FieldRule<FailedPayment[Name]> } = {
  failedAt: { holds: isInstant, must: "a valid Date" },
  amount: {
    holds: (value): value is number => typeof value === "number" && Number.isFinite(value) && value > 0,
    must: "a number above zero",
  },
  currency: {
    holds: (value): value is string => isText(value) && /^[A-Z]{3}$/.test(value),
    must: "three capitals, such as KRW",
  },
  country: {
    holds: (value): value is string => isText(value) && /^[A-Z]{2}$/.test(value),
    must: "two capitals, such as KR",
  },
  timeZone: { holds: isKnownZone, must: "a zone of the IANA time zone database" },
  gateway: { holds: isNonBlankText, must: "a text" },
  network: {
    holds: (value): value is FailedPayment["network"] =>
      isUndefined(value) || networks.some((network) => network === value),
    must: "VISA, MASTERCARD, AMEX, OTHER, or absent",
  },
  payerId: { holds: isNonBlankText, must: "a text" },
  code: { holds: isOptionalText, must: "a text, or absent" },
  message: { holds: isOptionalText, must: "a text, or absent" },
  adviceCode: { holds: isOptionalText, must: "a text, or absent" },
  attempt: { holds: isFunction, must: "a function" },
  firstPayableAt: { holds: isFunction, must: "a function" },
  methodChangedAt: {
    holds: (value): value is Date[] | undefined =>
      isUndefined(value) || (Array.isArray(value) && value.every(isInstant)),
    must: "a list of valid Dates, or absent",
  },
  silentFrom: {
    holds: (value): value is Date | undefined => isUndefined(value) || isInstant(value),
    must: "a valid Date, or absent",
  },
};
const paymentRules = Object.entries(paymentFields);

/** Takes what a world generated for a payment. @throws InvalidWorldError that names the first field which does not fit. */
export function validatePayment(value: unknown, index: number): FailedPayment {
  requirePayment(value, index);
  return value;
}

function requirePayment(value: unknown, index: number): asserts value is FailedPayment {
  if (!isObject(value)) throw new InvalidWorldError(`payment ${index} is not an object.`);
  for (const [name, { holds, must }] of paymentRules)
    if (!holds(value[name])) throw new InvalidWorldError(`payment ${index}: ${name} must be ${must}.`);
}

/** Charges a payment. @throws InvalidWorldError for an answer that is none */
export function chargePayment(payment: FailedPayment, at: Date, index: number): ChargeResult {
  // The world gets a date of its own: what it does with it is its affair.
  const value: unknown = callWorld(`payment ${index}: attempt`, () => payment.attempt(new Date(at)));
  if (!isObject(value) || typeof value["approved"] !== "boolean")
    throw new InvalidWorldError(`payment ${index}: attempt must return { approved: true } or { approved: false, … }.`);
  const readText = (name: keyof DeclineDetails): string | undefined => {
    const text = value[name];
    if (!isOptionalText(text))
      throw new InvalidWorldError(`payment ${index}: attempt's ${name} must be a text, or absent.`);
    return text;
  };
  const details = { code: readText("code"), message: readText("message"), adviceCode: readText("adviceCode") };
  return value["approved"] ? { approved: true } : { approved: false, ...details };
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
