import { Field, Float, Int, ObjectType, registerEnumType } from "type-graphql";
import { CoverEndReason, EffectKind, Network, ReasonClass } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar } from "../../graphql/scalars.ts";

/** The languages in which a decision explains itself. */
export const ExplanationLanguage = { EN: "EN", KO: "KO" } as const;
export type ExplanationLanguage = keyof typeof ExplanationLanguage;
registerEnumType(ExplanationLanguage, {
  name: "ExplanationLanguage",
  description: "The languages in which a decision explains itself.",
  valuesConfig: { EN: { description: "English." }, KO: { description: "Korean." } },
});

@ObjectType({ description: "How many tries a decision could count on.", simpleResolvers: true })
export class RetryBudget {
  @Field(() => Int, { description: "Tries made since the first failure." })
  used!: number;

  @Field(() => Int, { description: "Tries that the policy allows." })
  limit!: number;

  @Field(() => DateTimeScalar, { description: "The last date that the policy plans." })
  windowEnds!: Date;
}

@ObjectType({ description: "A step that led to a decision.", simpleResolvers: true })
export class RetryEffect {
  @Field(() => EffectKind, { description: "What it was." })
  kind!: EffectKind;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Where the try stood after it; null where it ended trying.",
  })
  at!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "What set it: a row of the rulebook, a class of declines, a kind of policy.",
  })
  by!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "How many of the tries that the network's rule counted were made with the same card besides those of the cover; null where none was.",
  })
  others?: number | null;
}

@ObjectType({ description: "A try that is planned.", simpleResolvers: true })
export class PlannedTry {
  @Field(() => DateTimeScalar, { description: "When." })
  at!: Date;

  @Field(() => Float, { nullable: true, description: "How likely it is to work, 0 to 1; null without a model." })
  probability!: number | null;
}

@ObjectType({ description: "Bounds of a probability: it lies within them 19 times out of 20.", simpleResolvers: true })
export class ProbabilityInterval {
  @Field(() => Float, { description: "The lower bound." })
  low!: number;

  @Field(() => Float, { description: "The upper bound." })
  high!: number;
}

@ObjectType({
  description: "A row of the rulebook: a limit of a network that no policy breaks.",
  simpleResolvers: true,
})
export class RulebookRule {
  @Field(() => String, { description: "Its name." })
  id!: string;

  @Field(() => Network, { description: "Whose rule it is." })
  network!: Network;

  @Field(() => String, { nullable: true, description: "Where it holds; null for everywhere." })
  region!: string | null;

  @Field(() => String, { description: "Where it is written." })
  source!: string;

  @Field(() => String, {
    nullable: true,
    description: "The first day on which it is in force; null for as long as known.",
  })
  effectiveFrom!: string | null;

  @Field(() => String, { nullable: true, description: "The last day on which it is in force; null while it is." })
  effectiveTo!: string | null;

  @Field(() => String, { description: "The day on which it was last compared with its source." })
  checkedOn!: string;
}

@ObjectType("RetryDecision", {
  description: "What the recovery engine decided after a report, and what it was held to.",
  implements: Node,
  simpleResolvers: true,
})
export class RetryDecision extends Node {
  @Field(() => DateTimeScalar, { nullable: true, description: "When to try next; null when trying is over." })
  retryAt!: Date | null;

  @Field(() => CoverEndReason, { nullable: true, description: "Why trying is over; null while it goes on." })
  endReason!: CoverEndReason | null;

  @Field(() => ReasonClass, {
    nullable: true,
    description: "What the last decline means; null where there was none, as after a change of the payment method.",
  })
  reasonClass!: ReasonClass | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "The earliest time that the rulebook allowed, where it moved the try.",
  })
  floor!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "The row of the rulebook that moved the try, or forbade every further one.",
  })
  floorRow!: string | null;

  @Field(() => RulebookRule, { nullable: true, description: "That row, where the present rulebook has it." })
  rule!: RulebookRule | null;

  @Field(() => [DateTimeScalar], { description: "The later tries that the policy plans, in order." })
  alternatives!: Date[];

  @Field(() => [PlannedTry], { description: "The same later tries, with how likely each is to work." })
  plan!: PlannedTry[];

  @Field(() => Float, {
    nullable: true,
    description: "How likely the next try is to work, 0 to 1; null without a model.",
  })
  probability!: number | null;

  @Field(() => ProbabilityInterval, { nullable: true, description: "The bounds of that probability." })
  interval!: ProbabilityInterval | null;

  @Field(() => [RetryEffect], {
    description: "The steps that led to the choice, in the order in which they were taken.",
  })
  effects!: RetryEffect[];

  @Field(() => RetryBudget, { description: "How many tries the decision could count on." })
  budget!: RetryBudget;

  @Field(() => String, { description: "Version of the policy that planned." })
  policyVersion!: string;

  @Field(() => String, { description: "Version of the rulebook that the plan was held to." })
  rulebookVersion!: string;

  @Field(() => String, { nullable: true, description: "Version of the tables by which declines were read." })
  declinesVersion!: string | null;

  @Field(() => String, { nullable: true, description: "Version of the model; null without one." })
  modelVersion!: string | null;

  @Field(() => Float, {
    description: "How likely the policy was to choose this time: 1 where nothing is left to chance.",
  })
  propensity!: number;

  @Field(() => DateTimeScalar, { description: "When it was decided." })
  decidedAt!: Date;
}

export const RetryDecisionConnection = connectionType(() => RetryDecision, "RetryDecision");

@ObjectType({
  description: "A stored decision, taken once more from its stored inputs.",
  simpleResolvers: true,
})
export class DecisionReplay {
  @Field(() => Boolean, { description: "Whether the decision follows from its inputs: nothing differs." })
  follows!: boolean;

  @Field(() => [String], { description: "The parts of the decision that differ from what was stored." })
  differences!: string[];

  @Field(() => DateTimeScalar, { nullable: true, description: "The date that the engine answers to the inputs now." })
  retryAt!: Date | null;

  @Field(() => CoverEndReason, { nullable: true, description: "Why trying is over, as the engine answers now." })
  endReason!: CoverEndReason | null;

  @Field(() => RetryDecision, { description: "The stored decision." })
  decision!: RetryDecision;
}
