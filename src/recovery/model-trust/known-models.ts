import type { RetryModel } from "../engine/model/retry-model.ts";
import { loadModels } from "../models/loaded-models.ts";
import { publishedModel, publishedPrior } from "../models/published-prior.ts";
import type {
  RecoveryModelRecord,
  RecoveryModelRepository,
  SharedModelRecord,
} from "../models/recovery-model.repository.ts";
import type { KnownModel } from "./update-trust.ts";

type Models = Pick<RecoveryModelRepository, "latestActivation" | "pooledModelOf" | "contentsOf" | "byVersion">;

/** The models that may decide for a family, in the order in which they are asked. */
export async function modelsOfFamily(repository: Models, familyId: number): Promise<KnownModel[]> {
  const [activation, pooled] = await Promise.all([
    repository.latestActivation(familyId),
    repository.pooledModelOf(familyId),
  ]);
  const own = activation?.model;
  const versions = [own, pooled].flatMap((model) => model?.version ?? []);
  const findModel = await loadModels(repository, familyId, versions);
  return [
    ...(own ? [toOwn(own, findModel(own.version))] : []),
    ...(pooled ? [toPooled(pooled, findModel(pooled.version))] : []),
    toPublished(),
  ];
}

/** The model of a version that a vendor may use; null if there is none that can be read. */
export async function findKnownModel(
  repository: Models,
  familyId: number,
  version: string,
): Promise<KnownModel | null> {
  if (version === publishedModel().version) return toPublished();
  const [own, findModel] = await Promise.all([
    repository.byVersion(familyId, version),
    loadModels(repository, familyId, [version]),
  ]);
  const model = findModel(version);
  if (!model) return null;
  return own ? toOwn(own, model) : { ...toPublished(), version, tries: null };
}

const toPublished = (): KnownModel => ({
  source: "PUBLISHED",
  version: publishedModel().version,
  madeAt: null,
  isReadable: true,
  tries: publishedPrior().tries,
  importedTries: null,
  triesFrom: null,
  triesUntil: null,
});

const toPooled = (
  { version, madeAt, tries }: Omit<SharedModelRecord, "model">,
  model: RetryModel | undefined,
): KnownModel => ({
  source: "COUNTRY",
  version,
  madeAt,
  isReadable: model !== undefined,
  tries,
  importedTries: null,
  triesFrom: null,
  triesUntil: null,
});

const toOwn = (
  { version, madeAt, tries, importedTries, triesFrom, triesUntil }: RecoveryModelRecord,
  model: RetryModel | undefined,
): KnownModel => ({
  source: "VENDOR",
  version,
  madeAt,
  isReadable: model !== undefined,
  tries,
  importedTries,
  triesFrom,
  triesUntil,
});
