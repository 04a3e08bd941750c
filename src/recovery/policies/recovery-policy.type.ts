import { Field, ID, InputType, ObjectType } from "type-graphql";
import { PolicyOrigin, PolicyState } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar } from "../../graphql/scalars.ts";
import { RecoveryTermsInput } from "./recovery-terms-input.type.ts";
import { RecoveryTerms } from "./recovery-terms.type.ts";

@ObjectType("RecoveryPolicy", {
  description: "A recovery policy of the vendor. Its terms never change; propose a new policy instead.",
  implements: Node,
  simpleResolvers: true,
})
export class RecoveryPolicy extends Node {
  @Field(() => PolicyState, { description: "Current state of the record." })
  state!: PolicyState;

  @Field(() => RecoveryTerms, { description: "Terms of the policy." })
  terms!: RecoveryTerms;

  @Field(() => DateTimeScalar, { description: "Time at which the policy was proposed." })
  proposedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the activation. Null if the policy was never active.",
  })
  activatedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the retirement. Null if the policy is not retired.",
  })
  retiredAt!: Date | null;
}

export const RecoveryPolicyConnection = connectionType(() => RecoveryPolicy, "RecoveryPolicy");

@ObjectType({ description: "The policy that applies to new covers.", simpleResolvers: true })
export class PolicyInForce {
  @Field(() => PolicyOrigin, { description: "Source of the policy." })
  origin!: PolicyOrigin;

  @Field(() => RecoveryTerms, { description: "Terms of the policy." })
  terms!: RecoveryTerms;
}

@InputType({ description: "A policy to store. It is applied to covers only after its activation." })
export class ProposeRecoveryPolicyInput {
  @Field(() => RecoveryTermsInput, { description: "Terms of the policy." })
  terms!: RecoveryTermsInput;
}

@ObjectType({ description: "The stored policy.", simpleResolvers: true })
export class ProposeRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}

@InputType({ description: "The policy to activate for new covers." })
export class ActivateRecoveryPolicyInput {
  @Field(() => ID, { description: "The policy." })
  policyId!: string;
}

@ObjectType({ description: "The policy after its activation.", simpleResolvers: true })
export class ActivateRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}

@InputType({ description: "The policy to retire for new covers." })
export class RetireRecoveryPolicyInput {
  @Field(() => ID, { description: "The policy." })
  policyId!: string;
}

@ObjectType({ description: "The policy after its retirement.", simpleResolvers: true })
export class RetireRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}
