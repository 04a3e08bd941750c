import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { Customer } from "../customers/customer.type.ts";
import { toConnection, toChildConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { Projected } from "../graphql/execution/projected-fields.ts";
import { NodeResolver } from "../graphql/node.ts";
import { findByEitherId } from "../graphql/find-by-either-id.ts";
import { LineScalar } from "../graphql/scalars.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import {
  Subscription,
  SubscriptionConnection,
  SubscriptionFilterInput,
  SubscriptionSortInput,
} from "./subscription.type.ts";

@Resolver(() => Subscription)
export class SubscriptionResolver extends NodeResolver(() => Subscription, "Subscription") {
  @Query(() => Subscription, {
    nullable: true,
    description: "Returns one subscription by its id or its code. Null if the vendor has no such subscription.",
  })
  subscription(
    @Ctx() { read, loaders, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the subscription." }) id?: string,
    @Arg("code", () => LineScalar, { nullable: true, description: "Code of the subscription." }) code?: string,
  ) {
    return findByEitherId("Subscription", id, code, "code", {
      byId: (number) => loaders.findProjected(read.subscriptions.list, number, recordSelectionOf(info)),
      byPartnerId: (text) => read.subscriptions.byCode(vendor.id, text, recordSelectionOf(info)),
    });
  }

  @Query(() => SubscriptionConnection, {
    description: "Returns the vendor's subscriptions. Defaults to the newest first.",
  })
  subscriptions(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => SubscriptionFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: SubscriptionFilterInput,
    @Arg("orderBy", () => SubscriptionSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: SubscriptionSortInput,
  ) {
    const conditions = {
      ...filter,
      customerId: optionalDatabaseIdOf("Customer", filter?.customerId, "filter.customerId"),
      productId: optionalDatabaseIdOf("Product", filter?.productId, "filter.productId"),
      pricePlanId: optionalDatabaseIdOf("PricePlan", filter?.pricePlanId, "filter.pricePlanId"),
    };
    return toConnection(
      context,
      context.read.subscriptions.list,
      args,
      conditions,
      orderBy ?? NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }
}

/** The subscriptions of a customer. */
@Resolver(() => Customer)
export class CustomerSubscriptionsResolver {
  @FieldResolver(() => SubscriptionConnection, { description: "Subscriptions of the customer, the newest first." })
  subscriptions(
    @Root() { id }: { id: number },
    @Args(() => SliceArgs) args: SliceArgs,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { list } = context.read.subscriptions;
    const child = { list, parent: "customerId", filter: {}, sorting: NEWEST_FIRST } as const;
    return toChildConnection(context, child, args, id, nodeSelectionOf(info));
  }

  @Projected()
  @FieldResolver(() => [Subscription], { description: "Newest 100 subscriptions of the customer." })
  latestSubscriptions(@Root() { latestSubscriptions }: { latestSubscriptions: object[] }) {
    return latestSubscriptions;
  }
}
