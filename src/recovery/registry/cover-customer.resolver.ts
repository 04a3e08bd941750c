import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { toConnection, toChildConnection, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { PartnerIdScalar } from "../../graphql/scalars.ts";
import { newestFirst } from "./default-sorting.ts";
import type { CoverCustomerRecord } from "./cover-customer.repository.ts";
import {
  CoverCustomer,
  CoverCustomerConnection,
  CoverCustomerFilterInput,
  CoverCustomerSortInput,
  RegisterCoverCustomerInput,
  RegisterCoverCustomerPayload,
} from "./cover-customer.type.ts";
import { CoverOrderConnection } from "./cover-order.type.ts";
import { CoverSubscriptionConnection } from "./cover-subscription.type.ts";

@Resolver(() => CoverCustomer)
export class CoverCustomerResolver extends NodeResolver(() => CoverCustomer, "CoverCustomer") {
  @Query(() => CoverCustomer, {
    nullable: true,
    description: "Returns one registered customer by either id. Null if the vendor has no such customer.",
  })
  coverCustomer(
    @Ctx() { loaders, read, vendor }: GatewayContext,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the registered customer." })
    id?: string,
    @Arg("partnerCustomerId", () => PartnerIdScalar, { nullable: true, description: "The merchant's own id." })
    partnerId?: string,
  ) {
    return findByEitherId("CoverCustomer", id, partnerId, "partnerCustomerId", {
      byId: (number) => loaders.findById("coverCustomers", number),
      byPartnerId: (own) => read.coverCustomers.byPartnerId(vendor.id, own),
    });
  }

  @Query(() => CoverCustomerConnection, {
    description: "Returns the vendor's registered customers. Defaults to the newest first.",
  })
  coverCustomers(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverCustomerFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CoverCustomerFilterInput,
    @Arg("orderBy", () => CoverCustomerSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CoverCustomerSortInput,
  ) {
    return toConnection(context, context.read.coverCustomers.list, args, filter ?? {}, orderBy ?? newestFirst);
  }

  @Mutation(() => RegisterCoverCustomerPayload, {
    description: "Registers a customer under the merchant's own id, or updates the customer with that id.",
  })
  async registerCoverCustomer(
    @Arg("input", () => RegisterCoverCustomerInput, { description: "The customer." }) input: RegisterCoverCustomerInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    return { customer: await write(({ coverCustomers }) => coverCustomers.register(vendor.id, input)) };
  }

  @FieldResolver(() => CoverOrderConnection, { description: "Orders of the customer, the newest first." })
  orders(@Root() { id }: CoverCustomerRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.coverOrders.list;
    return toChildConnection(context, { list, parent: "customerId", filter: {}, sorting: newestFirst }, args, id);
  }

  @FieldResolver(() => CoverSubscriptionConnection, { description: "Subscriptions of the customer, the newest first." })
  subscriptions(
    @Root() { id }: CoverCustomerRecord,
    @Args(() => SliceArgs) args: SliceArgs,
    @Ctx() context: GatewayContext,
  ) {
    const list = context.read.coverSubscriptions.list;
    return toChildConnection(context, { list, parent: "customerId", filter: {}, sorting: newestFirst }, args, id);
  }
}
