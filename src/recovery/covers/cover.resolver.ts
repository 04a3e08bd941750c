import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { toConnection, toChildConnection, SliceArgs } from "../../graphql/connection.ts";
import { TimelineArgs } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { DateTimeScalar, DecimalScalar } from "../../graphql/scalars.ts";
import { CoverOrder } from "../registry/cover-order.type.ts";
import { CoverSubscription } from "../registry/cover-subscription.type.ts";
import type { CoverRecord } from "./cover.repository.ts";
import {
  Cover,
  CoverAttempt,
  CoverAttemptConnection,
  CoverConnection,
  CoverFilterInput,
  CoverSortInput,
  ReportPaymentMethodChangedInput,
  ReportPaymentMethodChangedPayload,
  StartRecoveryInput,
  StartRecoveryPayload,
} from "./cover.type.ts";
import { nextPlannedDate } from "../engine/failure-report-reading.ts";
import { readPolicyOfCover } from "../policies/cover.policy.ts";
import { oldestFirst, latestStartFirst } from "../registry/default-sorting.ts";
import { termsToGraph } from "../policies/recovery-policy.presenter.ts";
import { RecoveryTerms } from "../policies/recovery-policy.type.ts";
import type { DecisionWithCover } from "../decisions/retry-decision.resolver.ts";
import { RetryDecision, RetryDecisionConnection } from "../decisions/retry-decision.type.ts";
import { CoverEventConnection } from "./cover-timeline.type.ts";

@Resolver(() => Cover)
export class CoverResolver extends NodeResolver(() => Cover, "Cover") {
  @Query(() => Cover, { nullable: true, description: "One cover; null where the vendor has none with this id." })
  cover(@Arg("id", () => ID, { description: "Global id or number." }) id: string, @Ctx() { loaders }: GatewayContext) {
    return loaders.findById("covers", databaseIdOf("Cover", id, "id"));
  }

