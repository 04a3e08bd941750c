/*
 * What `npm run test:citus` leaves out, each with its reason. All other tests run with their database as a schema of a Citus cluster
 * (docs/decisions/0039-which-tests-run-where.md).
 */

/** Folders that ask no database of a cell. */
export const foldersWithoutCell: Readonly<Record<string, string>> = {
  browser: "What a page does in a browser is no question to the database.",
  clients: "Five generators compare types; the statements are those of graphql and rest.",
  commands: "Commands start processes on a home database, which is plain PostgreSQL.",
  contract: "Facts about files and the schema's text; some add triggers, to put values into every field.",
  faults: "Servers, processes and connections of the home database are broken, which is plain PostgreSQL.",
  gateways: "The answers of payment gateways do not depend on the database.",
  operations: "Processes on a home database; backups and restores are of a plain one.",
  unit: "No database.",
};

const TRIGGERS = "It asks the triggers of plain PostgreSQL.";
const COPIES =
  "Its records are copies that are made by INSERT … SELECT over several tables, which Citus refuses or makes without rows.";
const COPIED_DATABASE = "It copies a whole database, which is made for a schema by `cells move` only.";
const LOCKS = "It waits for a lock that the coordinator does not list: the lock is at a node.";

/** Files that are left out as a whole. */
export const filesWithoutCell: Readonly<Record<string, string>> = {
  "graphql/payments/ledger.test.ts": TRIGGERS,
  "graphql/orders/order-totals.test.ts": TRIGGERS,
  "graphql/orders/orders-on-clusters.test.ts": COPIED_DATABASE,
  "graphql/orders/dashboard-filters.test.ts":
    "It sets rows by several statements in one message, with functions that Citus accepts in no update.",
  "graphql/recovery/backtest.test.ts": COPIES,
  "graphql/recovery/model-training.test.ts": COPIES,
  "graphql/recovery/pooled-models.test.ts": COPIES,
  "jobs/renewal-batches/renewal-batches.test.ts": COPIED_DATABASE,
  "jobs/restored-backup.test.ts": COPIED_DATABASE,
  "rest/binding/embedded-lists.test.ts": COPIES,
};

/** Single tests of other files, by the end of their full titles. */
export const testsWithoutCell: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "graphql/notifications/message-holdout.test.ts": {
    "has bounds for its difference with enough payers, of the cases that are old enough": COPIES,
  },
  "graphql/orders/order-stock.test.ts": {
    "that are deleted while an order waits for the product's lock are not sold": LOCKS,
  },
  "graphql/payments/refunds.test.ts": { "refuses entries that do not sum to zero, and changes of entries": TRIGGERS },
  "graphql/server/operation-compiler.test.ts": {
    "that meets an outage is answered 503 with Retry-After, like every other":
      "It simulates an outage by a row policy and a function of the home database.",
  },
  "graphql/vendors/test-clock.test.ts": {
    "has a limit for one move, and nothing moves beyond it": COPIES,
    "has a limit for a day of the real time, which many short moves reach too": COPIES,
    "counts no period after the end of a subscription": COPIES,
    "counts the subscriptions of children, which follow the clock": COPIES,
  },
  "jobs/due-conditions.test.ts": {
    "taken when its faults were long ago": COPIES,
    "left when it was declined": COPIES,
    "left when its faults last": COPIES,
  },
  "jobs/due-work.test.ts": {
    "a vendor is found when its work is due by its own clock, and not for pending covers":
      "It sets rows by an update with arithmetic of times, which Citus accepts with values only.",
    "due subscriptions are found by indexes among many": COPIES,
  },
  "jobs/finished-orders.test.ts": {
    "order items of an older gateway get the time of their next transition from the migration":
      "The migration's update is skipped in a cell, which has no rows when it is made.",
    "due order items are found by an index among many": COPIES,
  },
  "rest/compressed-answers.test.ts": { "gets whole answers while the gateway closes": COPIED_DATABASE },
};
