import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { CoverSubscriptionStatus } from "../../../schema/vocabulary.ts";
import { toConnection, toChildConnection, SliceArgs } from "../../graphql/connection.ts";
import { TimelineArgs } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { PartnerIdScalar } from "../../graphql/scalars.ts";
import { CoverCustomer } from "./cover-customer.type.ts";
import { CoverOrder, CoverOrderConnection } from "./cover-order.type.ts";
import type { CoverSubscriptionRecord } from "./cover-subscription.repository.ts";
import { coverSubscriptionStatus } from "./cover-subscription.status.ts";
import {
  ActivateCoverSubscriptionInput,
  ActivateCoverSubscriptionPayload,
  CancelCoverSubscriptionInput,
  CancelCoverSubscriptionPayload,
  CoverSubscription,
  CoverSubscriptionConnection,
  CoverSubscriptionFilterInput,
  CoverSubscriptionSortInput,
  RegisterCoverSubscriptionInput,
  RegisterCoverSubscriptionPayload,
} from "./cover-subscription.type.ts";
import { CoverConnection } from "../covers/cover.type.ts";
import { latestStartFirst, newestFirst } from "./default-sorting.ts";
import { CoverEventConnection } from "../covers/cover-timeline.type.ts";

@Resolver(() => CoverSubscription)
export class CoverSubscriptionResolver extends NodeResolver(() => CoverSubscription, "CoverSubscription") {
  @Query(() => CoverSubscription, {
    nullable: true,
    description: "Returns one registered subscription by either id. Null if the vendor has no such subscription.",
  })
  coverSubscription(
    @Ctx() { loaders, read, vendor }: GatewayContext,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the registered subscription." })
    id?: string,
    @Arg("partnerSubscriptionId", () => PartnerIdScalar, { nullable: true, description: "The merchant's own id." })
    partnerId?: string,
  ) {
    return findByEitherId("CoverSubscription", id, partnerId, "partnerSubscriptionId", {
      byId: (number) => loaders.findById("coverSubscriptions", number),
      byPartnerId: (own) => read.coverSubscriptions.byPartnerId(vendor.id, own),
    });
  }

  @Query(() => CoverSubscriptionConnection, {
    description: "Returns the vendor's registered subscriptions. Defaults to the newest first.",
  })
  coverSubscriptions(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverSubscriptionFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CoverSubscriptionFilterInput,
    @Arg("orderBy", () => CoverSubscriptionSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CoverSubscriptionSortInput,
  ) {
    const customerId = optionalDatabaseIdOf("CoverCustomer", filter?.customerId, "filter.customerId");
    return toConnection(
      context,
      context.read.coverSubscriptions.list,
      args,
      { ...filter, customerId },
      orderBy ?? newestFirst,
    );
  }

  @Mutation(() => RegisterCoverSubscriptionPayload, {
    description: "Registers a subscription under the merchant's own id, or updates the subscription with that id.",
  })
  async registerCoverSubscription(
    @Arg("input", () => RegisterCoverSubscriptionInput, { description: "The subscription." })
    input: RegisterCoverSubscriptionInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const registration = {
      ...input,
      customerId: databaseIdOf("CoverCustomer", input.customerId, "customerId"),
      initialOrderId:
        input.initialOrderId == null
          ? input.initialOrderId
          : databaseIdOf("CoverOrder", input.initialOrderId, "initialOrderId"),
    };
    return {
      subscription: await write(({ coverSubscriptions }) => coverSubscriptions.register(vendor.id, registration)),
    };
  }

  @Mutation(() => CancelCoverSubscriptionPayload, {
    description:
      "Reports that a subscription was cancelled, and stops all its covers in progress. A repeated call changes nothing.",
  })
  async cancelCoverSubscription(
    @Arg("input", () => CancelCoverSubscriptionInput, { description: "The subscription." })
    input: CancelCoverSubscriptionInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("CoverSubscription", input.subscriptionId, "subscriptionId");
    const canceled = await write(({ coverSubscriptions }) => coverSubscriptions.cancel(vendor.id, id));
    return {
      ...canceled,
      message: `The subscription is cancelled; recovery scenarios stopped: ${canceled.stoppedCovers.length}.`,
    };
  }

  @Mutation(() => ActivateCoverSubscriptionPayload, {
    description:
      "Undoes the cancellation of a subscription. Covers that the cancellation stopped stay stopped. A repeated call changes nothing.",
  })
  async activateCoverSubscription(
    @Arg("input", () => ActivateCoverSubscriptionInput, { description: "The subscription." })
    input: ActivateCoverSubscriptionInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("CoverSubscription", input.subscriptionId, "subscriptionId");
    const subscription = await write(({ coverSubscriptions }) => coverSubscriptions.activate(vendor.id, id));
    return { subscription, message: "The subscription is active; stopped recovery scenarios stay stopped." };
  }

  @FieldResolver(() => CoverSubscriptionStatus, { description: "Current state of the record." })
  async status(@Root() record: CoverSubscriptionRecord, @Ctx() { loaders }: GatewayContext) {
    return coverSubscriptionStatus(record, record.canceledAt === null && (await loaders.hasRunningCover(record.id)));
  }

  @FieldResolver(() => CoverCustomer, { description: "Customer who pays the subscription." })
  customer(@Root() { customerId }: CoverSubscriptionRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.requireById("coverCustomers", customerId);
  }

  @FieldResolver(() => CoverOrder, {
    nullable: true,
    description: "First order of the subscription. Null if the merchant did not send it.",
  })
  initialOrder(@Root() { initialOrderId }: CoverSubscriptionRecord, @Ctx() { loaders }: GatewayContext) {
    return initialOrderId === null ? null : loaders.requireById("coverOrders", initialOrderId);
  }

  @FieldResolver(() => [CoverOrder], {
    description: "Newest 100 orders without the first order, the newest first.",
  })
  renewalOrders(@Root() { id }: CoverSubscriptionRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.renewalsOf(id);
  }

  @FieldResolver(() => CoverOrderConnection, { description: "All orders of the subscription, the newest first." })
  orders(
    @Root() { id }: CoverSubscriptionRecord,
    @Args(() => SliceArgs) args: SliceArgs,
    @Ctx() context: GatewayContext,
  ) {
    const list = context.read.coverOrders.list;
    return toChildConnection(context, { list, parent: "subscriptionId", filter: {}, sorting: newestFirst }, args, id);
  }

  @FieldResolver(() => CoverConnection, { description: "Covers of the subscription, the newest first." })
  covers(
    @Root() { id }: CoverSubscriptionRecord,
    @Args(() => SliceArgs) args: SliceArgs,
    @Ctx() context: GatewayContext,
  ) {
    const list = context.read.covers.list;
    return toChildConnection(
      context,
      { list, parent: "subscriptionId", filter: {}, sorting: latestStartFirst },
      args,
      id,
    );
  }

  @FieldResolver(() => CoverEventConnection, {
    description:
      "Timeline events of the subscription and of its orders' covers. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: CoverSubscriptionRecord,
    @Args(() => TimelineArgs) { direction, ...args }: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    const list = context.read.events.timelineList;
    return toChildConnection(
      context,
      { list, parent: "coverSubscriptionId", filter: {}, sorting: { field: "OCCURRED_AT", direction } },
      args,
      id,
    );
  }
}