  @Query(() => CoverConnection, { description: "The vendor's covers, the newest first unless told otherwise." })
  covers(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverFilterInput, { nullable: true, description: "Which are asked for; all unless told." })
    filter?: CoverFilterInput,
    @Arg("orderBy", () => CoverSortInput, {
      nullable: true,
      description: "How they are sorted. RETRY_DATE takes the end of an ended cover.",
    })
    orderBy?: CoverSortInput,
  ) {
    const orderId = optionalDatabaseIdOf("CoverOrder", filter?.orderId, "filter.orderId");
    const subscriptionId = optionalDatabaseIdOf("CoverSubscription", filter?.subscriptionId, "filter.subscriptionId");
    const renewalOrderId = optionalDatabaseIdOf("Order", filter?.renewalOrderId, "filter.renewalOrderId");
    const renewalSubscriptionId = optionalDatabaseIdOf(
      "Subscription",
      filter?.renewalSubscriptionId,
      "filter.renewalSubscriptionId",
    );
    return toConnection(
      context,
      context.read.covers.list,
      args,
      { ...filter, orderId, subscriptionId, renewalOrderId, renewalSubscriptionId },
      orderBy ?? latestStartFirst,
    );
  }

  @Mutation(() => StartRecoveryPayload, {
    description:
      "Starts the recovery of a failed payment and answers when to try again. Called again at that time it reports that the retry failed and answers the next date; called again before, with the same words or none, it is a repeat and changes nothing.",
  })
  async startRecovery(
    @Arg("input", () => StartRecoveryInput, { description: "The failure." }) input: StartRecoveryInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const start = {
      ...input,
      subscriptionId: databaseIdOf("CoverSubscription", input.subscriptionId, "subscriptionId"),
      orderId: databaseIdOf("CoverOrder", input.orderId, "orderId"),
    };
    return { cover: await write(({ covers }) => covers.startOrContinue(vendor, start)) };
  }

  @Mutation(() => ReportPaymentMethodChangedPayload, {
    description:
      "Tells that the payer has renewed the payment method of an open order. Where its cover has ended, a new one starts; one in progress goes on.",
  })
  async reportPaymentMethodChanged(
    @Arg("input", () => ReportPaymentMethodChangedInput, { description: "The order." })
    input: ReportPaymentMethodChangedInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const orderId = databaseIdOf("CoverOrder", input.orderId, "orderId");
    return { cover: await write(({ covers }) => covers.recordMethodChange(vendor, orderId)) };
  }

  @FieldResolver(() => CoverOrder, {
    nullable: true,
    description: "The registered order that it recovers; null where it recovers a renewal.",
  })
  order(@Root() { orderId }: CoverRecord, @Ctx() { loaders }: GatewayContext) {
    return orderId === null ? null : loaders.requireById("coverOrders", orderId);
  }

  @FieldResolver(() => CoverSubscription, {
    nullable: true,
    description: "The registered subscription that the order belongs to, if it does.",
  })
  subscription(@Root() { subscriptionId }: CoverRecord, @Ctx() { loaders }: GatewayContext) {
    return subscriptionId === null ? null : loaders.requireById("coverSubscriptions", subscriptionId);
  }

  @FieldResolver(() => DecimalScalar)
  async amount(@Root() { id }: CoverRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.coverDebtOf(id)).amount;
  }

  @FieldResolver(() => String)
  async currency(@Root() { id }: CoverRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.coverDebtOf(id)).currency;
  }

  @FieldResolver(() => String)
  async payerName(@Root() { id }: CoverRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.coverDebtOf(id)).payerName;
  }

  @FieldResolver(() => DateTimeScalar)
  retryDate(@Root() { planned }: CoverRecord, @Ctx() { clock }: GatewayContext): Date | null {
    return nextPlannedDate(planned, clock.now());
  }

  @FieldResolver(() => CoverAttemptConnection, {
    description: "The failed attempts, in order of time.",
  })
  attempts(@Root() { id }: CoverRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.covers.attempts;
    return toChildConnection(context, { list, parent: "coverId", filter: {}, sorting: oldestFirst.attempts }, args, id);
  }

  @FieldResolver(() => RetryDecision, {
    nullable: true,
    description: "The newest decision of the engine: why `retryDate` is what it is.",
  })
  async decision(@Root() cover: CoverRecord, @Ctx() { loaders }: GatewayContext): Promise<DecisionWithCover | null> {
    const decision = await loaders.latestDecisionOf(cover.id);
    return decision && { ...decision, cover };
  }

  @FieldResolver(() => RecoveryTerms, { description: "The policy that it began with, and goes on with." })
  policy(@Root() cover: CoverRecord) {
    return termsToGraph(readPolicyOfCover(cover));
  }

  @FieldResolver(() => RetryDecisionConnection, { description: "All decisions of the engine, in order of time." })
  decisions(@Root() { id }: CoverRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.covers.decisions;
    return toChildConnection(
      context,
      { list, parent: "coverId", filter: {}, sorting: oldestFirst.decisions },
      args,
      id,
    );
  }

  @FieldResolver(() => CoverEventConnection, {
    description: "What happened to it, oldest first unless `direction` says otherwise.",
  })
  timeline(
    @Root() { id, renewalOrderId }: CoverRecord,
    @Args(() => TimelineArgs) { direction, ...args }: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    const sorting = { field: "OCCURRED_AT", direction } as const;
    const { events, timeline } = context.read;
    if (renewalOrderId === null)
      return toChildConnection(context, { list: timeline.list, parent: "coverId", filter: {}, sorting }, args, id);
    const filter = { subject: "COVER" as const };
    return toChildConnection(context, { list: events.timelineList, parent: "subjectId", filter, sorting }, args, id);
  }
}

@Resolver(() => CoverAttempt)
export class CoverAttemptResolver extends NodeResolver(() => CoverAttempt, "CoverAttempt") {}
