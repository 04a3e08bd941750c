/** The results of a world's payments under one policy. Arrays are indexed by payment, in the order of the world. */
export interface PolicyOutcome {
  name: string;
  label: string;
  baseline: boolean;
  /** Days from the first failure to the recovery; NaN if the payment was not recovered. */
  days: Float64Array;
  tries: Uint16Array;
  /** Attempts that broke a network's limit, as the independent checker found. */
  breaches: Uint16Array;
  /** The predicted probability and the result of each attempt. Empty if the policy predicts none. */
  predictions: { probability: Float64Array; approved: Uint8Array; index: Uint32Array };
  /** A description of the first breach, for debugging. */
  firstBreach: string | null;
  /** Version of the model that the policy chose by; null if it has none. */
  model: string | null;
}

/** The facts of a world's payments that do not depend on the policy. */
export interface WorldCases {
  world: string;
  /** A hash of the payments, which shows whether two policies had the same ones. */
  fingerprint: number;
  /** 1 if the first decline is hard, else 0. */
  hard: Uint8Array;
  amounts: Float64Array;
  currencies: string[];
  /** Days from the first failure of the world to the failure of each payment. */
  failedAfterDays: Float64Array;
}
