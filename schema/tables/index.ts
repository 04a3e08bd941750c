export * from "./vendors.ts";
export * from "./recovery.ts";
