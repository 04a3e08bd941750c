import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { DateTimeScalar } from "../graphql/scalars.ts";
import { AdvanceTestClockInput, AdvanceTestClockPayload, Vendor } from "./vendor.type.ts";

@Resolver(() => Vendor)
export class VendorResolver extends NodeResolver(() => Vendor, "Vendor") {
  @Query(() => Vendor, { description: "The vendor that the Secret-Token acts for." })
  vendor(@Ctx() { vendor }: GatewayContext) {
    return vendor;
  }

  @Mutation(() => AdvanceTestClockPayload, {
    description:
      "Moves the clock of a sandbox vendor forward, and with it those of its children: a renewal that fails in a month can be seen at once. Refused for a live vendor and for a child with TEST_CLOCK_UNAVAILABLE.",
  })
  async advanceTestClock(
    @Arg("input", () => AdvanceTestClockInput, { description: "How far." }) { by }: AdvanceTestClockInput,
    @Ctx() { vendor, write, clock, clockMoved }: GatewayContext,
  ) {
    clockMoved(await write(({ vendors }) => vendors.advanceTestClock(vendor, by)));
    return { now: clock.now() };
  }

  @FieldResolver(() => DateTimeScalar, {
    description: "What the vendor's clock says: the real time, or that of the sandbox.",
  })
  now(@Ctx() { clock }: GatewayContext): Date {
    return clock.now();
  }
}
