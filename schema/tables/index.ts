export * from "./vendors.ts";
export * from "./registered.ts";
export * from "./covers.ts";
export * from "./idempotency.ts";
