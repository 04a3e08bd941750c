import { Arg, Ctx, FieldResolver, Float, ID, Query, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import type { CoverDecisionRecord, CoverRecord } from "../covers/cover.repository.ts";
import { findRulebookRow } from "../engine/rulebook.ts";
import { requireReplay } from "./retry-decision.replay.ts";
import { explainStoredDecision, readDecisionParts } from "./retry-decision.mapping.ts";
import {
  DecisionReplay,
  ExplanationLanguage,
  PlannedTry,
  ProbabilityInterval,
  RetryBudget,
  RetryDecision,
  RetryEffect,
  RulebookRule,
} from "./retry-decision.type.ts";

/** A decision; where it is shown as that of a cover, it explains the date that the cover has now. */
export type DecisionWithCover = CoverDecisionRecord & { cover?: CoverRecord };

@Resolver(() => RetryDecision)
export class RetryDecisionResolver extends NodeResolver(() => RetryDecision, "RetryDecision") {
  @Query(() => DecisionReplay, {
    nullable: true,
    description:
      "Replays a stored decision from its stored inputs alone and compares the results. It proves that a date followed from the known facts. Null if the vendor has no such decision.",
  })
  async replayDecision(
    @Arg("id", () => ID, { description: "Global id or number of the decision." }) id: string,
    @Ctx() { vendor, read }: GatewayContext,
  ) {
    const [decision] = await read.covers.decisionsByIds(vendor.id, [databaseIdOf("RetryDecision", id, "id")]);
    return decision ? requireReplay(decision) : null;
  }

  @FieldResolver(() => String, {
    description:
      "Explanation of `retryAt` in one sentence, with times in the payer's time zone. As `Cover.decision` it explains the cover's current `retryDate`.",
  })
  explanation(
    @Root() decision: DecisionWithCover,
    @Arg("language", () => ExplanationLanguage, { defaultValue: "EN", description: "Language of the sentence." })
    language: ExplanationLanguage,
    @Ctx() { clock }: GatewayContext,
  ): string {
    return explainStoredDecision(decision, decision.cover, clock.now(), language);
  }

  @FieldResolver(() => RetryBudget)
  budget(@Root() { budgetUsed, budgetLimit, windowEnds }: DecisionWithCover): RetryBudget {
    return { used: budgetUsed, limit: budgetLimit, windowEnds };
  }

  @FieldResolver(() => RulebookRule, { nullable: true })
  rule(@Root() { floorRow }: DecisionWithCover) {
    return floorRow === null ? null : findRulebookRow(floorRow);
  }

  @FieldResolver(() => [PlannedTry])
  plan(@Root() decision: DecisionWithCover): PlannedTry[] {
    return readDecisionParts(decision).alternatives;
  }

  @FieldResolver(() => [RetryEffect])
  effects(@Root() decision: DecisionWithCover): RetryEffect[] {
    return readDecisionParts(decision).effects;
  }

  @FieldResolver(() => Float, { nullable: true })
  probability(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).probability;
  }

  @FieldResolver(() => ProbabilityInterval, { nullable: true })
  interval(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).interval;
  }

  @FieldResolver(() => Float)
  propensity(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).propensity;
  }

  @FieldResolver(() => String, { nullable: true })
  declinesVersion(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).declinesVersion;
  }

  @FieldResolver(() => String, { nullable: true })
  modelVersion(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).modelVersion;
  }
}
