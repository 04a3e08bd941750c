import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, FieldResolver, Info, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { DateTimeScalar } from "../graphql/scalars.ts";
import { selectionOf } from "../graphql/selection.ts";
import {
  ExchangeRate,
  RemoveExchangeRateInput,
  RemoveExchangeRatePayload,
  SetExchangeRateInput,
  SetExchangeRatePayload,
} from "./exchange-rate.type.ts";
import {
  UpdateVendorInput,
  UpdateVendorPayload,
  UpdateVendorSettingsInput,
  UpdateVendorSettingsPayload,
} from "./vendor-input.type.ts";
import { AdvanceTestClockInput, AdvanceTestClockPayload, Vendor } from "./vendor.type.ts";

@Resolver(() => Vendor)
export class VendorResolver extends NodeResolver(() => Vendor, "Vendor") {
  @Query(() => Vendor, { description: "The vendor that the Secret-Token acts for." })
  vendor(@Ctx() { vendor, read }: GatewayContext, @Info() info: GraphQLResolveInfo) {
    return read.vendors.projectOwn(vendor, selectionOf(info));
  }

  @Query(() => [ExchangeRate], { description: "What currencies are worth to the vendor, by currency." })
  exchangeRates(@Ctx() { vendor, read }: GatewayContext) {
    return read.vendorSettings.exchangeRates(vendor.id);
  }

  @Mutation(() => UpdateVendorPayload, {
    description: "Changes what the vendor says of itself: the fields sent are set, absent ones stay.",
  })
  async updateVendor(
    @Arg("input", () => UpdateVendorInput, { description: "What changes." }) input: UpdateVendorInput,
    @Ctx() { vendor, read, write }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await write(({ vendorSettings }) => vendorSettings.updateVendor(vendor, input));
    return { vendor: await read.vendors.findProjected(vendor.id, selectionOf(info, ["vendor"])) };
  }

  @Mutation(() => UpdateVendorSettingsPayload, {
    description: "Changes how the vendor bills: the fields sent are set, absent ones stay.",
  })
  async updateVendorSettings(
    @Arg("input", () => UpdateVendorSettingsInput, { description: "What changes." }) input: UpdateVendorSettingsInput,
    @Ctx() { vendor, read, write, markSensitive }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (input.cmsIntegration?.consumerSecret) markSensitive();
    await write(({ vendorSettings }) => vendorSettings.updateSettings(vendor.id, input));
    return { vendor: await read.vendors.findProjected(vendor.id, selectionOf(info, ["vendor"])) };
  }

  @Mutation(() => SetExchangeRatePayload, { description: "Says what a currency is worth from now on." })
  async setExchangeRate(
    @Arg("input", () => SetExchangeRateInput, { description: "The currency and its rate." })
    { currency, rate }: SetExchangeRateInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    await write(({ vendorSettings }) => vendorSettings.setExchangeRate(vendor, currency, rate));
    return { exchangeRates: await read.vendorSettings.exchangeRates(vendor.id) };
  }

  @Mutation(() => RemoveExchangeRatePayload, {
    description:
      "Takes the rate of a currency away: from now on only what has a price of its own in it can be paid in it. Orders keep the rate that they were made at.",
  })
  async removeExchangeRate(
    @Arg("input", () => RemoveExchangeRateInput, { description: "The currency." })
    { currency }: RemoveExchangeRateInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    await write(({ vendorSettings }) => vendorSettings.removeExchangeRate(vendor.id, currency));
    return { exchangeRates: await read.vendorSettings.exchangeRates(vendor.id) };
  }

  @Mutation(() => AdvanceTestClockPayload, {
    description:
      "Moves the clock of a sandbox vendor forward, and with it those of its children: a renewal that fails in a month can be seen at once. One move may make at most 5,000 charges of subscriptions due, else CLOCK_MOVE_TOO_LARGE; all moves of one day (UTC, in real time) at most 20,000, else CLOCK_QUOTA_EXCEEDED. Parts of a period count as parts of a charge, so many short moves count as one long one. Refused for a live vendor and for a child with TEST_CLOCK_UNAVAILABLE.",
  })
  async advanceTestClock(
    @Arg("input", () => AdvanceTestClockInput, { description: "How far." }) { by }: AdvanceTestClockInput,
    @Ctx() { vendor, write, clock, setClockAheadMs }: GatewayContext,
  ) {
    setClockAheadMs(await write(({ vendors }) => vendors.advanceTestClock(vendor, by)));
    return { now: clock.now() };
  }

  @FieldResolver(() => DateTimeScalar, {
    description: "What the vendor's clock says: the real time, or that of the sandbox.",
  })
  now(@Ctx() { clock }: GatewayContext): Date {
    return clock.now();
  }
}
