import { Field, Float, Int, ObjectType } from "type-graphql";
import {
  CoverEndReason,
  EffectKind,
  FactorKind,
  ModelFallbackReason,
  Network,
  ReasonClass,
} from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar } from "../../graphql/scalars.ts";

@ObjectType({ description: "Number of attempts that were available to a decision.", simpleResolvers: true })
export class RetryBudget {
  @Field(() => Int, { description: "Attempts made since the first failure." })
  used!: number;

  @Field(() => Int, { description: "Attempts that the policy allows." })
  limit!: number;

  @Field(() => DateTimeScalar, { description: "Time of the last attempt that the policy plans." })
  windowEndsAt!: Date;
}

@ObjectType({ description: "A step that led to a decision.", simpleResolvers: true })
export class RetryEffect {
  @Field(() => EffectKind, { description: "Kind of the step." })
  kind!: EffectKind;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the attempt after this step. Null if the step ended the attempts.",
  })
  at!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Source of the step: a row of the rulebook, a class of declines, or a kind of policy; for a FALLBACK what decided instead: COUNTRY, PUBLISHED or EVEN. Null if the step has no source.",
  })
  by!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "Number of attempts on the same card outside of the cover that the network's rule counted. Null if there were none.",
  })
  otherAttempts?: number | null;

  @Field(() => ModelFallbackReason, {
    nullable: true,
    description: "Reason why the model that should decide did not. Null in steps other than FALLBACK.",
  })
  fallbackReason?: ModelFallbackReason | null;
}

@ObjectType({ description: "A planned retry.", simpleResolvers: true })
export class PlannedRetry {
  @Field(() => DateTimeScalar, { description: "Time of the attempt." })
  at!: Date;

  @Field(() => Float, { nullable: true, description: "Probability of success, 0 to 1. Null without a model." })
  probability!: number | null;
}

@ObjectType({
  description: "What moved the model's choice of a time, in comparison with an even schedule.",
  simpleResolvers: true,
})
export class RetryFactor {
  @Field(() => FactorKind, { description: "What it is about." })
  kind!: FactorKind;

  @Field(() => Int, { nullable: true, description: "Its value, by the kind. Null for kinds without one." })
  value!: number | null;

  @Field(() => Float, {
    description:
      "Factor by which it multiplies the odds of success of the chosen time over those of the even time; for `NEXT_ATTEMPT`, the odds of the attempt after it. Above 1 it speaks for the chosen time.",
  })
  odds!: number;
}

@ObjectType({
  description: "Confidence interval of a probability: it contains the true value 19 times out of 20.",
  simpleResolvers: true,
})
export class ProbabilityInterval {
  @Field(() => Float, { description: "The lower bound." })
  low!: number;

  @Field(() => Float, { description: "The upper bound." })
  high!: number;
}

@ObjectType({
  description: "A row of the rulebook: a card network's limit that no policy can exceed.",
  simpleResolvers: true,
})
export class RulebookRule {
  @Field(() => String, { description: "Id of the rule, such as `RetryDecision.ruleId`." })
  id!: string;

  @Field(() => Network, { description: "Network or scheme whose rule it is." })
  network!: Network;

  @Field(() => String, { nullable: true, description: "Region in which the rule applies. Null for everywhere." })
  region!: string | null;

  @Field(() => String, { description: "Source of the rule." })
  source!: string;

  @Field(() => String, {
    nullable: true,
    description: "First day on which the rule applies. Null if it has always applied.",
  })
  effectiveFrom!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Last day on which the rule applies. Null while it is in force.",
  })
  effectiveTo!: string | null;

  @Field(() => String, { description: "Day on which the row was last compared with its source." })
  checkedOn!: string;
}

@ObjectType("RetryDecision", {
  description: "Decision of the recovery engine after a report, with the limits that applied.",
  implements: Node,
  simpleResolvers: true,
})
export class RetryDecision extends Node {
  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the next attempt. Null if recovery has ended." })
  retryDate!: Date | null;

