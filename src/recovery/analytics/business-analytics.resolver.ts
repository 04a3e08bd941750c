import { Args, Ctx, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { toDayRange } from "./recovery-analytics.tally.ts";
import { groupDeclinesByReason, revenueByDay, subscriptionsByDay } from "./business-analytics.tally.ts";
import {
  BusinessFiguresArgs,
  FailedChargesByReason,
  RevenueAnalytics,
  SubscriptionAnalytics,
} from "./business-analytics.type.ts";

const requestedDays = ({ period }: BusinessFiguresArgs, { vendor, clock }: GatewayContext) =>
  toDayRange(period, vendor.zoneId, clock.now(), "period");

/** Billing results of a merchant, read from counts that are saved with each charge, refund and subscription. */
@Resolver()
export class BusinessAnalyticsResolver {
  @Query(() => RevenueAnalytics, {
    description: "Returns gross, refunded, net and monthly recurring revenue of a period, by day and currency.",
  })
  async revenueAnalytics(@Args(() => BusinessFiguresArgs) args: BusinessFiguresArgs, @Ctx() context: GatewayContext) {
    const days = requestedDays(args, context);
    const { businessCounts } = context.read;
    const [gross, refunded, before, changes] = await Promise.all([
      businessCounts.sumsByDay(context.vendor.id, "GROSS", days),
      businessCounts.sumsByDay(context.vendor.id, "REFUNDED", days),
      businessCounts.amountsBeforeByCurrency(context.vendor.id, "RECURRING", days.from),
      businessCounts.sumsByDay(context.vendor.id, "RECURRING", days),
    ]);
    return { ...days, byDay: revenueByDay(days, gross, refunded, { before, changes }, context.vendor.currency) };
  }

  @Query(() => SubscriptionAnalytics, {
    description: "Returns how many subscriptions started, ended and were running on each day of a period.",
  })
  async subscriptionAnalytics(
    @Args(() => BusinessFiguresArgs) args: BusinessFiguresArgs,
    @Ctx() context: GatewayContext,
  ) {
    const days = requestedDays(args, context);
    const { vendor, read } = context;
    const [startedBefore, endedBefore, started, ended] = await Promise.all([
      read.businessCounts.countBefore(vendor.id, "STARTED", days.from),
      read.businessCounts.countBefore(vendor.id, "ENDED", days.from),
      read.businessCounts.sumsByDay(vendor.id, "STARTED", days),
      read.businessCounts.sumsByDay(vendor.id, "ENDED", days),
    ]);
    return { ...days, byDay: subscriptionsByDay(days, startedBefore - endedBefore, started, ended) };
  }

  @Query(() => [FailedChargesByReason], {
    description:
      "Returns declined charges of a period by reason class, the most frequent class first. Gateway faults do not count.",
  })
  async failedCharges(@Args(() => BusinessFiguresArgs) args: BusinessFiguresArgs, @Ctx() context: GatewayContext) {
    const { vendor, read } = context;
    const declines = await read.businessCounts.declines(vendor.id, requestedDays(args, context));
    const meanings = await read.recoveryPolicies.allDeclineMappings(vendor.id);
    return groupDeclinesByReason(declines, meanings, vendor.country);
  }
}
