import { enumOf } from "./words.ts";

/** What is counted of the billing side by days. */
export const BusinessMetric = enumOf("GROSS", "REFUNDED", "DECLINED", "STARTED", "ENDED", "RECURRING");
export type BusinessMetric = keyof typeof BusinessMetric;
