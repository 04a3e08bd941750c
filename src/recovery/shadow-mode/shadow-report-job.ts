import type { StoredModel } from "../engine/model/stored-model.ts";
import type { ShadowResult } from "./shadow-report.ts";

/** What the thread of a shadow report computes with its cases. */
export interface ShadowReportJob {
  /** The published prior: what is known before the cases. */
  prior: StoredModel;
  now: Date;
}

/** The result, and the number of cases that cannot be read. */
export interface ShadowReportResult extends ShadowResult {
  unusableCases: number;
}
