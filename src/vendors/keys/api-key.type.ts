import { Field, ID, InputType, ObjectType } from "type-graphql";
import { KeyScope } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, LineScalar, NonNegativeIntScalar, PositiveIntScalar } from "../../graphql/scalars.ts";

@ObjectType("ApiKey", {
  description:
    "A key of the vendor, whose token a program sends in the header Secret-Token. The token itself is not stored.",
  implements: Node,
  simpleResolvers: true,
})
export class ApiKey extends Node {
  @Field(() => LineScalar, { description: "Name that distinguishes the key from others." })
  name!: string;

  @Field(() => [KeyScope], { description: "What the key may be used for." })
  scopes!: KeyScope[];

  @Field(() => String, { description: "Last four characters of the token, by which people recognize it." })
  ending!: string;

  @Field(() => DateTimeScalar, { description: "Time of the creation, by the real time." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time from which the key is refused, by the real time. Null if it does not expire.",
  })
  expiresAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the last use, exact to a minute or two. Null if the key was never used.",
  })
  lastUsedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which another key replaced this one; it is valid until `expiresAt`. Null if none did.",
  })
  rotatedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the key was revoked. Null if it was not.",
  })
  revokedAt!: Date | null;
}

export const ApiKeyConnection = connectionType(() => ApiKey, "ApiKey");

@InputType({ description: "An API key to create." })
export class CreateApiKeyInput {
  @Field(() => LineScalar, { description: "Name that distinguishes the key from others." })
  name!: string;

  @Field(() => [KeyScope], { description: "What the key may be used for: at least one scope." })
  scopes!: KeyScope[];

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Days after which the key is refused: 1 to 3,650. Defaults to null: the key does not expire.",
  })
  lifetimeDays?: number | null;
}

@InputType({ description: "An API key to replace." })
export class RotateApiKeyInput {
  @Field(() => ID, { description: "The key." })
  keyId!: string;

  @Field(() => NonNegativeIntScalar, {
    defaultValue: 24,
    description: "Hours for which the old key stays valid: 0 to 720. Defaults to 24.",
  })
  graceHours!: number;
}

@InputType({ description: "An API key to revoke." })
export class RevokeApiKeyInput {
  @Field(() => ID, { description: "The key." })
  keyId!: string;
}

const TOKEN =
  "Token to send in the header Secret-Token. It is shown once and not stored; save it where the program reads it.";

@ObjectType({ description: "The API key that was created, with its token.", simpleResolvers: true })
export class CreateApiKeyPayload {
  @Field(() => ApiKey, { description: "The key." })
  key!: ApiKey;

  @Field(() => String, { description: TOKEN })
  token!: string;
}

@ObjectType({ description: "The new API key with its token, and the key that it replaced.", simpleResolvers: true })
export class RotateApiKeyPayload {
  @Field(() => ApiKey, { description: "The new key." })
  key!: ApiKey;

  @Field(() => String, { description: TOKEN })
  token!: string;

  @Field(() => ApiKey, { description: "The replaced key, with the time until which it stays valid." })
  previous!: ApiKey;
}

@ObjectType({ description: "The API key that was revoked.", simpleResolvers: true })
export class RevokeApiKeyPayload {
  @Field(() => ApiKey, {
    description: "The key. Its token is refused, by other gateways on the same database within a second.",
  })
  key!: ApiKey;
}
