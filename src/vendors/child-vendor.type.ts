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

@ObjectType({ description: "A child vendor, as its parent sees it.", simpleResolvers: true })
export class ChildVendor {
  @Field(() => GraphQLUUID, { description: "Unique id of the vendor. Paths of REST use it." })
  uuid!: string;

  @Field(() => String, { description: "Name of the merchant." })
  name!: string;

  @Field(() => Boolean, { description: "True if the vendor's tokens are accepted." })
  enabled!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => Boolean, { description: "True if the vendor answered the initial survey." })
  surveyed!: boolean;

  @Field(() => GraphQLUUID, {
    nullable: true,
    description: "Identity provider of the vendor's customers. Null if Recoup is the identity provider.",
  })
  realmIdentityProviderId!: string | null;

  @Field(() => String, {
    description: "Realm in which the vendor's customers sign in. An empty string if there is none.",
  })
  realmName!: string;

  @Field(() => String, { nullable: true, description: "Login name of the first manager. Null if there is no manager." })
  managerUsername!: string | null;

  @Field(() => String, { nullable: true, description: "Phone number of the first manager. Null if it is not known." })
  managerPhone!: string | null;
}

@InputType({
  description:
    "A new child vendor. Its time zone, country and currency default to those of its parent. If its parent is a sandbox, the child is one too and follows the parent's clock.",
})
export class CreateChildVendorInput {
  @Field(() => GraphQLUUID, {
    nullable: true,
    description:
      "Uuid of the parent, which must be the vendor of the token. Defaults to that vendor. A child has no children.",
  })
  vendorUuid?: string | null;

  @Field(() => NameScalar, { description: "Name of the merchant." })
  name!: string;

  @Field(() => EmailScalar, { description: "E-mail address of the first manager, used to sign in." })
  email!: string;

  @Field(() => PasswordScalar, { description: "Password of the first manager." })
  password!: string;

  @Field(() => PhoneScalar, { nullable: true, description: "Phone number of the first manager." })
  phone?: string | null;

  @Field(() => TimeZoneScalar, {
    nullable: true,
    description: "IANA time zone in which the vendor's days begin. Defaults to the parent's.",
  })
  zoneId?: string | null;

  @Field(() => CurrencyScalar, { nullable: true, description: "Base currency. Defaults to the parent's." })
  currency?: string | null;

  @Field(() => CountryCodeScalar, {
    nullable: true,
    description: "ISO 3166-1 alpha-2 country code. Defaults to the parent's.",
  })
  country?: string | null;
}

@ObjectType({ description: "The child after its creation.", simpleResolvers: true })
export class CreateChildVendorPayload {
  @Field(() => Vendor, {
    description: "The child vendor with its secretKey and its paymentKey, which are returned only here.",
  })
  child!: Vendor;
}

@InputType({ description: "Enables or disables a child vendor." })
export class SetChildVendorEnabledInput {
  @Field(() => GraphQLUUID, { description: "Uuid of the child." })
  vendorUuid!: string;

  @Field(() => Boolean, {
    description: "True to accept the child's tokens, false to refuse them with VENDOR_DISABLED.",
  })
  enabled!: boolean;
}

@ObjectType({ description: "The child after the change.", simpleResolvers: true })
export class SetChildVendorEnabledPayload {
  @Field(() => ChildVendor, { description: "The child." })
  child!: ChildVendor;
}

@InputType({ description: "Filter of child vendors. All conditions must hold." })
export class ChildVendorFilterInput {
  @Field(() => Boolean, {
    nullable: true,
    description: "True returns only enabled child vendors, false only disabled ones.",
  })
  enabled?: boolean | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description: "Returns only child vendors whose name contains this text, compared without case.",
  })
  name?: string | null;
}

export const ChildVendorSortInput = sortInputType("ChildVendor", {
  CREATED_AT: "By the time of the creation.",
  NAME: "By name.",
});
export type ChildVendorSortInput = InstanceType<typeof ChildVendorSortInput>;

export const ChildVendorConnection = connectionType(() => ChildVendor, "ChildVendor");

export const ChildVendorPage = numberedPageType(() => ChildVendor, "ChildVendor");
