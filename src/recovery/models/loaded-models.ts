import type { FindModel } from "../engine/decision-record.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { checkModel, InvalidModelError, readStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { publishedModel } from "./published-prior.ts";
import type { RecoveryModelRepository } from "./recovery-model.repository.ts";

/** About ten megabytes of weights. */
const MAX_LOADED = 200;

/**
 * The models that this process has read, by vendor and version, the least recently used first. A model never changes, so that
 * none has to be read again. Null stands for one that this version of Recoup cannot use.
 */
const loaded = new Map<string, RetryModel | null>();

function remember(key: string, model: RetryModel | null): void {
  loaded.delete(key);
  loaded.set(key, model);
  for (const oldest of loaded.keys()) {
    if (loaded.size <= MAX_LOADED) break;
    loaded.delete(oldest);
  }
}

const keyOf = (vendorId: number, version: string): string => `${vendorId} ${version}`;

/** The models of some versions that a vendor may use. Those that it does not have, and unreadable ones, are not found. */
export async function loadModels(
  models: Pick<RecoveryModelRepository, "contentsOf">,
  vendorId: number,
  versions: Iterable<string>,
): Promise<FindModel> {
  const published = publishedModel();
  const wanted = [...new Set(versions)].filter((version) => version !== published.version);
  const missing = wanted.filter((version) => !loaded.has(keyOf(vendorId, version)));
  if (missing.length > 0)
    for (const { version, model } of await models.contentsOf(vendorId, missing))
      remember(keyOf(vendorId, version), readModel(version, model));
  const found = new Map([[published.version, published]]);
  for (const version of wanted) {
    const key = keyOf(vendorId, version);
    const model = loaded.get(key);
    if (model === undefined) continue;
    remember(key, model);
    if (model) found.set(version, model);
  }
  return (version) => found.get(version);
}

/** The content of a stored model; null if it was cut or changed, or is of features that this version does not have. */
export function checkStoredModel(content: unknown): StoredModel | null {
  try {
    return checkModel(content);
  } catch (error) {
    if (error instanceof InvalidModelError) return null;
    throw error;
  }
}

/** A stored model; null if it was cut or changed, or is of features that this version does not have. */
function readModel(version: string, content: unknown): RetryModel | null {
  try {
    const model = readStoredModel(content);
    return model.version === version ? model : null;
  } catch (error) {
    if (error instanceof InvalidModelError) return null;
    throw error;
  }
}
