import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { Language, toOrderItemStatusName } from "../../schema/vocabulary.ts";
import { Customer } from "../customers/customer.type.ts";
import { toChildConnection } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { DecimalScalar, GraphQLBigInt, GraphQLJSONObject } from "../graphql/scalars.ts";
import { required } from "../kernel/required-values.ts";
import { Order } from "../orders/order.type.ts";
import { Product } from "../products/product.type.ts";
import { Subscription } from "../subscriptions/subscription.type.ts";
import type { EventRecord } from "./event.repository.ts";
import { pickPublicFacts } from "./event.facts.ts";
import { eventTitleOf } from "./event.titles.ts";
import { TimelineArgs, TimelineEvent, TimelineEventConnection, TITLE_DESCRIPTION } from "./event.type.ts";

const timelineConnection = (
  parent: "customerId" | "orderId" | "subscriptionId" | "productId",
  id: number,
  { direction, ...args }: TimelineArgs,
  context: GatewayContext,
) => {
  const sorting = { field: "OCCURRED_AT", direction } as const;
  return toChildConnection(context, { list: context.read.events.timelineList, parent, filter: {}, sorting }, args, id);
};

/** Resolves the fields of timeline events. */
@Resolver(() => TimelineEvent)
export class TimelineEventResolver extends NodeResolver(() => TimelineEvent, "TimelineEvent") {
  @FieldResolver(() => GraphQLBigInt)
  subjectDatabaseId(@Root() { subjectId }: EventRecord): number {
    return subjectId;
  }

  @FieldResolver(() => GraphQLBigInt, { nullable: true })
  orderDatabaseId(@Root() { orderId }: EventRecord): number | null {
    return orderId;
  }

  @FieldResolver(() => GraphQLBigInt, { nullable: true })
  subscriptionDatabaseId(@Root() { subscriptionId }: EventRecord): number | null {
    return subscriptionId;
  }

  @FieldResolver(() => String, { nullable: true })
  statusBefore(@Root() { statusBefore }: EventRecord): string | null {
    return statusBefore && toOrderItemStatusName(statusBefore);
  }

  @FieldResolver(() => String)
  statusAfter(@Root() { statusAfter, subject }: EventRecord): string {
    if (subject === "PRICE_PLAN") return "";
    return toOrderItemStatusName(required(statusAfter, "the state after an event of a timeline"));
  }

  @FieldResolver(() => String, { description: TITLE_DESCRIPTION })
  title(
    @Root() { trigger }: EventRecord,
    @Arg("language", () => Language, {
      defaultValue: "ENGLISH",
      description: "Language of the text. Defaults to ENGLISH.",
    })
    language: Language,
  ): string {
    return eventTitleOf(trigger, language);
  }

  @FieldResolver(() => String, { nullable: true })
  async subjectName(@Root() { id }: EventRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf("events", id))?.name ?? null;
  }

  @FieldResolver(() => DecimalScalar, { nullable: true })
  async amount(@Root() { id }: EventRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf("events", id))?.amount ?? null;
  }

  @FieldResolver(() => String, { nullable: true })
  async currency(@Root() { id }: EventRecord, @Ctx() { loaders }: GatewayContext) {
    const subject = await loaders.eventSubjectOf("events", id);
    return subject?.amount == null ? null : subject.currency;
  }

  @FieldResolver(() => GraphQLJSONObject)
  facts(@Root() { facts }: EventRecord): object {
    return pickPublicFacts(facts);
  }
}

@Resolver(() => Customer)
export class CustomerTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description:
      "Timeline events of the customer's orders, subscriptions and payments. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: { id: number },
    @Args(() => TimelineArgs) args: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    return timelineConnection("customerId", id, args, context);
  }
}

@Resolver(() => Order)
export class OrderTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description:
      "Timeline events of the order and its lines. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: { id: number },
    @Args(() => TimelineArgs) args: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    return timelineConnection("orderId", id, args, context);
  }
}

@Resolver(() => Subscription)
export class SubscriptionTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description:
      "Timeline events of the subscription and its charges. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: { id: number },
    @Args(() => TimelineArgs) args: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    return timelineConnection("subscriptionId", id, args, context);
  }
}

@Resolver(() => Product)
export class ProductTimelineResolver {
  @FieldResolver(() => TimelineEventConnection, {
    description:
      "Timeline events of the product and its price plans. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: { id: number },
    @Args(() => TimelineArgs) args: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    return timelineConnection("productId", id, args, context);
  }
}
