import type { ReasonClass } from "../../../../schema/vocabulary.ts";
import type { RecoveryCase } from "../recovery-case.ts";
import { SOURCE_HOUR_GROUPS, sourceHourCells } from "./arrived-sources.ts";
import { CaseFeatures, type UsualAmounts } from "./case-features.ts";
import { classIndexOf } from "./cells.ts";
import { toOdds } from "./log-odds.ts";
import { ModelledCase } from "./modelled-case.ts";

/** All that a model consists of: data that can cross to a thread. */
export interface ModelParts {
  readonly version: string;
  readonly weights: Float64Array;
  readonly variances: Float64Array;
  readonly usualAmounts: UsualAmounts;
  /** Attempts that taught the law of each class. */
  readonly classTries: ArrayLike<number>;
  /** Attempts of the vendors' own that it was fitted on; none of a prior. */
  readonly ownTries: number;
}

/** A fitted model: weights of the cells with their variances. */
export class RetryModel implements ModelParts {
  readonly version: string;
  readonly weights: Float64Array;
  readonly variances: Float64Array;
  readonly usualAmounts: UsualAmounts;
  readonly classTries: ArrayLike<number>;
  readonly ownTries: number;
  private hourFactors: Float64Array | undefined;

  constructor({ version, weights, variances, usualAmounts, classTries, ownTries }: ModelParts) {
    this.version = version;
    this.weights = weights;
    this.variances = variances;
    this.usualAmounts = usualAmounts;
    this.classTries = classTries;
    this.ownTries = ownTries;
  }

  /** Number of attempts that taught the law of a class. A code that no table has may be of any class: all attempts count for it. */
  triesOf(reason: ReasonClass | null): number {
    if (reason !== "UNKNOWN") return this.classTries[classIndexOf(reason)] as number;
    return Array.from(this.classTries).reduce((sum, tries) => sum + tries, 0);
  }

  forCase(facts: RecoveryCase): ModelledCase {
    return new ModelledCase(this, new CaseFeatures(facts, this.usualAmounts));
  }

  /** By what each group of sources multiplies its odds at each hour: the same for all cases. */
  get sourceHourFactors(): Float64Array {
    this.hourFactors ??= Float64Array.from({ length: SOURCE_HOUR_GROUPS * 24 }, (_, index) => {
      const group = Math.floor(index / 24);
      const [day, first] = sourceHourCells({ kind: Math.floor(group / 3), lag: group % 3 }, index % 24);
      return toOdds((this.weights[day] as number) + (this.weights[first] as number));
    });
    return this.hourFactors;
  }
}
