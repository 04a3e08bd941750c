import { words } from "./words.ts";

/** What is counted of the billing side by days. */
export const BusinessMetric = words("GROSS", "REFUNDED", "DECLINED", "STARTED", "ENDED", "RECURRING");
export type BusinessMetric = keyof typeof BusinessMetric;
