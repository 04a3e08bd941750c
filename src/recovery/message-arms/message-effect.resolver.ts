import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { MessageArm } from "../../../schema/vocabulary.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { ZERO } from "../../kernel/amounts.ts";
import { toTally, toVendorDay } from "../analytics/recovery-analytics.tally.ts";
import { RecoveryAnalytics } from "../analytics/recovery-analytics.type.ts";
import type { DayRange } from "../analytics/recovery-count.repository.ts";
import { policiesInForce } from "../experiments/experiment-arm.policy.ts";
import { compareCounts, toRateDifference } from "../experiments/experiment-results.ts";
import { comparedAfterDays as longestWindow } from "../experiments/recovery-experiment.rules.ts";
import type { MessageArmCounts } from "./message-arm.repository.ts";
import { MessageEffect } from "./message-effect.type.ts";

const DAY_MS = 86_400_000;

@Resolver(() => RecoveryAnalytics)
export class MessageEffectResolver {
  @FieldResolver(() => MessageEffect, {
    description:
      "What messages to payers of failed renewals recover, of the renewals that failed in the period. It is computed from the covers, only if selected.",
  })
  async messageEffect(@Root() days: DayRange, @Ctx() { read, vendor, clock }: GatewayContext) {
    const comparedAfterDays = longestWindow(
      policiesInForce(await read.recoveryExperiments.findPolicyLevels(vendor.id)),
    );
    const maturedOn = toVendorDay(new Date(clock.now().getTime() - comparedAfterDays * DAY_MS), vendor.zoneId);
    const matured = { from: days.from, until: maturedOn < days.until ? maturedOn : days.until };
    const [counts, compared] = await Promise.all([
      read.messageArms.countsByArm(vendor.id, days),
      read.messageArms.countsByArm(vendor.id, matured),
    ]);
    const { byCount, byAmount } = compareCounts(countsOf(compared, "MESSAGES"), countsOf(compared, "NO_MESSAGES"), 1);
    return {
      withMessages: tallyOf(counts, "MESSAGES"),
      withoutMessages: tallyOf(counts, "NO_MESSAGES"),
      comparedAfterDays,
      difference: toRateDifference(byCount),
      differenceByAmount: toRateDifference(byAmount),
    };
  }
}

const NONE: Omit<MessageArmCounts, "arm"> = {
  ...{ payers: 0, cases: 0, amount: ZERO, recovered: 0, recoveredAmount: ZERO, lost: 0, lostAmount: ZERO },
  ...{ casesSquared: 0, recoveredSquared: 0, casesRecovered: 0 },
  ...{ amountSquared: 0, recoveredAmountSquared: 0, amountRecoveredAmount: 0 },
};

const countsOf = (counts: readonly MessageArmCounts[], arm: MessageArm) =>
  counts.find((one) => one.arm === arm) ?? NONE;

const tallyOf = (counts: readonly MessageArmCounts[], arm: MessageArm) => {
  const own = countsOf(counts, arm);
  return { ...toTally(own), payers: own.payers };
};
