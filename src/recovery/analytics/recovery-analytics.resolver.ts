import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { once } from "../../kernel/scheduling/lazy.ts";
import { invalidField } from "../../kernel/refusals.ts";
import { MAX_SLICE_SIZE } from "../../kernel/slice.ts";
import { toRecoveryCurve, toDayRange, fillMissingDays, toTally, sumCounts } from "./recovery-analytics.tally.ts";
import {
  CodeSuggestion,
  MapDeclineCodeInput,
  MapDeclineCodePayload,
  RecoveryAnalytics,
  RecoveryAnalyticsArgs,
  RecoveryByAttempt,
  RecoveryByCountry,
  RecoveryByDay,
  RecoveryByGateway,
  RecoveryByReason,
  RecoveryCurvePoint,
  UnmappedDecline,
} from "./recovery-analytics.type.ts";
import { RecoveryTally } from "./recovery-tally.type.ts";

interface Days {
  from: string;
  until: string;
}

@Resolver(() => RecoveryAnalytics)
export class RecoveryAnalyticsResolver {
  @Query(() => RecoveryAnalytics, {
    description: "Returns the results of the covers that started in a period: recovered amounts, rates and times.",
  })
  recoveryAnalytics(
    @Args(() => RecoveryAnalyticsArgs) { startedAt }: RecoveryAnalyticsArgs,
    @Ctx() { vendor, clock }: GatewayContext,
  ): Days {
    return toDayRange(startedAt, vendor.zoneId, clock.now());
  }

  @FieldResolver(() => RecoveryTally)
  async total(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    return toTally(sumCounts(await read.recoveryCounts.casesGroupedBy(vendor.id, "reasonClass", days)));
  }

  @FieldResolver(() => [RecoveryByDay])
  async byDay(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    const rows = await read.recoveryCounts.casesGroupedBy(vendor.id, "day", days);
    return fillMissingDays(days, rows).map(({ key: day, ...counts }) => ({ day, ...toTally(counts) }));
  }

  @FieldResolver(() => [RecoveryByReason])
  async byReason(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    const rows = await read.recoveryCounts.casesGroupedBy(vendor.id, "reasonClass", days);
    return rows.map(({ key: reasonClass, ...counts }) => ({ reasonClass, ...toTally(counts) }));
  }

  @FieldResolver(() => [RecoveryByGateway])
  async byGateway(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    const rows = await read.recoveryCounts.casesGroupedBy(vendor.id, "gateway", days);
    return rows.map(({ key: paymentGateway, ...counts }) => ({ paymentGateway, ...toTally(counts) }));
  }

  @FieldResolver(() => [RecoveryByCountry])
  async byCountry(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    const rows = await read.recoveryCounts.casesGroupedBy(vendor.id, "country", days);
    return rows.map(({ key: country, ...counts }) => ({ country, ...toTally(counts) }));
  }

  @FieldResolver(() => [RecoveryByAttempt])
  async byAttempt(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    const rows = await read.recoveryCounts.recoveredGroupedBy(vendor.id, "attempt", days);
    return rows.map(({ key, ...rest }) => ({ attempt: key, ...rest }));
  }

  @FieldResolver(() => [RecoveryCurvePoint])
  async curve(@Root() days: Days, @Ctx() { read, vendor }: GatewayContext) {
    const [byDays, cases] = await Promise.all([
      read.recoveryCounts.recoveredGroupedBy(vendor.id, "daysTaken", days),
      read.recoveryCounts.casesGroupedBy(vendor.id, "reasonClass", days),
    ]);
    return toRecoveryCurve(byDays, sumCounts(cases).cases);
  }

  @Query(() => [UnmappedDecline], {
    description: "Returns declines without a known meaning, the most costly first. Map them with `mapDeclineCode`.",
  })
  async unmappedDeclines(
    @Ctx() { read, vendor, codeSuggestions }: GatewayContext,
    @Arg("first", () => Int, { defaultValue: MAX_SLICE_SIZE, description: "Number of rows. 1 to 100." }) first: number,
  ) {
    if (first < 1 || first > MAX_SLICE_SIZE) throw invalidField("first", `must be from 1 to ${MAX_SLICE_SIZE}.`);
    const rows = await read.recoveryCounts.listUnmappedDeclines(vendor.id, first);
    const suggestions = once(() => codeSuggestions().suggest(rows));
    return rows.map(({ gateway, code, message, ...rest }, index) => ({
      paymentGateway: gateway,
      errorCode: code || null,
      errorMessage: message,
      ...rest,
      suggest: async () => (await suggestions())[index] ?? null,
    }));
  }

  @Mutation(() => MapDeclineCodePayload, {
    description:
      "Maps a gateway's decline code to a meaning, for the vendor and its children. Later decisions use it; earlier ones do not change.",
  })
  async mapDeclineCode(
    @Arg("input", () => MapDeclineCodeInput, { description: "The code and its meaning." }) input: MapDeclineCodeInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const { paymentGateway, reasonClass } = input;
    const errorCode = await write(({ recoveryPolicies }) =>
      recoveryPolicies.mapDecline(vendor.id, paymentGateway, input.errorCode, reasonClass),
    );
    return { paymentGateway, errorCode, reasonClass };
  }
}

/** A row of `unmappedDeclines`; `suggest` computes the suggestions of all rows on its first call. */
interface ListedDecline {
  suggest: () => Promise<CodeSuggestion | null>;
}

@Resolver(() => UnmappedDecline)
export class UnmappedDeclineResolver {
  @FieldResolver(() => CodeSuggestion, { nullable: true })
  suggestion(@Root() { suggest }: ListedDecline): Promise<CodeSuggestion | null> {
    return suggest();
  }
}
