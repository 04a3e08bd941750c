import { isZone } from "../../kernel/instants.ts";
import { InvalidWorldError, type ChargeResult, type DeclineDetails, type FailedPayment } from "./world.ts";

type UnknownRecord = Record<string, unknown>;

const isObject = (value: unknown): value is UnknownRecord => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";
const isNonBlankText = (value: unknown): value is string => isText(value) && value.trim() !== "";
const isInstant = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime());
const isUndefined = (value: unknown): value is undefined => value === undefined;
const isOptionalText = (value: unknown): value is string | undefined => isUndefined(value) || isText(value);
/** Only the type is checked here. The results of a world's functions are checked at each call. */
const isFunction = (value: unknown): value is (...instants: Date[]) => never => typeof value === "function";

const networks = ["VISA", "MASTERCARD", "AMEX", "OTHER"] as const;
const zones = new Map<string, boolean>();

/** True if a value names a time zone. Cached, because every payment is checked. */
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
    must: "three upper-case letters, such as KRW",
  },
  country: {
    holds: (value): value is string => isText(value) && /^[A-Z]{2}$/.test(value),
    must: "two upper-case letters, such as KR",
  },
  timeZone: { holds: isKnownZone, must: "a zone of the IANA time zone database" },
  gateway: { holds: isNonBlankText, must: "a string that is not blank" },
  network: {
    holds: (value): value is FailedPayment["network"] =>
      isUndefined(value) || networks.some((network) => network === value),
    must: "VISA, MASTERCARD, AMEX, OTHER, or absent",
  },
  payerId: { holds: isNonBlankText, must: "a string that is not blank" },
  code: { holds: isOptionalText, must: "a string, or absent" },
  message: { holds: isOptionalText, must: "a string, or absent" },
  adviceCode: { holds: isOptionalText, must: "a string, or absent" },
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

/** Checks a payment that a world generated. @throws InvalidWorldError that names the first invalid field. */
export function validatePayment(value: unknown, index: number): FailedPayment {
  requirePayment(value, index);
  return value;
}

function requirePayment(value: unknown, index: number): asserts value is FailedPayment {
  if (!isObject(value)) throw new InvalidWorldError(`payment ${index} is not an object.`);
  for (const [name, { holds, must }] of paymentRules)
    if (!holds(value[name])) throw new InvalidWorldError(`payment ${index}: ${name} must be ${must}.`);
}

/** Charges a payment. @throws InvalidWorldError if the world's result is invalid. */
export function chargePayment(payment: FailedPayment, at: Date, index: number): ChargeResult {
  // The world gets a copy of the date, because it may change it.
  const value: unknown = callWorld(`payment ${index}: attempt`, () => payment.attempt(new Date(at)));
  if (!isObject(value) || typeof value["approved"] !== "boolean")
    throw new InvalidWorldError(`payment ${index}: attempt must return { approved: true } or { approved: false, … }.`);
  const readText = (name: keyof DeclineDetails): string | undefined => {
    const text = value[name];
    if (!isOptionalText(text))
      throw new InvalidWorldError(`payment ${index}: attempt's ${name} must be a string, or absent.`);
    return text;
  };
  const details = { code: readText("code"), message: readText("message"), adviceCode: readText("adviceCode") };
  return value["approved"] ? { approved: true } : { approved: false, ...details };
}

/** The first time of a span at which a charge would succeed, or null. @throws InvalidWorldError */
export function findFirstPayable(payment: FailedPayment, from: Date, until: Date, index: number): Date | null {
  const operation = `payment ${index}: firstPayableAt`;
  const value: unknown = callWorld(operation, () => payment.firstPayableAt(new Date(from), new Date(until)));
  if (value === null) return null;
  if (!(value instanceof Date) || !(value >= from))
    throw new InvalidWorldError(`${operation} must return null, or a Date that is not before from.`);
  return value <= until ? value : null;
}

/** Calls a world's function and returns its result. @throws InvalidWorldError with the message of the function's error. */
export function callWorld<T>(operation: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidWorldError) throw error;
    throw new InvalidWorldError(`${operation} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
