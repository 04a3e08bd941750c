/** The results of a world's payments under one policy. Arrays are indexed by payment, in the order of the world. */
export interface PolicyOutcome {
  name: string;
  label: string;
  baseline: boolean;
  /** Days from the first failure to the money; NaN where it never came. */
  days: Float64Array;
  tries: Uint16Array;
  /** Tries that broke a limit of the networks, by the independent checker. */
  breaches: Uint16Array;
  /** Predicted probabilities with their results, one for each attempt; empty if the policy predicts none. */
  predictions: { probability: Float64Array; approved: Uint8Array; index: Uint32Array };
  /** The first rule that was broken, to help fix it. */
  firstBreach: string | null;
}

/** The facts that do not depend on the policy. */
export interface WorldCases {
  world: string;
  /** A number that is equal for equal payments. */
  fingerprint: number;
  /** 1 where the first decline says that no try can help. */
  hard: Uint8Array;
  amounts: Float64Array;
  currencies: string[];
}
