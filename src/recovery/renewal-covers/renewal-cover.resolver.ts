import { Args, Ctx, FieldResolver, Info, Resolver, Root } from "type-graphql";
import type { GraphQLResolveInfo } from "graphql";
import { toChildConnection, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { recordSelectionOf } from "../../graphql/execution/text-plans.ts";
import { Order } from "../../orders/order.type.ts";
import { Subscription } from "../../subscriptions/subscription.type.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";
import { Cover, CoverConnection } from "../covers/cover.type.ts";
import { latestStartFirst } from "../registry/default-sorting.ts";

/* Connects covers and the billing side in the graph. */

const connectCovers = (
  parent: "renewalOrderId" | "renewalSubscriptionId",
  id: number,
  args: SliceArgs,
  context: GatewayContext,
) => {
  const { list } = context.read.covers;
  return toChildConnection(context, { list, parent, filter: {}, sorting: latestStartFirst }, args, id);
};

@Resolver(() => Cover)
export class CoveredRenewalResolver {
  @FieldResolver(() => Order, {
    nullable: true,
    description: "Order of the renewal that the cover recovers. Null if the cover recovers a registered order.",
  })
  renewalOrder(
    @Root() { renewalOrderId }: CoverRecord,
    @Ctx() { loaders, read }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return renewalOrderId === null
      ? null
      : loaders.findProjected(read.orders.list, renewalOrderId, recordSelectionOf(info));
  }

  @FieldResolver(() => Subscription, {
    nullable: true,
    description: "Subscription whose renewal the cover recovers. Null if the cover recovers a registered order.",
  })
  renewalSubscription(
    @Root() { renewalSubscriptionId: id }: CoverRecord,
    @Ctx() { loaders, read }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return id === null ? null : loaders.findProjected(read.subscriptions.list, id, recordSelectionOf(info));
  }
}

@Resolver(() => Order)
export class OrderCoversResolver {
  @FieldResolver(() => CoverConnection, {
    description: "Covers of the renewal that this order charges, the newest first.",
  })
  covers(@Root() { id }: { id: number }, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    return connectCovers("renewalOrderId", id, args, context);
  }
}

@Resolver(() => Subscription)
export class SubscriptionCoversResolver {
  @FieldResolver(() => CoverConnection, {
    description: "Covers of the subscription's renewals, the newest first.",
  })
  covers(@Root() { id }: { id: number }, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    return connectCovers("renewalSubscriptionId", id, args, context);
  }
}
