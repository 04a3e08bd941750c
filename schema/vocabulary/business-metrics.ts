import { enumOf } from "./words.ts";

/** The daily metrics of the billing side. */
export const BusinessMetric = enumOf("GROSS", "REFUNDED", "DECLINED", "STARTED", "ENDED", "RECURRING");
export type BusinessMetric = keyof typeof BusinessMetric;
