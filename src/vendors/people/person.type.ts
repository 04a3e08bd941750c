import { Field, ID, InputType, ObjectType } from "type-graphql";
import { PersonRole, PersonState } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, EmailScalar } from "../../graphql/scalars.ts";

@ObjectType("Person", {
  description: "A person who uses the console for the vendor, or who is invited to it.",
  implements: Node,
  simpleResolvers: true,
})
export class Person extends Node {
  @Field(() => String, { description: "E-mail address, with which the person signs in." })
  email!: string;

  @Field(() => PersonRole, { description: "What the person may do." })
  role!: PersonRole;

  @Field(() => PersonState, { description: "State of the account." })
  state!: PersonState;

  @Field(() => DateTimeScalar, { description: "Time at which the person was first added." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time until which the link of the last invitation can be used. Null if none is open.",
  })
  invitationExpiresAt!: Date | null;

  @Field(() => Boolean, { description: "Whether the person needs a code of an app to sign in." })
  hasSecondFactor!: boolean;
}

@ObjectType({ description: "The person whose second factor was switched off.", simpleResolvers: true })
export class ResetSecondFactorPayload {
  @Field(() => Person, { description: "The person, who signs in with the password alone." })
  person!: Person;
}

export const PersonConnection = connectionType(() => Person, "Person");

@InputType({ description: "A person to invite." })
export class InvitePersonInput {
  @Field(() => EmailScalar, { description: "E-mail address to which the invitation is sent. At most 255 characters." })
  email!: string;

  @Field(() => PersonRole, { description: "What the person may do." })
  role!: PersonRole;
}

@InputType({ description: "A person and the role to give." })
export class ChangePersonRoleInput {
  @Field(() => ID, { description: "The person." })
  personId!: string;

  @Field(() => PersonRole, { description: "What the person may do from now on." })
  role!: PersonRole;
}

@InputType({ description: "A person." })
export class PersonInput {
  @Field(() => ID, { description: "The person." })
  personId!: string;
}

@ObjectType({ description: "The person who was invited.", simpleResolvers: true })
export class InvitePersonPayload {
  @Field(() => Person, { description: "The person." })
  person!: Person;
}

@ObjectType({ description: "The person who was invited again.", simpleResolvers: true })
export class ResendInvitationPayload {
  @Field(() => Person, { description: "The person." })
  person!: Person;
}

@ObjectType({ description: "The person with the new role.", simpleResolvers: true })
export class ChangePersonRolePayload {
  @Field(() => Person, { description: "The person." })
  person!: Person;
}

@ObjectType({ description: "The person who was removed.", simpleResolvers: true })
export class RemovePersonPayload {
  @Field(() => Person, { description: "The person, whose sessions have ended." })
  person!: Person;
}
