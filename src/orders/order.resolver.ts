import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { Customer } from "../customers/customer.type.ts";
import { Region } from "../customers/region.type.ts";
import { toConnection, toChildConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { orderIdOrCodeOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { Projected } from "../graphql/execution/projected-fields.ts";
import { NodeResolver } from "../graphql/node.ts";
import { PageArgs, toNumberedPage } from "../graphql/numbered-page.ts";
import { findByEitherId } from "../graphql/find-by-either-id.ts";
import { LineScalar } from "../graphql/scalars.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import { toPlainString } from "../kernel/amounts.ts";
import { invalidField } from "../kernel/refusals.ts";
import { describeRegion } from "../kernel/regions.ts";
import { Subscription } from "../subscriptions/subscription.type.ts";
import type { OrderParent } from "./order-list.repository.ts";
import { Order, OrderConnection, OrderFilterInput, OrderPage, OrderSortInput } from "./order.type.ts";

@Resolver(() => Order)
export class OrderResolver extends NodeResolver(() => Order, "Order") {
  @Query(() => Order, {
    nullable: true,
    description: "Returns one order by its id or its code. Null if the vendor has no such order.",
  })
  order(
    @Ctx() { read, loaders, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the order." }) id?: string,
    @Arg("code", () => LineScalar, { nullable: true, description: "Code of the order." }) code?: string,
  ) {
    return findByEitherId("Order", id, code, "code", {
      byId: (number) => loaders.findProjected(read.orders.list, number, recordSelectionOf(info)),
      byPartnerId: (text) => read.orders.byCode(vendor.id, text, recordSelectionOf(info)),
    });
  }

  @Query(() => Order, {
    nullable: true,
    description: "Returns one order by its id, code or payment key. Null if the vendor has no such order.",
  })
  orderByIdOrCode(
    @Arg("idOrCode", () => LineScalar, {
      description: 'The order: its code, such as "order_4fK2x9QaZ", its number or its global id.',
    })
    idOrCode: string,
    @Ctx() { read, loaders, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const named = orderIdOrCodeOf(idOrCode);
    return "id" in named
      ? loaders.findProjected(read.orders.list, named.id, recordSelectionOf(info))
      : read.orders.byCode(vendor.id, named.code, recordSelectionOf(info));
  }

  @Query(() => Order, {
    nullable: true,
    description: "Returns the order with this payment key. Null if the vendor has no such order.",
  })
  orderByIdKey(
    @Arg("idKey", () => LineScalar, { description: "Payment key of the order." }) idKey: string,
    @Ctx() { read, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return read.orders.byIdKey(vendor.id, idKey, recordSelectionOf(info));
  }

  @Query(() => OrderConnection, { description: "Returns the vendor's orders. Defaults to the newest first." })
  orders(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => OrderFilterInput, { nullable: true, description: "Filter of the list. Defaults to all rows." })
    filter?: OrderFilterInput,
    @Arg("orderBy", () => OrderSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: OrderSortInput,
  ) {
    return toConnection(
      context,
      context.read.orders.list,
      args,
      filterOf(filter),
      orderBy ?? NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }

  @Query(() => OrderPage, {
    description: "Returns a numbered page of the vendor's orders. Defaults to the newest first.",
  })
  orderPage(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) page: PageArgs,
    @Arg("filter", () => OrderFilterInput, { nullable: true, description: "Filter of the list. Defaults to all rows." })
    filter?: OrderFilterInput,
    @Arg("orderBy", () => OrderSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: OrderSortInput,
  ) {
    return toNumberedPage(context, context.read.orders.list, page, filterOf(filter), orderBy ?? NEWEST_FIRST, info);
  }

  @FieldResolver(() => Region)
  @Projected("MADE_OF_VALUE")
  region(@Root() { region }: { region: RegionCode | null }, @Ctx() { vendor }: GatewayContext) {
    return describeRegion(region ?? (vendor.country as RegionCode));
  }
}

/** @throws a Refusal where an id is none of a customer, or where no amount can lie between two. */
function filterOf(filter: OrderFilterInput | undefined) {
  const { minimumAmount, maximumAmount } = filter ?? {};
  if (minimumAmount != null && maximumAmount != null && minimumAmount.gt(maximumAmount))
    throw invalidField(
      "filter.minimumAmount",
      `must not be more than filter.maximumAmount: ${toPlainString(minimumAmount)} is more than ${toPlainString(maximumAmount)}.`,
    );
  return { ...filter, customerId: optionalDatabaseIdOf("Customer", filter?.customerId, "filter.customerId") };
}

/** Arguments for the orders of a record, apart from the slice. */
@ArgsType()
class OrdersArgs extends SliceArgs {
  @Field(() => OrderFilterInput, { nullable: true, description: "Filter of orders. Defaults to all orders." })
  filter?: OrderFilterInput;

  @Field(() => OrderSortInput, { nullable: true, description: "Sort order. Defaults to the newest first." })
  orderBy?: OrderSortInput;
}

/** The orders of a parent, as a connection. */
const ordersOf = (
  parent: OrderParent,
  id: number,
  { filter, orderBy, ...slice }: OrdersArgs,
  context: GatewayContext,
  info: GraphQLResolveInfo,
) => {
  const child = { list: context.read.orders.list, parent, filter: filterOf(filter), sorting: orderBy ?? NEWEST_FIRST };
  return toChildConnection(context, child, slice, id, nodeSelectionOf(info));
};

/** The orders of a customer. */
@Resolver(() => Customer)
export class CustomerOrdersResolver {
  @FieldResolver(() => OrderConnection, { description: "Orders of the customer. Defaults to the newest first." })
  orders(
    @Root() { id }: { id: number },
    @Args(() => OrdersArgs) args: OrdersArgs,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return ordersOf("customerId", id, args, context, info);
  }

  @Projected()
  @FieldResolver(() => [Order], { description: "Newest 100 orders of the customer." })
  latestOrders(@Root() { latestOrders }: { latestOrders: object[] }) {
    return latestOrders;
  }
}

/** The orders of a subscription. */
@Resolver(() => Subscription)
export class SubscriptionOrdersResolver {
  @FieldResolver(() => OrderConnection, {
    description: "Orders of the subscription: the first one, renewals and changes. Defaults to the newest first.",
  })
  orders(
    @Root() { id }: { id: number },
    @Args(() => OrdersArgs) args: OrdersArgs,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return ordersOf("subscriptionId", id, args, context, info);
  }

  @Projected()
  @FieldResolver(() => [Order], { description: "Newest 100 orders of the subscription." })
  latestOrders(@Root() { latestOrders }: { latestOrders: object[] }) {
    return latestOrders;
  }
}
