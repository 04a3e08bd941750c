import { Field, InputType, ObjectType } from "type-graphql";
import { connectionType, sortInputType } from "../graphql/connection.ts";
import { numberedPageType } from "../graphql/numbered-page.ts";
import {
  CountryCodeScalar,
  CurrencyScalar,
  DateTimeScalar,
  EmailScalar,
  GraphQLUUID,
  KeywordScalar,
  NameScalar,
  PasswordScalar,
  PhoneScalar,
  TimeZoneScalar,
} from "../graphql/scalars.ts";
import { Vendor } from "./vendor.type.ts";

@ObjectType({ description: "A child vendor as its parent sees it.", simpleResolvers: true })
export class ChildVendor {
  @Field(() => GraphQLUUID, { description: "The id that paths of the REST interface use." })
  uuid!: string;

  @Field(() => String, { description: "Name of the merchant." })
  name!: string;

  @Field(() => Boolean, { description: "Whether its tokens are let in." })
  enabled!: boolean;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => Boolean, { description: "Whether it has answered the first questions about itself." })
  surveyed!: boolean;

  @Field(() => GraphQLUUID, { nullable: true, description: "Who says who its customers are; null for Recoup." })
  realmIdentityProviderId!: string | null;

  @Field(() => String, { description: "The realm in which its customers sign in; may be empty." })
  realmName!: string;

  @Field(() => String, { nullable: true, description: "The name that its first manager signs in with." })
  managerUsername!: string | null;

  @Field(() => String, { nullable: true, description: "Phone number of its first manager." })
  managerPhone!: string | null;
}

@InputType({
  description:
    "A new child. It starts in its parent's zone and country, with its parent's currency, unless told; it is a sandbox if its parent is, and follows its clock.",
})
export class CreateChildVendorInput {
  @Field(() => GraphQLUUID, {
    nullable: true,
    description: "Uuid of the parent: the vendor of the token, which it is unless told. A child has no children.",
  })
  vendorUuid?: string | null;

  @Field(() => NameScalar, { description: "Name of the merchant." })
  name!: string;

  @Field(() => EmailScalar, { description: "E-mail address, with which its first manager signs in." })
  email!: string;

  @Field(() => PasswordScalar, { description: "Password of its first manager." })
  password!: string;

  @Field(() => PhoneScalar, { nullable: true, description: "Phone number of its first manager." })
  phone?: string | null;

  @Field(() => TimeZoneScalar, { nullable: true, description: "IANA time zone in which its days begin." })
  zoneId?: string | null;

  @Field(() => CurrencyScalar, { nullable: true, description: "Its base currency." })
  currency?: string | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "ISO 3166-1 alpha-2 country code." })
  country?: string | null;
}

@ObjectType({ description: "The child after its creation.", simpleResolvers: true })
export class CreateChildVendorPayload {
  @Field(() => Vendor, { description: "The child, with its secretKey and its paymentKey: they are shown only here." })
  child!: Vendor;
}

@InputType({ description: "Whether a child is let in." })
export class SetChildVendorEnabledInput {
  @Field(() => GraphQLUUID, { description: "Uuid of the child." })
  vendorUuid!: string;

  @Field(() => Boolean, { description: "False answers its tokens with VENDOR_DISABLED from now on." })
  enabled!: boolean;
}

@ObjectType({ description: "The child after the change.", simpleResolvers: true })
export class SetChildVendorEnabledPayload {
  @Field(() => ChildVendor, { description: "The child." })
  child!: ChildVendor;
}

@InputType({ description: "Which children are asked for; all conditions hold together." })
export class ChildVendorFilterInput {
  @Field(() => Boolean, { nullable: true, description: "Those that are let in, or those that are not." })
  enabled?: boolean | null;

  @Field(() => KeywordScalar, { nullable: true, description: "Those whose name contains this text, in any case." })
  name?: string | null;
}

export const ChildVendorSortInput = sortInputType("ChildVendor", {
  CREATED_AT: "When it was created.",
  NAME: "By name.",
});
export type ChildVendorSortInput = InstanceType<typeof ChildVendorSortInput>;

export const ChildVendorConnection = connectionType(() => ChildVendor, "ChildVendor");

export const ChildVendorPage = numberedPageType(() => ChildVendor, "ChildVendor");
