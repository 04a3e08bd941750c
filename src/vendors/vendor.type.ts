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

@ObjectType("Vendor", {
  description: "A vendor: a merchant, or a child of one.",
  implements: Node,
  simpleResolvers: true,
})
export class Vendor extends Node {
  @Field(() => GraphQLUUID, { description: "Unique id of the vendor. Paths of REST use it." })
  uuid!: string;

  @Field(() => String, { description: "Name of the merchant." })
  name!: string;

  @Field(() => String, { description: "IANA time zone in which the merchant's days begin." })
  zoneId!: string;

  @Field(() => String, { description: "ISO 4217 code of the base currency. Amounts without a currency are in it." })
  currency!: string;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 country code." })
  country!: string;

  @Field(() => Boolean, { description: "True for a sandbox: no real money is charged, and its clock can be advanced." })
  sandbox!: boolean;

  @Field(() => Boolean, { description: "True if the vendor's tokens are accepted." })
  enabled!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => GraphQLUUID, { nullable: true, description: "Parent vendor. Null if it has no parent." })
  parentUuid!: string | null;

  @Field(() => GraphQLUUID, {
    nullable: true,
    description: "Unique id of the vendor's first manager. Null if there is none.",
  })
  firstManagerUuid!: string | null;

  @Field(() => VendorManager, { nullable: true, description: "First manager of the vendor. Null if there is none." })
  manager!: VendorManager | null;

  @Field(() => String, { description: "Description of the merchant. May be an empty string." })
  description!: string;

  @Field(() => String, { description: "E-mail address. May be an empty string." })
  email!: string;

  @Field(() => String, { description: "Contact address for customers. May be an empty string." })
  contactUrl!: string;

  @Field(() => String, { description: "Address of the merchant's picture. May be an empty string." })
  featuredImageUrl!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "The first Secret-Token. It is returned only by the mutation that creates the vendor, and null afterwards.",
  })
  secretKey!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The payment key, which is not a Secret-Token. It is returned only by the mutation that creates the vendor, and null afterwards.",
  })
  paymentKey!: string | null;

  @Field(() => DeliveryCharge, { description: "Delivery fees of the vendor." })
  deliveryCharge!: DeliveryCharge;

  @Field(() => VendorSettings, { description: "Billing settings of the vendor." })
  vendorSettings!: VendorSettings;

  @Field(() => VendorTerms, { description: "Terms that buyers accept." })
  vendorTerms!: VendorTerms;

  @Field(() => CmsIntegration, { description: "Shop system that the vendor's products come from." })
  cmsIntegration!: CmsIntegration;

  @Field(() => [VendorApp], { description: "Apps of the vendor." })
  apps!: VendorApp[];

  @Field(() => Boolean, { description: "True if the first activation was checked." })
  checkFirstActivation!: boolean;

  @Field(() => Boolean, { description: "True if the vendor answered the initial survey." })
  surveyed!: boolean;

  @Field(() => Boolean, { description: "True if customers become dormant after one year." })
  useDormantCustomer!: boolean;

  @Field(() => Boolean, {
    description:
      "True if customers are warned by e-mail a month before they become dormant. Without effect where `useDormantCustomer` is false.",
  })
  useDormantNotification!: boolean;

  @Field(() => Boolean, { description: "True if customers sign in." })
  useAuth!: boolean;

  @Field(() => Boolean, { description: "True if the vendor has a shop page." })
  useStore!: boolean;

  @Field(() => Boolean, { description: "True if Recoup pays the vendor out." })
  usePayout!: boolean;

  @Field(() => Boolean, { description: "True if the base currency is locked." })
  currencyLock!: boolean;

  @Field(() => Boolean, { description: "True if customers sign in with their e-mail address." })
  realmEmailAsUsername!: boolean;

  @Field(() => GraphQLUUID, {
    nullable: true,
    description: "Identity provider of the vendor's customers. Null if Recoup is the identity provider.",
  })
  realmIdentityProviderId!: string | null;

  @Field(() => String, {
    description: "Realm in which the vendor's customers sign in. An empty string if there is none.",
  })
  realmName!: string;

  @Field(() => String, { description: "Source of the notices about failed checks. May be an empty string." })
  checkFailBuilder!: string;
}

@InputType({ description: "An advance of the test clock." })
export class AdvanceTestClockInput {
  @Field(() => DurationScalar, {
    description: 'An ISO 8601 duration, such as "P1D" or "PT5M". It must not be negative.',
  })
  by!: string;
}

@ObjectType({ description: "The test clock after the advance.", simpleResolvers: true })
export class AdvanceTestClockPayload {
  @Field(() => DateTimeScalar, { description: "Current time of the vendor's clock." })
  now!: Date;
}
