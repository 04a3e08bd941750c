import { Field, InputType, ObjectType } from "type-graphql";
import {
  CountryCodeScalar,
  GraphQLBigInt,
  LabelScalar,
  LineScalar,
  NameScalar,
  PhoneScalar,
} from "../graphql/scalars.ts";

@ObjectType({ description: "Where goods are sent.", simpleResolvers: true })
export class Shipping {
  @Field(() => GraphQLBigInt, { description: "Number of the address." })
  databaseId!: number;

  @Field(() => String, { description: "Who receives them." })
  name!: string;

  @Field(() => String, { description: "Phone number of the receiver: digits with an optional leading +." })
  phone!: string;

  @Field(() => String, { description: "Postal code." })
  postcode!: string;

  @Field(() => String, { description: "Street and number." })
  address1!: string;

  @Field(() => String, { description: "Flat, floor and the like; empty where there is none." })
  address2!: string;

  @Field(() => String, { description: "State or province; empty where there is none." })
  state!: string;

  @Field(() => String, { description: "City; empty where it is not told." })
  city!: string;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;
}

@InputType({ description: "Where goods are sent." })
export class ShippingInput {
  @Field(() => NameScalar, { description: "Who receives them." })
  name!: string;

  @Field(() => PhoneScalar, { description: "Phone number of the receiver." })
  phone!: string;

  @Field(() => LineScalar, { description: "Postal code." })
  postcode!: string;

  @Field(() => LabelScalar, { description: "Street and number." })
  address1!: string;

  @Field(() => LabelScalar, { defaultValue: "", description: "Flat, floor and the like." })
  address2!: string;

  @Field(() => LabelScalar, { defaultValue: "", description: "State or province." })
  state!: string;

  @Field(() => LabelScalar, { defaultValue: "", description: "City." })
  city!: string;

  @Field(() => CountryCodeScalar, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;
}
