import { DrizzleQueryError } from "drizzle-orm";
import { conflict, invalid, invalidField, Refusal, unknownReference } from "../kernel/refusals.ts";
import { REPLICA_LEFT_ALONE } from "./replica/replica-pool.ts";
import { NO_CONNECTION_FREE } from "./driver/semaphore.ts";

/**
 * The refusal for each violated constraint. The database enforces uniqueness and references, so no look-up is made only
 * to check them.
 */
const refusalByConstraint: Record<string, () => Refusal> = {
  cover_prices_product_fk: () => unknownReference("PRODUCT_NOT_FOUND", "productId", "product"),
  cover_subscriptions_customer_fk: () => unknownReference("CUSTOMER_NOT_FOUND", "customerId", "customer"),
  cover_subscriptions_initial_order_fk: () => unknownReference("ORDER_NOT_FOUND", "initialOrderId", "order"),
  cover_orders_customer_fk: () => unknownReference("CUSTOMER_NOT_FOUND", "customerId", "customer"),
  cover_orders_subscription_fk: () => unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription"),
  recovery_experiments_one_running: () =>
    conflict("EXPERIMENT_RUNNING", "Another experiment is running; stop it first, or promote one of its arms."),
  customers_username: () => alreadyTaken("username", "customer"),
  cover_orders_amounts: () => invalidField("amountReturned", "must not be more than the amount."),
};

/** A name that must be the vendor's only one. */
const alreadyTaken = (path: string, noun: string): Refusal =>
  invalid("ALREADY_TAKEN", `Another ${noun} of the vendor has this ${path}; choose another one.`, {
    fields: [{ path, code: "INVALID_VALUE", message: `belongs to another ${noun}.` }],
  });

interface DatabaseErrorFields {
  code?: string;
  message?: string;
  constraint_name?: string;
  /** In English; poolers send only the one that PostgreSQL translates. */
  severity?: string;
  severity_local?: string;
}

/** The refusal for a database error, or undefined for a bug or an outage. */
export const constraintRefusalOf = (error: unknown): Refusal | undefined =>
  refusalByConstraint[violatedConstraintOf(error) ?? ""]?.();

/** How a message in English names the violated constraint; the names of tables follow other words. */
const CONSTRAINT_IN_MESSAGE = /\bconstraint "([^"]+)"/;
/** Citus names the constraint of a shard after the shard, where the name has to be unique. */
const SHARD_SUFFIX = /_\d{6,}$/;

/**
 * The name of the violated constraint. Citus passes on the message of the node that holds the row, without its fields: there the
 * name is only in the message, and carries the number of the shard.
 */
export function violatedConstraintOf(error: unknown): string | undefined {
  const { code = "", constraint_name: name, message = "" } = databaseErrorOf(error) ?? {};
  if (name !== undefined || !code.startsWith("23")) return name;
  return CONSTRAINT_IN_MESSAGE.exec(message)?.[1]?.replace(SHARD_SUFFIX, "");
}

/** The refusal that a statement itself threw: Drizzle wraps every error. */
export const wrappedRefusalOf = (error: unknown): Refusal | undefined =>
  error instanceof DrizzleQueryError && error.cause instanceof Refusal ? error.cause : undefined;

/** Whether a transaction was aborted in favour of another one, or drew a code that exists; a retry usually succeeds. */
export function isTransactionConflict(error: unknown): boolean {
  const code = databaseErrorOf(error)?.code ?? "";
  return (
    /^40(?:001|P01)$/.test(code) || (code === "23505" && /_(?:code|id_key)$/.test(violatedConstraintOf(error) ?? ""))
  );
}

/** Whether the connection is lost, or the server or a pooler has just announced its end. */
export const isConnectionLost = (error: unknown): boolean =>
  isFatalError(error) || /^(57P0|CONNECTION_|ECONN|EPIPE|ETIMEDOUT)/.test(databaseErrorOf(error)?.code ?? "");

/** Whether the database refuses a statement only because an earlier one of the same transaction failed. */
export const isTransactionAborted = (error: unknown): boolean => databaseErrorOf(error)?.code === "25P02";

/** Whether this is a server's or a pooler's last message on a connection. */
export function isFatalError(error: unknown): boolean {
  const { severity_local, severity = severity_local } = databaseErrorOf(error) ?? {};
  return severity === "FATAL";
}

/** Whether a statement took longer than it may. */
export const isStatementTimeout = (error: unknown): boolean => databaseErrorOf(error)?.code === "57014";

/** A node of Citus was lost while it committed: as with a connection that is lost at COMMIT, the outcome is unknown. */
const LOST_COMMIT = /^could not commit transaction for shard \d+/;

/** A database that is not asked at all, because it is known to be down or to take no writes now: an outage like one of the driver. */
export class DatabaseDown extends Error {
  readonly code = "CONNECTION_DOWN";
}

/** Whether the database is not there, has no room or no connection free, or takes too long: the same request may succeed a moment later. */
export function isDatabaseOutage(error: unknown): boolean {
  const { code = "", message = "" } = databaseErrorOf(error) ?? {};
  return (
    isTransactionConflict(error) ||
    LOST_COMMIT.test(message) ||
    // The server refuses the whole session, as while a database accepts no connections.
    isFatalError(error) ||
    code === NO_CONNECTION_FREE ||
    /^(08|53|57|55P03)/.test(code) ||
    /^(CONNECT_TIMEOUT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/.test(code)
  );
}

/** Whether a statement failed because it was sent to a replica: in conflict with what is replayed, or because the replica is left alone. */
export const isReplicaFailure = (error: unknown): boolean =>
  isTransactionConflict(error) || isConnectionLost(error) || databaseErrorOf(error)?.code === REPLICA_LEFT_ALONE;

function databaseErrorOf(error: unknown): DatabaseErrorFields | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return typeof cause === "object" && cause !== null ? cause : undefined;
}
