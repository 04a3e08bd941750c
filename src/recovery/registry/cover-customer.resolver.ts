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
    description: "One customer, by either id; null where the vendor has none.",
  })
  coverCustomer(
    @Ctx() { loaders, read, vendor }: GatewayContext,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number." }) id?: string,
    @Arg("partnerCustomerId", () => PartnerIdScalar, { nullable: true, description: "The merchant's own id." })
    partnerId?: string,
  ) {
    return findByEitherId("CoverCustomer", id, partnerId, "partnerCustomerId", {
      byId: (number) => loaders.findById("coverCustomers", number),
      byPartnerId: (own) => read.coverCustomers.byPartnerId(vendor.id, own),
    });
  }

  @Query(() => CoverCustomerConnection, { description: "The vendor's customers, newest first unless told otherwise." })
  coverCustomers(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverCustomerFilterInput, {
      nullable: true,
      description: "Which are asked for; all unless told.",
    })
    filter?: CoverCustomerFilterInput,
    @Arg("orderBy", () => CoverCustomerSortInput, { nullable: true, description: "How they are sorted." })
    orderBy?: CoverCustomerSortInput,
  ) {
    return toConnection(context, context.read.coverCustomers.list, args, filter ?? {}, orderBy ?? newestFirst);
  }

  @Mutation(() => RegisterCoverCustomerPayload, {
    description: "Registers a customer under the merchant's own id, or updates the one that has it.",
  })
  async registerCoverCustomer(
    @Arg("input", () => RegisterCoverCustomerInput, { description: "The customer." }) input: RegisterCoverCustomerInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    return { customer: await write(({ coverCustomers }) => coverCustomers.register(vendor.id, input)) };
  }

  @FieldResolver(() => CoverOrderConnection, { description: "The customer's orders, newest first." })
  orders(@Root() { id }: CoverCustomerRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.coverOrders.list;
    return toChildConnection(context, { list, parent: "customerId", filter: {}, sorting: newestFirst }, args, id);
  }

  @FieldResolver(() => CoverSubscriptionConnection, { description: "The customer's subscriptions, newest first." })
  subscriptions(
    @Root() { id }: CoverCustomerRecord,
    @Args(() => SliceArgs) args: SliceArgs,
    @Ctx() context: GatewayContext,
  ) {
    const list = context.read.coverSubscriptions.list;
    return toChildConnection(context, { list, parent: "customerId", filter: {}, sorting: newestFirst }, args, id);
  }
}
