import type { PaymentGateway } from "../../../schema/vocabulary.ts";
import type { ModelParts } from "../engine/model/retry-model.ts";

/** A code of a gateway without a known meaning, in the form in which codes are compared. */
export interface UnmappedCode {
  gateway: PaymentGateway;
  code: string;
}

/** What the thread of suggestions computes with its cases. */
export interface CodeSuggestionJob {
  codes: readonly UnmappedCode[];
  /** The model that says how likely results are under each class. */
  model: ModelParts;
  now: Date;
}
