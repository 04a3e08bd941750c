import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { StoredPaymentMethodConnection } from "../customers/customer.type.ts";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import { NodeResolver } from "../graphql/node.ts";
import { selectionOf } from "../graphql/selection.ts";
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
  @Query(() => Payment, { nullable: true, description: "One payment; null where the vendor has none with this id." })
  payment(
    @Arg("id", () => ID, { description: "Global id or number." }) id: string,
    @Ctx() { read, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return loaders.findProjected(read.payments.list, databaseIdOf("Payment", id, "id"), selectionOf(info));
  }

  @FieldResolver(() => VirtualBankAccount, { nullable: true })
  vbank(@Root() { vbank }: { vbank: Record<string, string> | null }): VirtualAccount | null {
    return vbank && toVirtualAccount(vbank);
  }

  @Query(() => PaymentConnection, {
    description: "The vendor's payments, attempts that failed among them, newest first unless told otherwise.",
  })
  payments(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => PaymentFilterInput, { nullable: true, description: "Which are asked for; all unless told." })
    filter?: PaymentFilterInput,
    @Arg("orderBy", () => PaymentSortInput, { nullable: true, description: "How they are sorted." })
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
    description: "The payment methods that customers stored and did not remove, newest first.",
  })
  storedPaymentMethods(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("customerId", () => ID, { nullable: true, description: "Those of this customer: global id or number." })
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

  @Query(() => LedgerEntryConnection, { description: "The ledger of the vendor's orders, newest entries first." })
  ledgerEntries(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => LedgerFilterInput, { nullable: true, description: "Which are asked for; all unless told." })
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

  @FieldResolver(() => Order, { description: "The order that is paid." })
  order(@Root() { order }: { order: object }) {
    return order;
  }
}
