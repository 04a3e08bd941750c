import { Field, InputType, ObjectType } from "type-graphql";
import { KeyScope } from "../../../schema/vocabulary.ts";
import { DateTimeScalar, PositiveIntScalar } from "../../graphql/scalars.ts";

@InputType({ description: "A token for pages in a browser to create." })
export class CreateSessionTokenInput {
  @Field(() => String, {
    description:
      "Origin of the pages that may send the token, exactly as browsers send it: `https://shop.example.com`, or `http://localhost:3000` on a developer's machine. At most 300 characters.",
  })
  origin!: string;

  @Field(() => [KeyScope], {
    description: "What the pages may do: at least one of READ, WRITE and RECOVERY, and no more than the key may do.",
  })
  scopes!: KeyScope[];

  @Field(() => PositiveIntScalar, {
    defaultValue: 15,
    description: "Minutes after which the token is refused: 1 to 60. Defaults to 15. It never outlives its key.",
  })
  minutes!: number;
}

@ObjectType({ description: "The token that was created for pages in a browser.", simpleResolvers: true })
export class CreateSessionTokenPayload {
  @Field(() => String, {
    description: "Token to send in the header Session-Token of `POST /graphql`. It is shown once and not stored.",
  })
  token!: string;

  @Field(() => String, { description: "Id of the session, by which events name it. It is no secret." })
  sessionId!: string;

  @Field(() => [KeyScope], { description: "What the pages may do." })
  scopes!: KeyScope[];

  @Field(() => DateTimeScalar, {
    description: "Time from which the token is refused, by the real time. It ends earlier if its key is revoked.",
  })
  expiresAt!: Date;
}
