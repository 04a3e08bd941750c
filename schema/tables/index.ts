export * from "./vendors.ts";
export * from "./recovery.ts";
export * from "./idempotency.ts";
