import { Arg, Ctx, FieldResolver, Float, ID, Query, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { idOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import type { CoverDecisionRecord, CoverRecord } from "../covers/cover.repository.ts";
import { ruleOf } from "../engine/rulebook.ts";
import { replayOf } from "./retry-decision.replay.ts";
import { explanationOf, writtenOf } from "./retry-decision.mapping.ts";
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
export type ShownDecision = CoverDecisionRecord & { cover?: CoverRecord };

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
    const [decision] = await read.covers.decisionsByIds(vendor.id, [idOf("RetryDecision", id, "id")]);
    return decision ? replayOf(decision) : null;
  }

  @FieldResolver(() => String, {
    description:
      "Why `retryAt` is what it is, in one sentence, with times as the payer's clocks show them. As `Cover.decision` it explains the cover's present `retryDate`.",
  })
  explanation(
    @Root() decision: ShownDecision,
    @Arg("language", () => ExplanationLanguage, { defaultValue: "EN", description: "In which language." })
    language: ExplanationLanguage,
    @Ctx() { clock }: GatewayContext,
  ): string {
    return explanationOf(decision, decision.cover, clock.now(), language);
  }

  @FieldResolver(() => RetryBudget)
  budget(@Root() { budgetUsed, budgetLimit, windowEnds }: ShownDecision): RetryBudget {
    return { used: budgetUsed, limit: budgetLimit, windowEnds };
  }

  @FieldResolver(() => RulebookRule, { nullable: true })
  rule(@Root() { floorRow }: ShownDecision) {
    return floorRow === null ? null : ruleOf(floorRow);
  }

  @FieldResolver(() => [PlannedTry])
  plan(@Root() decision: ShownDecision): PlannedTry[] {
    return writtenOf(decision).alternatives;
  }

  @FieldResolver(() => [RetryEffect])
  effects(@Root() decision: ShownDecision): RetryEffect[] {
    return writtenOf(decision).effects;
  }

  @FieldResolver(() => Float, { nullable: true })
  probability(@Root() decision: ShownDecision) {
    return writtenOf(decision).probability;
  }

  @FieldResolver(() => ProbabilityInterval, { nullable: true })
  interval(@Root() decision: ShownDecision) {
    return writtenOf(decision).interval;
  }

  @FieldResolver(() => Float)
  propensity(@Root() decision: ShownDecision) {
    return writtenOf(decision).propensity;
  }

  @FieldResolver(() => String, { nullable: true })
  declinesVersion(@Root() decision: ShownDecision) {
    return writtenOf(decision).declinesVersion;
  }

  @FieldResolver(() => String, { nullable: true })
  modelVersion(@Root() decision: ShownDecision) {
    return writtenOf(decision).modelVersion;
  }
}
