import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { toConnection, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { PartnerIdScalar } from "../../graphql/scalars.ts";
import type { CoverPriceRecord } from "./cover-price.repository.ts";
import {
  CoverPrice,
  CoverPriceConnection,
  CoverPriceFilterInput,
  CoverPriceSortInput,
  RegisterCoverPriceInput,
  RegisterCoverPricePayload,
} from "./cover-price.type.ts";
import { CoverProduct } from "./cover-product.type.ts";
import { newestFirst } from "./default-sorting.ts";

@Resolver(() => CoverPrice)
export class CoverPriceResolver extends NodeResolver(() => CoverPrice, "CoverPrice") {
  @Query(() => CoverPrice, {
    nullable: true,
    description: "Returns one registered price plan by either id. Null if the vendor has no such plan.",
  })
  coverPrice(
    @Ctx() { loaders, read, vendor }: GatewayContext,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the price plan." }) id?: string,
    @Arg("partnerPriceId", () => PartnerIdScalar, { nullable: true, description: "The merchant's own id." })
    partnerId?: string,
  ) {
    return findByEitherId("CoverPrice", id, partnerId, "partnerPriceId", {
      byId: (number) => loaders.findById("coverPrices", number),
      byPartnerId: (own) => read.coverPrices.byPartnerId(vendor.id, own),
    });
  }

  @Query(() => CoverPriceConnection, {
    description: "Returns the vendor's registered price plans. Defaults to the newest first.",
  })
  coverPrices(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverPriceFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CoverPriceFilterInput,
    @Arg("orderBy", () => CoverPriceSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CoverPriceSortInput,
  ) {
    const productId = optionalDatabaseIdOf("CoverProduct", filter?.productId, "filter.productId");
    return toConnection(context, context.read.coverPrices.list, args, { ...filter, productId }, orderBy ?? newestFirst);
  }

  @Mutation(() => RegisterCoverPricePayload, {
    description: "Registers a price plan under the merchant's own id, or updates the plan with that id.",
  })
  async registerCoverPrice(
    @Arg("input", () => RegisterCoverPriceInput, { description: "The price plan." }) input: RegisterCoverPriceInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const productId = databaseIdOf("CoverProduct", input.productId, "productId");
    return { price: await write(({ coverPrices }) => coverPrices.register(vendor.id, { ...input, productId })) };
  }

  @FieldResolver(() => CoverProduct)
  product(@Root() { productId }: CoverPriceRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.requireById("coverProducts", productId);
  }
}