  @Field(() => CoverEndReason, {
    nullable: true,
    description: "Reason why no attempt follows. Null while attempts continue.",
  })
  endReason!: CoverEndReason | null;

  @Field(() => ReasonClass, {
    nullable: true,
    description:
      "Meaning of the last decline. Null without a decline, for example after a change of the payment method.",
  })
  reasonClass!: ReasonClass | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Earliest time that the rulebook allows. Null if the rulebook did not move the retry.",
  })
  earliestAllowedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "Id of the rulebook's rule that moved the retry or forbade all further retries. Null if no rule did.",
  })
  ruleId!: string | null;

  @Field(() => RulebookRule, {
    nullable: true,
    description: "Rule with the id `ruleId`. Null if there is none, or if the current rulebook does not have it.",
  })
  rule!: RulebookRule | null;

  @Field(() => [DateTimeScalar], {
    description:
      "Times of the attempts that the policy plans after `retryDate`, in order. `plan` has their probabilities.",
  })
  alternatives!: Date[];

  @Field(() => [PlannedRetry], {
    description: "Attempts that the policy plans after `retryDate`, in order, each with its probability of success.",
  })
  plan!: PlannedRetry[];

  @Field(() => Float, {
    nullable: true,
    description: "Probability that the next attempt succeeds, 0 to 1. Null without a model.",
  })
  probability!: number | null;

  @Field(() => ProbabilityInterval, {
    nullable: true,
    description: "Confidence interval of `probability`. Null without a model.",
  })
  interval!: ProbabilityInterval | null;

  @Field(() => [PlannedRetry], {
    description:
      "Times that the model compared for the next attempt, the best first, each with its probability of success. Empty if no model chose the time.",
  })
  considered!: PlannedRetry[];

  @Field(() => [RetryFactor], {
    description:
      "What spoke for and against the chosen time, the strongest first. Empty if no model chose the time, or if it chose the even time.",
  })
  factors!: RetryFactor[];

  @Field(() => [RetryEffect], {
    description: "Steps that led to the decision, in order.",
  })
  effects!: RetryEffect[];

  @Field(() => RetryBudget, { description: "Number of attempts that were available to the decision." })
  budget!: RetryBudget;

  @Field(() => String, { description: "Version of the policy that planned the attempts." })
  policyVersion!: string;

  @Field(() => String, { description: "Version of the rulebook that limited the plan." })
  rulebookVersion!: string;

  @Field(() => String, {
    nullable: true,
    description: "Version of the tables that map declines to meanings. Null if it was not recorded.",
  })
  declinesVersion!: string | null;

  @Field(() => String, { nullable: true, description: "Version of the model. Null without a model." }) modelVersion!:
    string | null;

  @Field(() => Float, {
    description:
      "Probability with which the policy chose this time, over exploring and other covers alike. 1 if the choice has no random part.",
  })
  propensity!: number;

  @Field(() => Boolean, {
    description: "True if the cover explores: its time was drawn from several good ones so that the model learns.",
  })
  isExplored!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the decision." })
  decidedAt!: Date;
}

export const RetryDecisionConnection = connectionType(() => RetryDecision, "RetryDecision");

@ObjectType({
  description: "Replay of a stored decision from its stored inputs.",
  simpleResolvers: true,
})
export class DecisionReplay {
  @Field(() => Boolean, { description: "True if the engine decides the same again from the stored inputs." })
  isReproduced!: boolean;

  @Field(() => [String], {
    description: "Names of the parts of the decision that differ from the stored ones. Empty if it is reproduced.",
  })
  differences!: string[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the next attempt, as the engine returns it now. Null if no attempt follows.",
  })
  retryDate!: Date | null;

  @Field(() => CoverEndReason, {
    nullable: true,
    description: "Reason why no attempt follows, as the engine returns it now. Null if an attempt follows.",
  })
  endReason!: CoverEndReason | null;

  @Field(() => RetryDecision, { description: "The stored decision." })
  decision!: RetryDecision;
}
