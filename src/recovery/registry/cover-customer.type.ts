import { Field, InputType, ObjectType } from "type-graphql";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import {
  CountryCodeScalar,
  DateTimeScalar,
  EmailScalar,
  KeywordScalar,
  NameScalar,
  PartnerIdScalar,
  PhoneScalar,
  TimeZoneScalar,
} from "../../graphql/scalars.ts";

@ObjectType("CoverCustomer", {
  description: "A payer whom the merchant registered in the recovery module.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverCustomer extends Node {
  @Field(() => String, { description: "Name of the customer." })
  name!: string;

  @Field(() => String, { description: "E-mail address, as sent." })
  email!: string;

  @Field(() => String, { description: "Phone number: digits with an optional leading +." })
  phone!: string;

  @Field(() => String, { description: "The merchant's own unique id of the customer." })
  partnerCustomerId!: string;

  @Field(() => String, {
    nullable: true,
    description: "ISO 3166-1 alpha-2 country code. Null if the merchant did not send it.",
  })
  country!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "IANA time zone in which retries are planned. Null means the vendor's time zone.",
  })
  timeZone!: string | null;

  @Field(() => DateTimeScalar, { description: "Time of the registration." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "A customer to register, under the merchant's own id." })
export class RegisterCoverCustomerInput {
  @Field(() => NameScalar, { description: "Name of the customer." })
  name!: string;

  @Field(() => EmailScalar, { description: "E-mail address." })
  email!: string;

  @Field(() => PhoneScalar, { description: "Phone number in any notation. Punctuation is removed." })
  phone!: string;

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the customer." })
  partnerCustomerId!: string;

  @Field(() => CountryCodeScalar, { nullable: true, description: "ISO 3166-1 alpha-2 country code of the payer." })
  country?: string | null;

  @Field(() => TimeZoneScalar, { nullable: true, description: 'IANA time zone of the payer, such as "Asia/Seoul".' })
  timeZone?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Behaviour if the partner id exists: true updates the customer with the sent fields, false refuses with DUPLICATE_PARTNER_ID. Defaults to false.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The customer after its registration.", simpleResolvers: true })
export class RegisterCoverCustomerPayload {
  @Field(() => CoverCustomer, { description: "The customer." })
  customer!: CoverCustomer;
}

@InputType({ description: "Filter of registered customers. All conditions must hold." })
export class CoverCustomerFilterInput {
  @Field(() => KeywordScalar, {
    nullable: true,
    description: "Returns only customers with this e-mail address, compared without case.",
  })
  email?: string | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only records that were registered in this period.",
  })
  createdAt?: PeriodInput | null;
}

export const CoverCustomerSortInput = sortInputType("CoverCustomer", { CREATED_AT: "Time of the registration." });
export type CoverCustomerSortInput = InstanceType<typeof CoverCustomerSortInput>;

export const CoverCustomerConnection = connectionType(() => CoverCustomer, "CoverCustomer");
