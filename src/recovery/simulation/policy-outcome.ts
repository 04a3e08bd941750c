/** What became of the payments of a world under one policy. Arrays count payments as the world gave them. */
export interface PolicyOutcome {
  name: string;
  label: string;
  baseline: boolean;
  /** Days from the first failure to the money; NaN where it never came. */
  days: Float64Array;
  tries: Uint16Array;
  /** Tries that broke a limit of the networks, by the independent checker. */
  breaches: Uint16Array;
  /** Probabilities that were told, with what came of them, one for each try; empty where the policy tells none. */
  predictions: { probability: Float64Array; approved: Uint8Array; index: Uint32Array };
  /** What was broken first, for whoever has to mend it. */
  firstBreach: string | null;
}

/** What does not depend on the policy. */
export interface WorldCases {
  world: string;
  /** A number that is equal for equal payments. */
  fingerprint: number;
  /** 1 where the first decline says that no try can help. */
  hard: Uint8Array;
  amounts: Float64Array;
  currencies: string[];
}
