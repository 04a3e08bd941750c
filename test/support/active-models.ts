import { createRepositories } from "../../src/graphql/repositories.ts";
import { modelVersionOf, type StoredModel } from "../../src/recovery/engine/model/stored-model.ts";
import { publishedModel } from "../../src/recovery/models/published-prior.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { DAY } from "./test-clock.ts";
import type { TestGateway } from "./test-gateway.ts";

/** Makes a model the active one of a family, as a training does. @returns its version. */
export async function activateModel(gateway: TestGateway, vendorId: number, model: StoredModel): Promise<string> {
  const { recoveryModels } = createRepositories(gateway.database.handle);
  const version = modelVersionOf(model);
  const now = gateway.clock.now();
  const { id } = await recoveryModels.add(vendorId, {
    ...{ version, features: model.features, priorVersion: publishedModel().version, tries: model.tries, madeAt: now },
    ...{ triesFrom: new Date(now.getTime() - 30 * DAY), triesUntil: now, model: { ...model } },
  });
  const [training] = await queryRows<{ id: number }>(
    gateway,
    `insert into recovery_trainings (vendor_id, state, trigger, requested_at, finished_at, result)
      values (${vendorId}, 'DONE', 'NIGHT', '${now.toISOString()}', '${now.toISOString()}', 'ACTIVATED') returning id`,
  );
  await recoveryModels.activate(vendorId, { modelId: id, trainingId: training!.id, activatedAt: now });
  return version;
}
