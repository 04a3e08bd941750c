import { readFileSync } from "node:fs";
import { projectFile } from "../../kernel/project-files.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { modelVersionOf, readStoredModel, type StoredModel } from "../engine/model/stored-model.ts";

/** The file that `npm run recovery:train-prior` writes. */
export const publishedPriorFile = projectFile("src/recovery/models/published-prior.json");

let prior: StoredModel | undefined;
let model: RetryModel | undefined;

/** The prior that ships: from simulated worlds, so that SMART has a model before the first attempt of a vendor. */
export const publishedPrior = (): StoredModel =>
  (prior ??= JSON.parse(readFileSync(publishedPriorFile, "utf8")) as StoredModel);

/** The model of the published prior, read once. */
export const publishedModel = (): RetryModel => (model ??= readStoredModel(publishedPrior()));

/** The published prior as it is stored among the models that belong to no vendor. */
export const toSharedModel = (content: StoredModel, madeAt: Date) => ({
  version: modelVersionOf(content),
  scope: "PUBLISHED" as const,
  features: content.features,
  tries: content.tries,
  madeAt,
  model: { ...content },
});
