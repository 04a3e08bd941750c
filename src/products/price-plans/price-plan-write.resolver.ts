import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, Info, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { idOf, numberOf, optionalIdOf } from "../../graphql/record-ids.ts";
import { selected } from "../../graphql/selection.ts";
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
      "Creates a price plan of a product. Refused with PRODUCT_NOT_FOUND, with PRICE_NOT_FOUND for an unknown plan of an option, and with WAITING_APPROVAL while the parent vendor decides about the product; INVALID_ARGUMENT names whatever its type does not go with.",
  })
  async createPricePlan(
    @Arg("input", () => CreatePricePlanInput, { description: "The plan." }) input: CreatePricePlanInput,
    @Ctx() { vendor, read, write, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { productId: given, ...rest } = input;
    const productId = idOf("Product", given, "productId");
    const fields = { ...rest, ...numbersOf(rest) };
    const { id } = await write(({ pricePlans }) => pricePlans.create(vendor, productId, fields));
    return { pricePlan: await loaders.shaped(read.pricePlans.list, id, selected(info, ["pricePlan"])) };
  }

  @Mutation(() => UpdatePricePlanPayload, {
    description:
      "Changes a price plan: the fields sent are set, absent ones stay. Orders that were made keep what they cost. Refused with PRICE_NOT_FOUND, and as createPricePlan is.",
  })
  async updatePricePlan(
    @Arg("input", () => UpdatePricePlanInput, { description: "What changes." }) input: UpdatePricePlanInput,
    @Ctx() { vendor, read, write, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { id: given, price, ...rest } = input;
    const id = idOf("PricePlan", given, "id");
    const fields = { ...rest, ...(price && { price }), ...numbersOf(rest) };
    await write(({ pricePlans }) => pricePlans.update(vendor, id, fields));
    return { pricePlan: await loaders.shaped(read.pricePlans.list, id, selected(info, ["pricePlan"])) };
  }
}

/** The lists of an input that hold ids, with the numbers that these stand for. */
function numbersOf({ options, bundlePrices }: Pick<UpdatePricePlanInput, "options" | "bundlePrices">) {
  return {
    options: options?.map(({ id, optionPriceId, ...option }, index) => ({
      ...option,
      id: id == null ? null : numberOf(id, `options[${index}].id`),
      optionPriceId: optionalIdOf("PricePlan", optionPriceId, `options[${index}].optionPriceId`),
    })),
    bundlePrices: bundlePrices?.map(({ productId, priceId }, index) => ({
      productId: idOf("Product", productId, `bundlePrices[${index}].productId`),
      priceId: idOf("PricePlan", priceId, `bundlePrices[${index}].priceId`),
    })),
  };
}
