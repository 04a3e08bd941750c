import { invalidField } from "../kernel/refusals.ts";

/** The types that `node` can find. */
export type NodeType =
  | "Vendor"
  | "Customer"
  | "Product"
  | "PricePlan"
  | "Subscription"
  | "Order"
  | "OrderItem"
  | "Invoice"
  | "Payment"
  | "CoverCustomer"
  | "CoverProduct"
  | "CoverPrice"
  | "CoverOrder"
  | "CoverSubscription"
  | "Cover"
  | "RetryDecision"
  | "RecoveryPolicy";

const separator = ":";

/** The opaque id under which every type's record is known to a client's cache. */
export const globalId = (type: string, id: number | string): string =>
  Buffer.from(type + separator + id).toString("base64url");

/** The parts of a global id, or undefined for anything else. */
export function readGlobalId(value: string): { type: string; id: number } | undefined {
  const [type, digits, ...rest] = Buffer.from(value, "base64url").toString().split(separator);
  const id = readNumber(digits ?? "");
  return type && id !== undefined && rest.length === 0 ? { type, id } : undefined;
}

/**
 * The number that an argument stands for: a global id of the right type, or the number itself.
 * @throws a Refusal that names the argument.
 */
export function idOf(type: NodeType, value: string, path: string): number {
  const number = readNumber(value);
  if (number !== undefined) return number;
  const known = readGlobalId(value);
  if (known?.type !== type) throw invalidField(path, `is not an id of the type ${type}.`);
  return known.id;
}

/** What an argument that takes a code, a number or a global id names; whatever is neither of the last two is a code. */
export function idOrCodeOf(type: NodeType, value: string): { id: number } | { code: string } {
  const known = readGlobalId(value);
  const id = readNumber(value) ?? (known?.type === type ? known.id : undefined);
  return id === undefined ? { code: value } : { id };
}

/** The number that an argument stands for, of records that have no global id. */
export function numberOf(value: string, path: string): number {
  const number = readNumber(value);
  if (number === undefined) throw invalidField(path, "is not the number of a record.");
  return number;
}

/** As `idOf`, for an argument that may be absent. */
export const optionalIdOf = (type: NodeType, value: string | null | undefined, path: string): number | undefined =>
  value == null ? undefined : idOf(type, value, path);

function readNumber(text: string): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}
