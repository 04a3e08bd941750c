import { Field, InputType, ObjectType } from "type-graphql";
import {
  CountryCodeScalar,
  GraphQLBigInt,
  LabelScalar,
  LineScalar,
  NameScalar,
  PhoneScalar,
} from "../graphql/scalars.ts";

@ObjectType({ description: "A delivery address.", simpleResolvers: true })
export class Shipping {
  @Field(() => GraphQLBigInt, { description: "Number of the address." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the recipient." })
  name!: string;

  @Field(() => String, { description: "Phone number of the recipient: digits with an optional leading +." })
  phone!: string;

  @Field(() => String, { description: "Postal code." })
  postcode!: string;

  @Field(() => String, { description: "Street and number." })
  address1!: string;

  @Field(() => String, { description: "Additional line, such as flat or floor. An empty string if there is none." })
  address2!: string;

  @Field(() => String, { description: "State or province. An empty string if there is none." })
  state!: string;

  @Field(() => String, { description: "City. An empty string if it is not known." })
  city!: string;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;
}

@InputType({ description: "A delivery address." })
export class ShippingInput {
  @Field(() => NameScalar, { description: "Name of the recipient." })
  name!: string;

  @Field(() => PhoneScalar, { description: "Phone number of the recipient." })
  phone!: string;

  @Field(() => LineScalar, { description: "Postal code." })
  postcode!: string;

  @Field(() => LabelScalar, { description: "Street and number." })
  address1!: string;

  @Field(() => LabelScalar, { defaultValue: "", description: "Additional line, such as flat or floor." })
  address2!: string;

  @Field(() => LabelScalar, { defaultValue: "", description: "State or province." })
  state!: string;

  @Field(() => LabelScalar, { defaultValue: "", description: "City." })
  city!: string;

  @Field(() => CountryCodeScalar, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;
}
