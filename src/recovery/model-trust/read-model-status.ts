import type { GatewayContext } from "../../graphql/context.ts";
import { defaultPolicy, pinnedModelOf, type Policy } from "../engine/policy.ts";
import { findKnownModel, modelsOfFamily } from "./known-models.ts";
import { driftFiguresOf } from "./drift-figures.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { modelStatusOf, staleAtOf } from "./model-status.ts";
import { readTrust } from "./stored-trust.ts";

type Repositories = Pick<
  GatewayContext["read"],
  "recoveryPolicies" | "recoveryModels" | "modelTrust" | "recoveryPoolings"
>;

/** What decides for a vendor under SMART, and how well it has predicted. */
export async function readModelStatus(
  { recoveryPolicies, recoveryModels, modelTrust, recoveryPoolings }: Repositories,
  vendor: { id: number; parentId: number | null },
) {
  const familyId = vendor.parentId ?? vendor.id;
  const [record, models, trusts, lastResultAt, training, lastTraining, pooling] = await Promise.all([
    recoveryPolicies.findActive(vendor.id),
    modelsOfFamily(recoveryModels, familyId),
    modelTrust.trustOf(familyId),
    modelTrust.lastResultAt(familyId),
    modelTrust.openTraining(familyId),
    modelTrust.lastTraining(familyId),
    recoveryPoolings.standingOf(familyId),
  ]);
  const policy: Policy = record ? policyOfRecord(record) : defaultPolicy;
  const version = pinnedModelOf(policy);
  const pinned = version === null ? null : await findKnownModel(recoveryModels, familyId, version);
  const states = trusts.map(readTrust);
  const status = modelStatusOf(policy, models, states, pinned);
  const model =
    status.version === null
      ? null
      : [...models, ...(pinned ? [pinned] : [])].find((one) => one.version === status.version);
  const { drift } = states.find(({ source }) => source === status.source) ?? {};
  return {
    ...status,
    tries: model?.tries ?? null,
    importedTries: model?.importedTries ?? null,
    triesFrom: model?.triesFrom ?? null,
    triesUntil: model?.triesUntil ?? null,
    trainedAt: model?.madeAt ?? null,
    lastResultAt,
    staleAt: staleAtOf(model?.madeAt ?? null, lastResultAt),
    drift: drift && status.version !== null ? driftFiguresOf(drift) : null,
    givenUp: models.flatMap(({ source, version: known }) =>
      states.flatMap((state) =>
        state.source === source && state.givenUpVersion === known && state.givenUpFor && state.givenUpAt
          ? [{ source, version: known, reason: state.givenUpFor, since: state.givenUpAt }]
          : [],
      ),
    ),
    training,
    lastTraining,
    pooling,
  };
}
