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
  @Query(() => Vendor, { description: "Returns the vendor of the Secret-Token." })
  vendor(@Ctx() { vendor, read }: GatewayContext, @Info() info: GraphQLResolveInfo) {
    return read.vendors.projectOwn(vendor, selectionOf(info));
  }

  @Query(() => [ExchangeRate], { description: "Returns the vendor's exchange rates, sorted by currency." })
  exchangeRates(@Ctx() { vendor, read }: GatewayContext) {
    return read.vendorSettings.exchangeRates(vendor.id);
  }

  @Mutation(() => UpdateVendorPayload, {
    description: "Changes the vendor's profile. Sent fields are set, absent fields keep their values.",
  })
  async updateVendor(
    @Arg("input", () => UpdateVendorInput, { description: "The changes." }) input: UpdateVendorInput,
    @Ctx() { vendor, read, write }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await write(({ vendorSettings }) => vendorSettings.updateVendor(vendor, input));
    return { vendor: await read.vendors.findProjected(vendor.id, selectionOf(info, ["vendor"])) };
  }

  @Mutation(() => UpdateVendorSettingsPayload, {
    description: "Changes the vendor's billing settings. Sent fields are set, absent fields keep their values.",
  })
  async updateVendorSettings(
    @Arg("input", () => UpdateVendorSettingsInput, { description: "The changes." }) input: UpdateVendorSettingsInput,
    @Ctx() { vendor, read, write, markSensitive }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (input.cmsIntegration?.consumerSecret) markSensitive();
    await write(({ vendorSettings }) => vendorSettings.updateSettings(vendor.id, input));
    return { vendor: await read.vendors.findProjected(vendor.id, selectionOf(info, ["vendor"])) };
  }

  @Mutation(() => SetExchangeRatePayload, { description: "Sets the exchange rate of a currency from now on." })
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
      "Removes the exchange rate of a currency. From now on only plans with their own price in this currency can be paid in it. Existing orders keep their rate.",
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
      "Advances the clock of a sandbox vendor and of its children. Later events, such as a failed renewal next month, can be tested at once. One advance may make at most 5,000 charges of subscriptions due, otherwise it is refused with CLOCK_MOVE_TOO_LARGE. All advances of one day (UTC, in real time) may make at most 20,000 due, otherwise CLOCK_QUOTA_EXCEEDED. A part of a period counts as a part of a charge, so many short advances count as much as one long advance. Refused with TEST_CLOCK_UNAVAILABLE for a live vendor and for a child.",
  })
  async advanceTestClock(
    @Arg("input", () => AdvanceTestClockInput, { description: "The duration of the advance." })
    { by }: AdvanceTestClockInput,
    @Ctx() { vendor, write, clock, setClockAheadMs }: GatewayContext,
  ) {
    setClockAheadMs(await write(({ testClocks }) => testClocks.advance(vendor, by)));
    return { now: clock.now() };
  }

  @FieldResolver(() => DateTimeScalar, {
    description: "Current time of the vendor's clock: the real time, or the sandbox's time.",
  })
  now(@Ctx() { clock }: GatewayContext): Date {
    return clock.now();
  }
}
