import {
  GraphQLInputObjectType,
  GraphQLNonNull,
  isInputObjectType,
  type GraphQLInputFieldConfigMap,
  type GraphQLSchema,
} from "graphql";
import type { ImportKind } from "../../schema/vocabulary.ts";
import { CurrencyScalar, PartnerIdScalar } from "../graphql/scalars.ts";
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
  };
}
