import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf, recordNumberOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import {
  CreateProductInput,
  CreateProductPayload,
  UpdateProductInput,
  UpdateProductPayload,
} from "./product-input.type.ts";

/** Creates and changes products. */
@Resolver()
export class ProductWriteResolver {
  @Mutation(() => CreateProductPayload, {
    description:
      "Creates a product. It is on SALE by default; a DRAFT is UNSOLD. Refused with PRODUCT_NOT_FOUND for an unknown member of a bundle.",
  })
  async createProduct(
    @Arg("input", () => CreateProductInput, { description: "The product." }) input: CreateProductInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const fields = { ...input, ...toDatabaseIds(input) };
    const { id } = await write(({ products }) => products.create(vendor, fields));
    return { product: recordOf(read.products.list, id) };
  }

  @Mutation(() => UpdateProductPayload, {
    description:
      "Changes a product. Sent fields are set, absent fields keep their values. Refused with PRODUCT_NOT_FOUND, with WAITING_APPROVAL while the parent vendor decides, and with ILLEGAL_TRANSITION for a status that cannot be reached.",
  })
  async updateProduct(
    @Arg("input", () => UpdateProductInput, { description: "The changes." }) input: UpdateProductInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const { id: given, ...rest } = input;
    const id = databaseIdOf("Product", given, "id");
    const fields = { ...rest, ...toDatabaseIds(rest) };
    await write(({ products }) => products.update(vendor, id, fields));
    return { product: recordOf(read.products.list, id) };
  }
}

/** Converts the global ids in the lists of an input to database numbers. */
function toDatabaseIds({
  combinedProductIds,
  optionGroups,
}: Pick<UpdateProductInput, "combinedProductIds" | "optionGroups">) {
  return {
    combinedProductIds: combinedProductIds?.map((id, index) =>
      databaseIdOf("Product", id, `combinedProductIds[${index}]`),
    ),
    optionGroups: optionGroups?.map(({ id, options, ...group }, depth) => ({
      ...group,
      id: id == null ? null : recordNumberOf(id, `optionGroups[${depth}].id`),
      options: options.map(({ id: optionId, ...option }, index) => ({
        ...option,
        id: optionId == null ? null : recordNumberOf(optionId, `optionGroups[${depth}].options[${index}].id`),
      })),
    })),
  };
}
