import { firstOf, itemAt } from "../../kernel/required-values.ts";
import { CaseFeatures } from "../engine/model/case-features.ts";
import { drawShare } from "../engine/model/draws.ts";
import { fitWeights } from "../engine/model/training/fit-model.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { readStoredModel, toPrior, toStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { TryCollector } from "../engine/model/training/training-tries.ts";
import { withoutScheduleEffects } from "./try-evidence.ts";
import { toCaseAfter, type PastPayment } from "./past-payment.ts";

/*
 * Cross-fitting: payers are split into three folds. For the payers of one fold, times are chosen by a model of the second and judged by a
 * model of the third. So no payment judges itself (Chernozhukov et al., Double/debiased machine learning, Econometrics Journal 21, 2018),
 * and what chance made attractive to the model that chooses is not counted as gain by the one that judges.
 */

const FOLDS = 3;

/** More tries than that change a model's weights little, and its fit takes time in proportion. */
const MAX_TRIES_PER_FIT = 30_000;

/** The fold of a payer: the same in every run. */
const foldOf = (payerId: string): number => Math.floor(drawShare(`fold ${payerId}`) * FOLDS);

/** Models of the folds. */
export class CrossFittedModels {
  private readonly judges: readonly RetryModel[];

  constructor(private readonly models: readonly RetryModel[]) {
    this.judges = models.map(withoutScheduleEffects);
  }

  /** The model by which a policy chooses the times of this payer. */
  chooserFor({ payerId }: PastPayment): RetryModel {
    return itemAt(this.models, (foldOf(payerId) + 1) % FOLDS);
  }

  /** The model that judges the tries of this payer, without the effects of the past schedule. */
  judgeOf({ payerId }: PastPayment): RetryModel {
    return itemAt(this.judges, (foldOf(payerId) + 2) % FOLDS);
  }
}

/** Fits one model to each fold of the payers, from a prior that has seen none of these payments. */
export function crossFit(payments: readonly PastPayment[], prior: StoredModel): CrossFittedModels {
  const usualAmounts = { ...prior.usualAmounts, ...usualAmountsOf(payments) };
  const share = Math.min(1, (MAX_TRIES_PER_FIT * FOLDS) / Math.max(1, countRetries(payments)));
  const triesOf = Array.from({ length: FOLDS }, () => new TryCollector());
  for (const payment of payments) {
    if (share < 1 && drawShare(`fit ${payment.payerId}`) >= share) continue;
    for (let number = 1; number < payment.tries.length; number++) {
      const { at, approved } = itemAt(payment.tries, number);
      const facts = toCaseAfter(payment, payment.tries.slice(0, number));
      const cells = new CaseFeatures(facts, usualAmounts).cellsAt(at);
      itemAt(triesOf, foldOf(payment.payerId)).add(cells, approved);
    }
  }
  const models = triesOf.map((tries) => {
    if (tries.count === 0) return readStoredModel({ ...prior, usualAmounts });
    const fitted = fitWeights(tries.toTable(), toPrior(prior));
    return readStoredModel(toStoredModel(fitted, { tries: tries.count, worlds: [], usualAmounts }));
  });
  return new CrossFittedModels(models);
}

const countRetries = (payments: readonly PastPayment[]): number =>
  payments.reduce((sum, { tries }) => sum + tries.length - 1, 0);

/** The median amount of each currency, as a natural logarithm. */
function usualAmountsOf(payments: readonly PastPayment[]): Record<string, number> {
  const byCurrency = new Map<string, number[]>();
  for (const { currency, amount } of payments) {
    const amounts = byCurrency.get(currency);
    if (amounts) amounts.push(Number(amount));
    else byCurrency.set(currency, [Number(amount)]);
  }
  return Object.fromEntries(
    [...byCurrency].map(([currency, amounts]) => {
      amounts.sort((a, b) => a - b);
      return [currency, Math.log(Math.max(itemAt(amounts, amounts.length >> 1), firstOf(amounts), 1e-6))] as const;
    }),
  );
}
