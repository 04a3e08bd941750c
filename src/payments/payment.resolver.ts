import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { StoredPaymentMethodConnection } from "../customers/customer.type.ts";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { Projected } from "../graphql/execution/projected-fields.ts";
import { NodeResolver } from "../graphql/node.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import { Order } from "../orders/order.type.ts";
import { LedgerEntryConnection, LedgerFilterInput } from "./ledger/ledger.type.ts";
import { toVirtualAccount, type VirtualAccount } from "./virtual-account.ts";
import {
  Payment,
  PaymentConnection,
  PaymentFilterInput,
  PaymentSortInput,
  VirtualBankAccount,
} from "./payment.type.ts";

/** Payments, the ledger, and the methods that customers stored, as they are read. */
@Resolver(() => Payment)
export class PaymentResolver extends NodeResolver(() => Payment, "Payment") {
  @Query(() => Payment, { nullable: true, description: "Returns one payment. Null if the vendor has no such payment." })
  payment(
    @Arg("id", () => ID, { description: "Global id or number of the payment." }) id: string,
    @Ctx() { read, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return loaders.findProjected(read.payments.list, databaseIdOf("Payment", id, "id"), recordSelectionOf(info));
  }

  @FieldResolver(() => VirtualBankAccount, { nullable: true })
  vbank(@Root() { vbank }: { vbank: Record<string, string> | null }): VirtualAccount | null {
    return vbank && toVirtualAccount(vbank);
  }

  @Query(() => PaymentConnection, {
    description: "Returns the vendor's payments, failed attempts included. Defaults to the newest first.",
  })
  payments(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => PaymentFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: PaymentFilterInput,
    @Arg("orderBy", () => PaymentSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: PaymentSortInput,
  ) {
    const conditions = {
      ...filter,
      orderId: optionalDatabaseIdOf("Order", filter?.orderId, "filter.orderId"),
      customerId: optionalDatabaseIdOf("Customer", filter?.customerId, "filter.customerId"),
    };
    return toConnection(
      context,
      context.read.payments.list,
      args,
      conditions,
      orderBy ?? NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }

  @Query(() => StoredPaymentMethodConnection, {
    description: "Returns the stored payment methods of customers that were not removed, the newest first.",
  })
  storedPaymentMethods(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("customerId", () => ID, {
      nullable: true,
      description: "Returns only records of this customer: global id or number.",
    })
    customer?: string,
  ) {
    const customerId = optionalDatabaseIdOf("Customer", customer, "customerId");
    return toConnection(
      context,
      context.read.payments.storedMethodList,
      args,
      { customerId },
      NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }

  @Query(() => LedgerEntryConnection, {
    description: "Returns the ledger of the vendor's orders, the newest entries first.",
  })
  ledgerEntries(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => LedgerFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: LedgerFilterInput,
  ) {
    const orderId = optionalDatabaseIdOf("Order", filter?.orderId, "filter.orderId");
    return toConnection(
      context,
      context.read.ledger.list,
      args,
      { ...filter, orderId },
      NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }

  @Projected()
  @FieldResolver(() => Order, { description: "Order that the payment is for." })
  order(@Root() { order }: { order: object }) {
    return order;
  }
}
