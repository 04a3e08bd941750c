import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf, recordNumberOf, optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { recordOf } from "../../graphql/execution/record-payload.ts";
import {
  CreatePricePlanInput,
  CreatePricePlanPayload,
  UpdatePricePlanInput,
  UpdatePricePlanPayload,
} from "./price-plan-input.type.ts";

/** Creates and changes price plans. */
@Resolver()
export class PricePlanWriteResolver {
  @Mutation(() => CreatePricePlanPayload, {
    description:
      "Creates a price plan of a product. Refused with PRODUCT_NOT_FOUND, with PRICE_NOT_FOUND for an unknown plan of an option, and with WAITING_APPROVAL while the parent vendor decides about the product. INVALID_ARGUMENT lists the fields that the plan's type does not allow.",
  })
  async createPricePlan(
    @Arg("input", () => CreatePricePlanInput, { description: "The plan." }) input: CreatePricePlanInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const { productId: given, ...rest } = input;
    const productId = databaseIdOf("Product", given, "productId");
    const fields = { ...rest, ...toDatabaseIds(rest) };
    const { id } = await write(({ pricePlans }) => pricePlans.create(vendor, productId, fields));
    return { pricePlan: recordOf(read.pricePlans.list, id) };
  }

  @Mutation(() => UpdatePricePlanPayload, {
    description:
      "Changes a price plan. Sent fields are set, absent fields keep their values. Existing orders keep their prices. Refused with PRICE_NOT_FOUND, and with the codes of createPricePlan.",
  })
  async updatePricePlan(
    @Arg("input", () => UpdatePricePlanInput, { description: "The changes." }) input: UpdatePricePlanInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const { id: given, price, ...rest } = input;
    const id = databaseIdOf("PricePlan", given, "id");
    const fields = { ...rest, ...(price && { price }), ...toDatabaseIds(rest) };
    await write(({ pricePlans }) => pricePlans.update(vendor, id, fields));
    return { pricePlan: recordOf(read.pricePlans.list, id) };
  }
}

/** Converts the global ids in the lists of an input to database numbers. */
function toDatabaseIds({ options, bundlePrices }: Pick<UpdatePricePlanInput, "options" | "bundlePrices">) {
  return {
    options: options?.map(({ id, optionPriceId, ...option }, index) => ({
      ...option,
      id: id == null ? null : recordNumberOf(id, `options[${index}].id`),
      optionPriceId: optionalDatabaseIdOf("PricePlan", optionPriceId, `options[${index}].optionPriceId`),
    })),
    bundlePrices: bundlePrices?.map(({ productId, priceId }, index) => ({
      productId: databaseIdOf("Product", productId, `bundlePrices[${index}].productId`),
      priceId: databaseIdOf("PricePlan", priceId, `bundlePrices[${index}].priceId`),
    })),
  };
}
