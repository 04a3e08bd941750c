import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { Customer } from "../customers/customer.type.ts";
import { connectChildren, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { Order } from "../orders/order.type.ts";
import { Subscription } from "../subscriptions/subscription.type.ts";
import { TimelineEvent, TimelineEventConnection } from "./event.type.ts";

const inOrderOfTime = { field: "OCCURRED_AT", direction: "ASC" } as const;

const timelineOf = (
  parent: "customerId" | "orderId" | "subscriptionId",
  id: number,
  args: SliceArgs,
  context: GatewayContext,
) => connectChildren(context, { list: context.read.events.list, parent, filter: {}, sorting: inOrderOfTime }, args, id);

@Resolver(() => TimelineEvent)
export class TimelineEventResolver extends NodeResolver(() => TimelineEvent, "TimelineEvent") {}

@Resolver(() => Customer)
export class CustomerTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description: "What happened to the customer's orders, subscriptions and payments, in order of time.",
  })
  timeline(@Root() { id }: { id: number }, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    return timelineOf("customerId", id, args, context);
  }
}

@Resolver(() => Order)
export class OrderTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description: "What happened to the order and its lines, in order of time.",
  })
  timeline(@Root() { id }: { id: number }, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    return timelineOf("orderId", id, args, context);
  }
}

@Resolver(() => Subscription)
export class SubscriptionTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description: "What happened to the subscription and its charges, in order of time.",
  })
  timeline(@Root() { id }: { id: number }, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    return timelineOf("subscriptionId", id, args, context);
  }
}
