import type { ReasonClass, PaymentGateway } from "../../../schema/vocabulary.ts";
import type { StoredJson } from "../engine/decision-record.ts";
import type { ModelParts } from "../engine/model/retry-model.ts";
import type { StoredModel } from "../engine/model/stored-model.ts";
import type { BacktestResult } from "./backtest.ts";
import type { SkippedCases } from "./logged-case.reading.ts";

/** A meaning that a code of a gateway could have. */
export interface ProposedMeaning {
  gateway: PaymentGateway;
  code: string;
  reasonClass: ReasonClass;
}

/** A backtest of terms, or of a meaning of a code under the policies that the cases ran under. */
export interface BacktestJob {
  proposed: { policy: StoredJson } | { meaning: ProposedMeaning };
  /** What SMART chooses by. */
  model: ModelParts | null;
  /** What the outcome model knows before the cases. */
  prior: StoredModel;
  /** The currency in which amounts are added up. */
  currency: string;
  now: Date;
}

/** The result of a backtest, and what is not part of it. */
export interface BacktestReport extends BacktestResult {
  skipped: SkippedCases & { unreadable: number };
}
