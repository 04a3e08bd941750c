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
      "Takes a stored decision once more, from its stored inputs alone, and tells whether the same comes out: the proof that a date followed from what was known. Null where the vendor has no such decision.",
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
      "Why `retryAt` is what it is, in one sentence, with times as the payer's clocks show them. As `Cover.decision` it explains the cover's present `retryDate`.",
  })
  explanation(
    @Root() decision: DecisionWithCover,
    @Arg("language", () => ExplanationLanguage, { defaultValue: "EN", description: "In which language." })
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
