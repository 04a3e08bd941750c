import { Field, InputType, ObjectType } from "type-graphql";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, DurationScalar, GraphQLUUID } from "../graphql/scalars.ts";

@ObjectType("Vendor", { description: "A merchant.", implements: Node, simpleResolvers: true })
export class Vendor extends Node {
  @Field(() => GraphQLUUID, { description: "The id that paths of the REST interface use." })
  uuid!: string;

  @Field(() => String, { description: "Name of the merchant." })
  name!: string;

  @Field(() => String, { description: "IANA time zone in which the merchant's days begin." })
  zoneId!: string;

  @Field(() => String, { description: "ISO 4217 code of the base currency; amounts without a currency are in it." })
  currency!: string;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 country code." })
  country!: string;

  @Field(() => Boolean, { description: "Whether this is a sandbox: no real money, and a clock that can be moved." })
  sandbox!: boolean;

  @Field(() => DateTimeScalar, { description: "When it was opened." })
  createdAt!: Date;
}

@InputType({ description: "How far to move the test clock." })
export class AdvanceTestClockInput {
  @Field(() => DurationScalar, {
    description: 'An ISO 8601 duration, such as "P1D" or "PT5M"; a negative one is refused.',
  })
  by!: string;
}

@ObjectType({ description: "The test clock after the move.", simpleResolvers: true })
export class AdvanceTestClockPayload {
  @Field(() => DateTimeScalar, { description: "What the vendor's clock says now." })
  now!: Date;
}
