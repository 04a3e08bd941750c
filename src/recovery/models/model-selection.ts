import { notFound } from "../../kernel/refusals.ts";
import type { ModelFallback } from "../engine/decision.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { isSmart, NO_MODEL, pinnedModelOf, type Policy } from "../engine/policy.ts";
import { loadModels } from "./loaded-models.ts";
import { publishedModel } from "./published-prior.ts";
import { selectDecidingModel, type ModelCandidate } from "../model-trust/deciding-model.ts";
import type { ModelStanding, RecoveryModelRepository } from "./recovery-model.repository.ts";

/** The model of a decision, and why it is not the one that should decide. */
export interface SelectedModel {
  model: RetryModel | null;
  fallback: ModelFallback | null;
  /** Whether results test it already. */
  isWatched: boolean;
}

type Models = Pick<RecoveryModelRepository, "contentsOf">;

/**
 * @throws a Refusal if the terms name a model that the vendor does not have, or a country's: that one changes with the families
 * that share their retries, and ends for all when the next is pooled.
 */
export async function requireModelOf(
  models: Pick<RecoveryModelRepository, "contentsOf" | "isOnlyPooled">,
  vendorId: number,
  terms: Pick<Policy, "model">,
): Promise<void> {
  const version = pinnedModelOf(terms);
  if (version === null) return;
  if (!(await loadModels(models, vendorId, [version]))(version))
    throw notFound("MODEL_NOT_FOUND", `There is no recovery model with the version ${version}.`);
  if (await models.isOnlyPooled(vendorId, version))
    throw notFound(
      "MODEL_NOT_FOUND",
      `The recovery model with the version ${version} is that of a country, which a policy cannot name.`,
    );
}

/** The choice of a policy that needs no model. */
const NO_MODEL_NEEDED: SelectedModel = { model: null, fallback: null, isWatched: true };

/**
 * The model that a policy chooses its times by: the one that it names, else the first that is trusted of the family's active
 * one, that of its country and the published prior. `findStanding` is called only where that is needed.
 */
export async function selectModel(
  models: Models,
  vendorId: number,
  policy: Policy,
  findStanding: () => Promise<ModelStanding>,
): Promise<SelectedModel> {
  if (!isSmart(policy) || policy.model === NO_MODEL) return NO_MODEL_NEEDED;
  const { own, pooled, givenUp, isWatched } = await findStanding();
  const pinned = pinnedModelOf(policy);
  const findModel = await loadModels(
    models,
    vendorId,
    [pinned, own, pooled].filter((version) => version !== null),
  );
  const named = pinned === null ? undefined : findModel(pinned);
  if (named) return { model: named, fallback: null, isWatched };
  const { candidate, fallback } = selectDecidingModel(
    toCandidates({ own, pooled }),
    givenUp,
    (version) => findModel(version) !== undefined,
  );
  const isNamedMissing = pinned !== null;
  return {
    model: (candidate && findModel(candidate.version)) ?? null,
    fallback: isNamedMissing ? { to: candidate?.source ?? "EVEN", reason: "MISSING" } : fallback,
    isWatched,
  };
}

/** The first trusted model of a vendor's family, whatever its policy is; null where none is. */
export async function selectTrustedModel(
  models: Pick<RecoveryModelRepository, "contentsOf" | "standing">,
  vendorId: number,
): Promise<RetryModel | null> {
  const { own, pooled, givenUp } = await models.standing(vendorId);
  const findModel = await loadModels(
    models,
    vendorId,
    [own, pooled].filter((version) => version !== null),
  );
  const isReadable = (version: string) => findModel(version) !== undefined;
  const { candidate } = selectDecidingModel(toCandidates({ own, pooled }), givenUp, isReadable);
  return (candidate && findModel(candidate.version)) ?? null;
}

const toCandidates = ({ own, pooled }: Pick<ModelStanding, "own" | "pooled">): ModelCandidate[] => [
  ...(own === null ? [] : [{ source: "VENDOR" as const, version: own }]),
  ...(pooled === null ? [] : [{ source: "COUNTRY" as const, version: pooled }]),
  { source: "PUBLISHED", version: publishedModel().version },
];
