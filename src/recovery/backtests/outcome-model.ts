import { CaseFeatures } from "../engine/model/case-features.ts";
import { fitWeights } from "../engine/model/training/fit-model.ts";
import { readStoredModel, toPrior, toStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { TryCollector } from "../engine/model/training/training-tries.ts";
import { drawShare } from "../engine/model/draws.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { LoggedCase } from "./logged-case.ts";

/** Parts of the cases: each is judged by a model of the other parts. */
const FOLDS = 3;

/** The part of a payer's cases. */
const foldOf = (payer: string): number => Math.floor(drawShare(payer) * FOLDS);

/**
 * For each fold a model of how likely attempts are to be approved, fitted on the other folds, so that no case is judged by its own
 * results (cross-fitting: Chernozhukov and others, The Econometrics Journal 21, 2018). One round is enough: the doubly robust
 * estimate corrects the model by what happened.
 */
export function fitOutcomeModels(cases: readonly LoggedCase[], prior: StoredModel): RetryModel[] {
  const collectors = Array.from({ length: FOLDS }, () => new TryCollector());
  for (const { payer, steps } of cases)
    for (const { facts, chosen, approved } of steps)
      if (chosen) {
        const cells = new CaseFeatures(facts, prior.usualAmounts).cellsAt(chosen);
        for (const [fold, tries] of collectors.entries()) if (fold !== foldOf(payer)) tries.add(cells, approved);
      }
  const start = toPrior(prior);
  return collectors.map((tries) =>
    readStoredModel(
      toStoredModel(fitWeights(tries.toTable(), start, start.means, 1), {
        tries: tries.count,
        worlds: [],
        usualAmounts: prior.usualAmounts,
      }),
    ),
  );
}

/** The model that a case is judged by. */
export const modelForPayer = (models: readonly RetryModel[], payer: string): RetryModel =>
  itemAt(models, foldOf(payer));
