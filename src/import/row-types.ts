import {
  GraphQLInputObjectType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  type GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  type GraphQLInputType,
  type GraphQLNullableType,
  type GraphQLSchema,
} from "graphql";
import type { ImportKind } from "../../schema/vocabulary.ts";
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LineScalar,
  NonNegativeIntScalar,
  PartnerIdScalar,
  PositiveIntScalar,
} from "../graphql/scalars.ts";
import { invariant } from "../kernel/refusals.ts";

/** The type of a row of each kind of record. */
export type RowTypes = Record<ImportKind, GraphQLInputObjectType>;

const partnerId = {
  type: new GraphQLNonNull(PartnerIdScalar),
  description: "The merchant's own unique id of the record.",
};

/**
 * The types of rows: the input of the mutation that creates the record, with the merchant's own id. The same scalars
 * check the values.
 */
export function rowTypesOf(schema: GraphQLSchema): RowTypes {
  const fieldsOf = (name: string): GraphQLInputFieldConfigMap => {
    const type = schema.getType(name);
    invariant(isInputObjectType(type), `the schema has the input ${name}`);
    return type.toConfig().fields;
  };
  const rowType = (name: string, fields: GraphQLInputFieldConfigMap) =>
    new GraphQLInputObjectType({ name, fields: { partnerId, ...fields } });
  const enumType = (name: string): GraphQLEnumType => {
    const type = schema.getType(name);
    invariant(isEnumType(type), `the schema has the enum ${name}`);
    return type;
  };
  const required = (type: GraphQLNullableType & GraphQLInputType) => ({ type: new GraphQLNonNull(type) });
  return {
    CUSTOMER: rowType("CustomerRow", fieldsOf("CreateCustomerInput")),
    PRODUCT: rowType("ProductRow", fieldsOf("CreateProductInput")),
    PRICE_PLAN: rowType("PricePlanRow", {
      ...fieldsOf("CreatePricePlanInput"),
      currency: {
        type: CurrencyScalar,
        description: "The currency of the amounts, which must be the base currency of the vendor.",
      },
    }),
    PAYMENT_METHOD: rowType("PaymentMethodRow", {
      customerId: required(PartnerIdScalar),
      paymentGateway: required(enumType("PaymentGateway")),
      paymentMethod: required(enumType("PaymentMethod")),
      gatewayCustomerId: { type: LineScalar },
      gatewayMethodId: required(LineScalar),
      fingerprint: { type: LineScalar },
      network: { type: enumType("Network") },
      paymentInfo: { type: LabelScalar },
    }),
    SUBSCRIPTION: rowType("SubscriptionRow", {
      customerId: required(PartnerIdScalar),
      priceId: required(PartnerIdScalar),
      paymentMethodId: { type: PartnerIdScalar },
      quantity: { type: PositiveIntScalar },
      currency: { type: CurrencyScalar },
      price: { type: DecimalScalar },
      nextPaymentDate: required(DateTimeScalar),
      cycleAnchor: { type: DateTimeScalar },
      startDate: { type: DateTimeScalar },
      chargedCount: { type: NonNegativeIntScalar },
    }),
  };
}
