/**
 * Every closed list of words that is visible outside this repository.
 *
 * Names of companies do not occur: where the contract hides one, a neutral word replaces it, and an operator who must
 * be wire-exact maps it to the real word with a vocabulary file (see `rest-compat/README.md`).
 */

export * from "./vocabulary/customers.ts";
export * from "./vocabulary/events.ts";
export * from "./vocabulary/shared.ts";
export * from "./vocabulary/business-metrics.ts";
export * from "./vocabulary/hidden-names.ts";
export * from "./vocabulary/imports.ts";
export * from "./vocabulary/invoices.ts";
export * from "./vocabulary/messages.ts";
export * from "./vocabulary/orders.ts";
export * from "./vocabulary/payments.ts";
export * from "./vocabulary/products.ts";
export * from "./vocabulary/recovery.ts";
export * from "./vocabulary/subscriptions.ts";
export * from "./vocabulary/vendors.ts";
export * from "./vocabulary/webhooks.ts";
