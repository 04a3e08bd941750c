import { notFound } from "../../kernel/refusals.ts";
import type { ModelFallback } from "../engine/decision.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { isSmart, NO_MODEL, pinnedModelOf, type Policy } from "../engine/policy.ts";
import { loadModels } from "./loaded-models.ts";
import { publishedModel } from "./published-prior.ts";
import type { RecoveryModelRepository } from "./recovery-model.repository.ts";

/** The model of a decision, and why it is not the one that should decide. */
export interface SelectedModel {
  model: RetryModel | null;
  fallback: ModelFallback | null;
}

type Models = Pick<RecoveryModelRepository, "contentsOf">;

/** @throws a Refusal if the terms name a model that the vendor does not have. */
export async function requireModelOf(models: Models, vendorId: number, terms: Pick<Policy, "model">): Promise<void> {
  const version = pinnedModelOf(terms);
  if (version !== null && !(await loadModels(models, vendorId, [version]))(version))
    throw notFound("MODEL_NOT_FOUND", `There is no recovery model with the version ${version}.`);
}

const NO_MODEL_NEEDED: SelectedModel = { model: null, fallback: null };

/**
 * The model that a policy chooses its times by: the one that it names, else the active one of the vendor's family, else the
 * published prior. `findActiveVersion` is called only where that is needed.
 */
export async function selectModel(
  models: Models,
  vendorId: number,
  policy: Policy,
  findActiveVersion: () => Promise<string | null>,
): Promise<SelectedModel> {
  if (!isSmart(policy) || policy.model === NO_MODEL) return NO_MODEL_NEEDED;
  const version = pinnedModelOf(policy) ?? (await findActiveVersion());
  if (version === null) return { model: publishedModel(), fallback: null };
  const model = (await loadModels(models, vendorId, [version]))(version);
  return model
    ? { model, fallback: null }
    : { model: publishedModel(), fallback: { to: "PUBLISHED", reason: "MISSING" } };
}
