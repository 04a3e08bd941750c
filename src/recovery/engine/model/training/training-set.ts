import { isEvidence, type RecordedCase } from "../../recorded-case.ts";
import { CaseFeatures, type UsualAmounts } from "../case-features.ts";
import { GrowingArray } from "./growing-array.ts";
import { logOddsOfCells } from "../log-odds.ts";
import type { RetryModel } from "../retry-model.ts";
import { TryCollector, type TryTable } from "./training-tries.ts";

const HALF_LIFE_MS = 180 * 86_400_000;

/** Retries with their results, as a training takes them. */
export interface TrainingSet {
  tries: TryTable;
  /** When each was made, in milliseconds. */
  times: Float64Array;
  /** The log-odds that the model in force gives each. */
  activeLogOdds: Float64Array;
}

/** Collects the retries of recorded cases, and of payments of other systems. */
export class TrainingSetCollector {
  private readonly tries = new TryCollector();
  private readonly times = new GrowingArray((size) => new Float64Array(size));
  private readonly activeLogOdds = new GrowingArray((size) => new Float64Array(size));
  /** Cases whose facts no features can be made of. */
  unusable = 0;

  /** `now` is the time of the training: older retries count less, half after 180 days. */
  constructor(
    private readonly usualAmounts: UsualAmounts,
    private readonly active: RetryModel,
    private readonly now: Date,
  ) {}

  get count(): number {
    return this.tries.count;
  }

  addCase({ retries }: Pick<RecordedCase, "retries">): void {
    for (const retry of retries) {
      if (!isEvidence(retry)) continue;
      const { facts, at, approved } = retry;
      const cells = this.cellsOf(facts, at, this.usualAmounts);
      if (!cells) continue;
      const isSameAmount = this.usualAmounts[facts.currency] === this.active.usualAmounts[facts.currency];
      const activeCells = isSameAmount ? cells : this.cellsOf(facts, at, this.active.usualAmounts);
      const age = Math.max(0, this.now.getTime() - at.getTime());
      this.tries.add(cells, approved, 2 ** (-age / HALF_LIFE_MS));
      this.times.push(at.getTime());
      this.activeLogOdds.push(logOddsOfCells(this.active.weights, activeCells ?? cells));
    }
  }

  toSet(): TrainingSet {
    return { tries: this.tries.toTable(), times: this.times.values(), activeLogOdds: this.activeLogOdds.values() };
  }

  private cellsOf(facts: RecordedCase["facts"], at: Date, usualAmounts: UsualAmounts) {
    try {
      return new CaseFeatures(facts, usualAmounts).cellsAt(at);
    } catch {
      // Facts that no other case has must not end the training of all others.
      this.unusable++;
      return null;
    }
  }
}

/** The median amount of each currency, as a natural logarithm; amounts that are none are left out. */
export function usualAmountsOf(amounts: Iterable<{ currency: string; amount: number }>): Record<string, number> {
  const byCurrency = new Map<string, number[]>();
  for (const { currency, amount } of amounts) {
    if (!(amount > 0) || !Number.isFinite(amount)) continue;
    const known = byCurrency.get(currency);
    if (known) known.push(amount);
    else byCurrency.set(currency, [amount]);
  }
  return Object.fromEntries(
    [...byCurrency].map(([currency, list]) => {
      list.sort((a, b) => a - b);
      return [currency, Math.log(list[list.length >> 1] as number)] as const;
    }),
  );
}
