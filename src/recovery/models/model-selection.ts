import { notFound } from "../../kernel/refusals.ts";
import type { ModelFallback } from "../engine/decision.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { isSmart, NO_MODEL, pinnedModelOf, type Policy } from "../engine/policy.ts";
import { findModel, publishedModel } from "./published-prior.ts";

/** The model of a decision, and why it is not the one that should decide. */
export interface SelectedModel {
  model: RetryModel | null;
  fallback: ModelFallback | null;
}

/** @throws a Refusal if the terms name a model that there is not. */
export function requireModelOf(terms: Pick<Policy, "model">): void {
  const version = pinnedModelOf(terms);
  if (version !== null && !findModel(version))
    throw notFound("MODEL_NOT_FOUND", `There is no recovery model with the version ${version}.`);
}

const NO_MODEL_NEEDED: SelectedModel = { model: null, fallback: null };

/** The model that a policy chooses its times by. */
export function selectModel(policy: Policy): SelectedModel {
  if (!isSmart(policy) || policy.model === NO_MODEL) return NO_MODEL_NEEDED;
  const pinned = pinnedModelOf(policy);
  if (pinned === null) return { model: publishedModel(), fallback: null };
  const model = findModel(pinned);
  return model
    ? { model, fallback: null }
    : { model: publishedModel(), fallback: { to: "PUBLISHED", reason: "MISSING" } };
}
