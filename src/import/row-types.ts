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
import { createScalar } from "../graphql/scalars/create-scalar.ts";
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
import { UnsafeNumber } from "../kernel/json-reader.ts";
import { invariant } from "../kernel/refusals.ts";
import { optionalColumns, requiredColumns } from "../recovery/past-payments/failure-row.ts";
import type { FileKind } from "./import.rows.ts";

/** The type of a row of each kind of file. */
export type RowTypes = Record<FileKind, GraphQLInputObjectType>;

/** A cell of a try. In JSON lines an amount may be a number, and `approved` a boolean. */
const CellScalar = createScalar<string>("Cell", "A text, a number or a boolean, as its text.", (value) => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof UnsafeNumber) return value.text;
  if (typeof value !== "string") throw new RangeError("must be a text, a number or a boolean.");
  if (value.includes("\0") || !value.isWellFormed())
    throw new RangeError("must be well-formed text without NUL characters.");
  return value;
});
const idColumns: ReadonlySet<string> = new Set(["payment_id", "payer_id"]);

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
    PAST_TRY: new GraphQLInputObjectType({
      name: "PastTryRow",
      fields: Object.fromEntries([
        ...requiredColumns.map((column) => [column, required(idColumns.has(column) ? PartnerIdScalar : CellScalar)]),
        ...optionalColumns.map((column) => [column, { type: CellScalar }]),
      ]) as GraphQLInputFieldConfigMap,
    }),
  };
}
