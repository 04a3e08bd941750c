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
import { CoverExperimentArm } from "../experiments/cover-experiment-arm.type.ts";
import { RecoveryTerms } from "../policies/recovery-terms.type.ts";
import type { DecisionWithCover } from "../decisions/retry-decision.resolver.ts";
import { RetryDecision, RetryDecisionConnection } from "../decisions/retry-decision.type.ts";
import { CoverEventConnection } from "./cover-timeline.type.ts";

@Resolver(() => Cover)
export class CoverResolver extends NodeResolver(() => Cover, "Cover") {
  @Query(() => Cover, {
    nullable: true,
    description: "Returns one cover. Null if the vendor has no cover with this id.",
  })
  cover(
    @Arg("id", () => ID, { description: "Global id or number of the cover." }) id: string,
    @Ctx() { loaders }: GatewayContext,
  ) {
    return loaders.findById("covers", databaseIdOf("Cover", id, "id"));
  }

  @Query(() => CoverConnection, { description: "Returns the vendor's covers. Defaults to the newest first." })
  covers(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverFilterInput, { nullable: true, description: "Filter of the list. Defaults to all rows." })
    filter?: CoverFilterInput,
    @Arg("orderBy", () => CoverSortInput, {
      nullable: true,
      description: "Sort order. For an ended cover RETRY_DATE uses the end of the cover.",
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
      "Starts the recovery of a failed payment and returns the time of the next attempt. A call at or after that time reports a failed retry and returns the next date. An earlier call with the same error, or without one, is a repeat and changes nothing.",
  })
  async startRecovery(
    @Arg("input", () => StartRecoveryInput, { description: "The failed payment." }) input: StartRecoveryInput,
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
      "Reports that the payer replaced the payment method of an unpaid order. A cover in progress continues; if the cover has ended, a new one starts.",
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
    description: "Registered order that the cover recovers. Null if the cover recovers a renewal.",
  })
  order(@Root() { orderId }: CoverRecord, @Ctx() { loaders }: GatewayContext) {
    return orderId === null ? null : loaders.requireById("coverOrders", orderId);
  }

  @FieldResolver(() => CoverSubscription, {
    nullable: true,
    description: "Registered subscription that the order belongs to. Null if there is none.",
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
    description: "Failed attempts of the cover, in order of time.",
  })
  attempts(@Root() { id }: CoverRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.covers.attempts;
    return toChildConnection(context, { list, parent: "coverId", filter: {}, sorting: oldestFirst.attempts }, args, id);
  }

  @FieldResolver(() => RetryDecision, {
    nullable: true,
    description: "Newest decision of the engine; it explains `retryDate`. Null before the first decision.",
  })
  async decision(@Root() cover: CoverRecord, @Ctx() { loaders }: GatewayContext): Promise<DecisionWithCover | null> {
    const decision = await loaders.latestDecisionOf(cover.id);
    return decision && { ...decision, cover };
  }

  @FieldResolver(() => RecoveryTerms, {
    description: "Recovery policy of the cover. It is fixed when the cover starts.",
  })
  policy(@Root() cover: CoverRecord) {
    return termsToGraph(readPolicyOfCover(cover));
  }

  @FieldResolver(() => CoverExperimentArm, {
    nullable: true,
    description: "Arm of the experiment that chose the policy of the cover. Null without an experiment.",
  })
  async experimentArm(
    @Root() { experimentId, experimentArm: number }: CoverRecord,
    @Ctx() { loaders }: GatewayContext,
  ) {
    if (experimentId === null || number === null) return null;
    return { number, isHoldout: number === 0, experiment: await loaders.findById("recoveryExperiments", experimentId) };
  }

  @FieldResolver(() => RetryDecisionConnection, {
    description: "All decisions of the engine for the cover, in order of time.",
  })
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
    description: "Timeline events of the cover. Defaults to the oldest first; `direction` changes the order.",
  })
  timeline(
    @Root() { id }: CoverRecord,
    @Args(() => TimelineArgs) { direction, ...args }: TimelineArgs,
    @Ctx() context: GatewayContext,
  ) {
    const sorting = { field: "OCCURRED_AT", direction } as const;
    const list = context.read.events.timelineList;
    return toChildConnection(context, { list, parent: "coverId", filter: {}, sorting }, args, id);
  }
}

@Resolver(() => CoverAttempt)
export class CoverAttemptResolver extends NodeResolver(() => CoverAttempt, "CoverAttempt") {}
