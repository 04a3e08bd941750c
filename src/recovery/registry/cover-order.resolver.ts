import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { toConnection, toChildConnection, SliceArgs } from "../../graphql/connection.ts";
import { TimelineArgs } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { DateTimeScalar, PartnerIdScalar } from "../../graphql/scalars.ts";
import { CoverCustomer } from "./cover-customer.type.ts";
import type { CoverOrderItemRecord, CoverOrderRecord } from "./cover-order.repository.ts";
import {
  CancelCoverOrderInput,
  CancelCoverOrderPayload,
  CoverOrder,
  CoverOrderConnection,
  CoverOrderFilterInput,
  CoverOrderItem,
  CoverOrderSortInput,
  RegisterCoverOrderInput,
  RegisterCoverOrderPayload,
  ReportCoverOrderPaidInput,
  ReportCoverOrderPaidPayload,
  SetCoverOrderStatusInput,
  SetCoverOrderStatusPayload,
} from "./cover-order.type.ts";
import { CoverPrice } from "./cover-price.type.ts";
import { CoverSubscription } from "./cover-subscription.type.ts";
import { Cover, CoverConnection } from "../covers/cover.type.ts";
import { nextPlannedDate } from "../engine/failure-report-reading.ts";
import { latestStartFirst, newestFirst } from "./default-sorting.ts";
import { CoverEventConnection } from "../covers/cover-timeline.type.ts";

@Resolver(() => CoverOrder)
export class CoverOrderResolver extends NodeResolver(() => CoverOrder, "CoverOrder") {
  @Query(() => CoverOrder, {
    nullable: true,
    description: "Returns one registered order by either id. Null if the vendor has no such order.",
  })
  coverOrder(
    @Ctx() { loaders, read, vendor }: GatewayContext,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the registered order." }) id?: string,
    @Arg("partnerOrderId", () => PartnerIdScalar, { nullable: true, description: "The merchant's own id." })
    partnerId?: string,
  ) {
    return findByEitherId("CoverOrder", id, partnerId, "partnerOrderId", {
      byId: (number) => loaders.findById("coverOrders", number),
      byPartnerId: (own) => read.coverOrders.byPartnerId(vendor.id, own),
    });
  }

