import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { toAmount, ZERO } from "../../kernel/amounts.ts";
import type { DayRange } from "../analytics/recovery-count.repository.ts";
import { toVendorDay } from "../analytics/recovery-analytics.tally.ts";
import { RecoveryAnalytics } from "../analytics/recovery-analytics.type.ts";
import { PolicyInForce } from "../policies/recovery-policy.type.ts";
import type { BoundedEstimate } from "./arm-comparison.ts";
import { levelInForce } from "./experiment-arm.policy.ts";
import { toPolicyEffect } from "./experiment-results.ts";
import { PolicyEffect } from "./policy-effect.type.ts";

@Resolver(() => RecoveryAnalytics)
export class PolicyEffectResolver {
  @FieldResolver(() => PolicyEffect, {
    description:
      "What was recovered because of the policies that an experiment compares with a holdout, of covers that started in the period. Everything that was recovered is in `total`.",
  })
  async policyEffect(@Root() days: DayRange, @Ctx() { read, vendor, loaders, clock }: GatewayContext) {
    const id = await read.experimentCounts.findLatestWithin(vendor.id, days);
    if (id === undefined) return { ...UNKNOWN_EFFECT, experiment: null, reason: "NO_EXPERIMENT" };
    const maturedOn = toVendorDay(clock.now(), vendor.zoneId);
    const [experiment, arms, counts, ran] = await Promise.all([
      loaders.requireById("recoveryExperiments", id),
      loaders.experimentArmsOf(id),
      loaders.experimentCountsOf(id, maturedOn),
      read.experimentCounts.armCountsOf(vendor.id, [id], { maturedOn, days }),
    ]);
    const numbers = arms.flatMap(({ number }) => (number === 0 ? [] : [number]));
    const { recovered, recoveredAmount, ...compared } = toPolicyEffect(counts, ran, numbers);
    if (!recovered || !recoveredAmount) return { ...UNKNOWN_EFFECT, ...compared, experiment, reason: "TOO_FEW_PAYERS" };
    return {
      ...compared,
      experiment,
      recovered: mapBounds(recovered, roundToHundredths),
      recoveredAmount: mapBounds(recoveredAmount, (value) => toAmount(roundToHundredths(value))),
      reason: null,
    };
  }
}

@Resolver(() => PolicyInForce)
export class PolicyInForceResolver {
  @FieldResolver(() => Boolean, {
    description:
      "Whether a running experiment, the vendor's own or its parent's, chooses the policy of new covers instead of this one.",
  })
  async isReplacedByExperiment(@Ctx() { read, vendor }: GatewayContext) {
    const level = levelInForce(await read.recoveryExperiments.findPolicyLevels(vendor.id));
    return level !== undefined && level.experimentId !== null;
  }
}

const UNKNOWN_EFFECT = { cases: 0, amount: ZERO, recovered: null, recoveredAmount: null };

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;

const mapBounds = <T>({ value, lower, upper }: BoundedEstimate, convert: (bound: number) => T) => ({
  value: convert(value),
  lower: convert(lower),
  upper: convert(upper),
});
