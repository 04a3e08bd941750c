import { Arg, Ctx, FieldResolver, Float, ID, Query, Resolver, Root } from "type-graphql";
import { Language } from "../../../schema/vocabulary.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { DateTimeScalar } from "../../graphql/scalars.ts";
import type { CoverDecisionRecord, CoverRecord } from "../covers/cover.repository.ts";
import { findRulebookRow } from "../engine/rulebook.ts";
import { loadModels } from "../models/loaded-models.ts";
import { modelVersionsOf, requireReplay, type DecisionReplayResult } from "./retry-decision.replay.ts";
import { explainStoredDecision, readDecisionParts } from "./retry-decision.mapping.ts";
import {
  DecisionReplay,
  PlannedRetry,
  ProbabilityInterval,
  RetryBudget,
  RetryDecision,
  RetryEffect,
  RetryFactor,
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
    if (!decision) return null;
    const findModel = await loadModels(read.recoveryModels, vendor.id, modelVersionsOf([decision]));
    return toDecisionReplay(requireReplay(decision, findModel));
  }

  @FieldResolver(() => String, {
    description:
      "Reason for `retryDate` in one sentence, with times in the payer's time zone. Under `Cover.decision` it explains the cover's current `retryDate`.",
  })
  explanation(
    @Root() decision: DecisionWithCover,
    @Arg("language", () => Language, {
      defaultValue: "ENGLISH",
      description: "The language. Defaults to ENGLISH.",
    })
    language: Language,
    @Ctx() { clock }: GatewayContext,
  ): string {
    return explainStoredDecision(decision, decision.cover, clock.now(), language);
  }

  @FieldResolver(() => DateTimeScalar, { nullable: true }) retryDate(
    @Root() { retryAt }: DecisionWithCover,
  ): Date | null {
    return retryAt;
  }

  @FieldResolver(() => DateTimeScalar, { nullable: true }) earliestAllowedAt(
    @Root() { floor }: DecisionWithCover,
  ): Date | null {
    return floor;
  }

  @FieldResolver(() => String, { nullable: true }) ruleId(@Root() { floorRow }: DecisionWithCover): string | null {
    return floorRow;
  }

  @FieldResolver(() => RetryBudget) budget(
    @Root() { budgetUsed, budgetLimit, windowEnds }: DecisionWithCover,
  ): RetryBudget {
    return { used: budgetUsed, limit: budgetLimit, windowEndsAt: windowEnds };
  }

  @FieldResolver(() => RulebookRule, { nullable: true }) rule(@Root() { floorRow }: DecisionWithCover) {
    return floorRow === null ? null : findRulebookRow(floorRow);
  }

  @FieldResolver(() => [PlannedRetry]) plan(@Root() decision: DecisionWithCover): PlannedRetry[] {
    return readDecisionParts(decision).alternatives;
  }

  @FieldResolver(() => [PlannedRetry]) considered(@Root() decision: DecisionWithCover): PlannedRetry[] {
    return readDecisionParts(decision).choice?.considered ?? [];
  }

  @FieldResolver(() => [RetryFactor]) factors(@Root() decision: DecisionWithCover): RetryFactor[] {
    return readDecisionParts(decision).choice?.factors ?? [];
  }

  @FieldResolver(() => [RetryEffect]) effects(@Root() decision: DecisionWithCover): RetryEffect[] {
    return readDecisionParts(decision).effects.map(({ others, reason, ...effect }) => ({
      ...effect,
      otherAttempts: others ?? null,
      fallbackReason: reason ?? null,
    }));
  }

  @FieldResolver(() => Float, { nullable: true }) probability(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).probability;
  }

  @FieldResolver(() => ProbabilityInterval, { nullable: true }) interval(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).interval;
  }

  @FieldResolver(() => Float) propensity(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).propensity;
  }

  @FieldResolver(() => Boolean) isExplored(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).choice?.explored ?? false;
  }

  @FieldResolver(() => String, { nullable: true }) declinesVersion(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).declinesVersion;
  }

  @FieldResolver(() => String, { nullable: true }) modelVersion(@Root() decision: DecisionWithCover) {
    return readDecisionParts(decision).modelVersion;
  }
}

/** Parts of a stored decision that have another name in GraphQL. */
const namesOfParts: Readonly<Record<string, string>> = {
  retryAt: "retryDate",
  floor: "earliestAllowedAt",
  floorRow: "ruleId",
  windowEnds: "windowEndsAt",
};

const toDecisionReplay = ({ follows, retryAt, differences, ...replay }: DecisionReplayResult) => ({
  ...replay,
  isReproduced: follows,
  retryDate: retryAt,
  differences: differences.map((part) => namesOfParts[part] ?? part),
});