  @Query(() => CoverOrderConnection, {
    description: "Returns the vendor's registered orders. Defaults to the newest first.",
  })
  coverOrders(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverOrderFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CoverOrderFilterInput,
    @Arg("orderBy", () => CoverOrderSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CoverOrderSortInput,
  ) {
    const customerId = optionalDatabaseIdOf("CoverCustomer", filter?.customerId, "filter.customerId");
    const subscriptionId = optionalDatabaseIdOf("CoverSubscription", filter?.subscriptionId, "filter.subscriptionId");
    return toConnection(
      context,
      context.read.coverOrders.list,
      args,
      { ...filter, customerId, subscriptionId },
      orderBy ?? newestFirst,
    );
  }

  @Mutation(() => RegisterCoverOrderPayload, {
    description:
      "Registers an order under the merchant's own id, or updates the order with that id. With `paymentFailed` its recovery starts, or a failed retry is reported.",
  })
  async registerCoverOrder(
    @Arg("input", () => RegisterCoverOrderInput, { description: "The order." }) input: RegisterCoverOrderInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const registration = {
      ...input,
      customerId: databaseIdOf("CoverCustomer", input.customerId, "customerId"),
      subscriptionId: optionalDatabaseIdOf("CoverSubscription", input.subscriptionId, "subscriptionId"),
      items: input.items.map((item, index) => ({
        ...item,
        priceId: databaseIdOf("CoverPrice", item.priceId, `items[${index}].priceId`),
      })),
    };
    return { order: await write(({ coverOrders }) => coverOrders.register(vendor, registration)) };
  }

  @Mutation(() => ReportCoverOrderPaidPayload, {
    description:
      "Reports that an order was paid: it becomes PAID and its cover ends as RECOVERED. A repeated call changes nothing. A payment after a cancellation still counts.",
  })
  async reportCoverOrderPaid(
    @Arg("input", () => ReportCoverOrderPaidInput, { description: "The order." }) input: ReportCoverOrderPaidInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const orderId = databaseIdOf("CoverOrder", input.orderId, "orderId");
    return {
      order: await write(({ coverOrderTransitions }) => coverOrderTransitions.markPaid(vendor.id, orderId, input)),
    };
  }

  @Mutation(() => CancelCoverOrderPayload, {
    description:
      "Cancels an unpaid order and stops its cover. A repeated call changes nothing. A paid order is refused with ORDER_ALREADY_PAID.",
  })
  async cancelCoverOrder(
    @Arg("input", () => CancelCoverOrderInput, { description: "The order." }) input: CancelCoverOrderInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const orderId = databaseIdOf("CoverOrder", input.orderId, "orderId");
    return { order: await write(({ coverOrderTransitions }) => coverOrderTransitions.cancel(vendor.id, orderId)) };
  }

  @Mutation(() => SetCoverOrderStatusPayload, {
    description:
      "Changes the status of a paid order: delivery, exchange, return or refund. A change that the state machine does not have is refused with ILLEGAL_TRANSITION, which lists the allowed ones.",
  })
  async setCoverOrderStatus(
    @Arg("input", () => SetCoverOrderStatusInput, { description: "The change of status." })
    input: SetCoverOrderStatusInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const orderId = databaseIdOf("CoverOrder", input.orderId, "orderId");
    return {
      order: await write(({ coverOrderTransitions }) =>
        coverOrderTransitions.setStatus(vendor.id, { ...input, orderId }),
      ),
    };
  }

  @FieldResolver(() => CoverCustomer, { description: "Customer who pays the order." })
  customer(@Root() { customerId }: CoverOrderRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.requireById("coverCustomers", customerId);
  }

  @FieldResolver(() => CoverSubscription, {
    nullable: true,
    description: "Subscription that the order belongs to. Null if there is none.",
  })
  subscription(@Root() { subscriptionId }: CoverOrderRecord, @Ctx() { loaders }: GatewayContext) {
    return subscriptionId === null ? null : loaders.requireById("coverSubscriptions", subscriptionId);
  }

  @FieldResolver(() => [CoverOrderItem])
  items(@Root() { id }: CoverOrderRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.coverOrderItemsOf(id);
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the next attempt, from the newest cover. Null if there is no cover, or if the cover has no date.",
  })
  async retryDate(@Root() { id }: CoverOrderRecord, @Ctx() { loaders, clock }: GatewayContext) {
    return nextPlannedDate((await loaders.latestCoverOf(id))?.planned ?? [], clock.now());
  }

  @FieldResolver(() => Cover, { nullable: true, description: "Newest cover of the order. Null if there is none." })
  cover(@Root() { id }: CoverOrderRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.latestCoverOf(id);
  }

  @FieldResolver(() => CoverConnection, { description: "All covers of the order, the newest first." })
  covers(@Root() { id }: CoverOrderRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.covers.list;
    return toChildConnection(context, { list, parent: "orderId", filter: {}, sorting: latestStartFirst }, args, id);
  }

  @FieldResolver(() => CoverEventConnection, {
    description:
      "Timeline events of the order and its covers. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: CoverOrderRecord,
    @Args(() => TimelineArgs) { direction, ...args }: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    const list = context.read.events.timelineList;
    return toChildConnection(
      context,
      { list, parent: "coverOrderId", filter: {}, sorting: { field: "OCCURRED_AT", direction } },
      args,
      id,
    );
  }
}

@Resolver(() => CoverOrderItem)
export class CoverOrderItemResolver {
  @FieldResolver(() => CoverPrice)
  price(@Root() { priceId }: CoverOrderItemRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.requireById("coverPrices", priceId);
  }
}
