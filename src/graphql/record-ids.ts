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
  | "RecoveryPolicy"
  | "RecoveryExperiment"
  | "RecoveryModel"
  | "RecoveryTraining"
  | "WebhookEndpoint"
  | "WebhookDelivery"
  | "Message"
  | "ApiKey"
  | "Person";

const separator = ":";

/** The opaque id of any type's record, as the key of a client's cache. */
export const toGlobalId = (type: string, id: number | string): string =>
  Buffer.from(type + separator + id).toString("base64url");

/** The parts of a global id, or undefined for anything else. */
export function parseGlobalId(value: string): { type: string; id: number } | undefined {
  const [type, numberText, ...rest] = Buffer.from(value, "base64url").toString().split(separator);
  const id = parseDatabaseId(numberText ?? "");
  return type && id !== undefined && rest.length === 0 ? { type, id } : undefined;
}

/**
 * The database number that an argument refers to: a global id of the right type, or the number itself.
 * @throws a Refusal that names the argument.
 */
export function databaseIdOf(type: NodeType, value: string, path: string): number {
  const number = parseDatabaseId(value);
  if (number !== undefined) return number;
  const parsed = parseGlobalId(value);
  if (parsed?.type !== type) throw invalidField(path, `must be an id of the type ${type}.`);
  return parsed.id;
}

/** The order that a code, a number or a global id refers to; any value that is neither of the last two is a code. */
export function orderIdOrCodeOf(value: string): { id: number } | { code: string } {
  const parsed = parseGlobalId(value);
  const id = parseDatabaseId(value) ?? (parsed?.type === "Order" ? parsed.id : undefined);
  return id === undefined ? { code: value } : { id };
}

/** The database number that an argument refers to, for records that have no global id. */
export function recordNumberOf(value: string, path: string): number {
  const number = parseDatabaseId(value);
  if (number === undefined) throw invalidField(path, "is not the number of a record.");
  return number;
}

/** As `idOf`, for an argument that may be absent. */
export const optionalDatabaseIdOf = (
  type: NodeType,
  value: string | null | undefined,
  path: string,
): number | undefined => (value == null ? undefined : databaseIdOf(type, value, path));

function parseDatabaseId(text: string): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}
