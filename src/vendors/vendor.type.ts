import { Field, InputType, ObjectType } from "type-graphql";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, DurationScalar, GraphQLUUID } from "../graphql/scalars.ts";
import {
  CmsIntegration,
  DeliveryCharge,
  VendorApp,
  VendorManager,
  VendorSettings,
  VendorTerms,
} from "./vendor-parts.type.ts";

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

  @Field(() => Boolean, { description: "Whether its tokens are let in." })
  enabled!: boolean;

  @Field(() => DateTimeScalar, { description: "When it was opened." })
  createdAt!: Date;

  @Field(() => GraphQLUUID, { nullable: true, description: "The vendor whose child it is; null for one without." })
  parentUuid!: string | null;

  @Field(() => GraphQLUUID, { nullable: true, description: "The manager who came with it; null where nobody did." })
  firstManagerUuid!: string | null;

  @Field(() => VendorManager, { nullable: true, description: "The manager who came with it." })
  manager!: VendorManager | null;

  @Field(() => String, { description: "What the merchant says of itself; may be empty." })
  description!: string;

  @Field(() => String, { description: "E-mail address; may be empty." })
  email!: string;

  @Field(() => String, { description: "Where customers turn to; may be empty." })
  contactUrl!: string;

  @Field(() => String, { description: "The merchant's picture; may be empty." })
  featuredImageUrl!: string;

  @Field(() => String, {
    nullable: true,
    description: "The first Secret-Token: shown this once by the mutation that creates the vendor, null ever after.",
  })
  secretKey!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The key of payments, which is no Secret-Token: shown this once by the mutation that creates the vendor, null ever after.",
  })
  paymentKey!: string | null;

  @Field(() => DeliveryCharge, { description: "How it charges for delivery." })
  deliveryCharge!: DeliveryCharge;

  @Field(() => VendorSettings, { description: "How it bills." })
  vendorSettings!: VendorSettings;

  @Field(() => VendorTerms, { description: "What its buyers agree to." })
  vendorTerms!: VendorTerms;

  @Field(() => CmsIntegration, { description: "The shop system that its products come from." })
  cmsIntegration!: CmsIntegration;

  @Field(() => [VendorApp], { description: "The apps that it has." })
  apps!: VendorApp[];

  @Field(() => Boolean, { description: "Whether its first activation was checked." })
  checkFirstActivation!: boolean;

  @Field(() => Boolean, { description: "Whether it has answered the first questions about itself." })
  surveyed!: boolean;

  @Field(() => Boolean, { description: "Whether customers become dormant after a year." })
  useDormantCustomer!: boolean;

  @Field(() => Boolean, { description: "Whether customers are warned before they become dormant." })
  useDormantNotification!: boolean;

  @Field(() => Boolean, { description: "Whether customers sign in." })
  useAuth!: boolean;

  @Field(() => Boolean, { description: "Whether it has a shop page." })
  useStore!: boolean;

  @Field(() => Boolean, { description: "Whether it is paid out by Recoup." })
  usePayout!: boolean;

  @Field(() => Boolean, { description: "Whether it has locked its base currency." })
  currencyLock!: boolean;

  @Field(() => Boolean, { description: "Whether customers sign in with their e-mail address." })
  realmEmailAsUsername!: boolean;

  @Field(() => GraphQLUUID, { nullable: true, description: "Who says who its customers are; null for Recoup." })
  realmIdentityProviderId!: string | null;

  @Field(() => String, { description: "The realm in which its customers sign in; may be empty." })
  realmName!: string;

  @Field(() => String, { description: "What makes its notices of failed checks; may be empty." })
  checkFailBuilder!: string;
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
