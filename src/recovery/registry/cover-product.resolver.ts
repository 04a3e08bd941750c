import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { toConnection, toChildConnection, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { PartnerIdScalar } from "../../graphql/scalars.ts";
import { CoverPriceConnection } from "./cover-price.type.ts";
import type { CoverProductRecord } from "./cover-product.repository.ts";
import {
  CoverProduct,
  CoverProductConnection,
  CoverProductFilterInput,
  CoverProductSortInput,
  RegisterCoverProductInput,
  RegisterCoverProductPayload,
} from "./cover-product.type.ts";
import { newestFirst } from "./default-sorting.ts";

@Resolver(() => CoverProduct)
export class CoverProductResolver extends NodeResolver(() => CoverProduct, "CoverProduct") {
  @Query(() => CoverProduct, {
    nullable: true,
    description: "Returns one registered product by either id. Null if the vendor has no such product.",
  })
  coverProduct(
    @Ctx() { loaders, read, vendor }: GatewayContext,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the registered product." }) id?: string,
    @Arg("partnerProductId", () => PartnerIdScalar, { nullable: true, description: "The merchant's own id." })
    partnerId?: string,
  ) {
    return findByEitherId("CoverProduct", id, partnerId, "partnerProductId", {
      byId: (number) => loaders.findById("coverProducts", number),
      byPartnerId: (own) => read.coverProducts.byPartnerId(vendor.id, own),
    });
  }

  @Query(() => CoverProductConnection, {
    description: "Returns the vendor's registered products. Defaults to the newest first.",
  })
  coverProducts(
    @Ctx() context: GatewayContext,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CoverProductFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CoverProductFilterInput,
    @Arg("orderBy", () => CoverProductSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CoverProductSortInput,
  ) {
    return toConnection(context, context.read.coverProducts.list, args, filter ?? {}, orderBy ?? newestFirst);
  }

  @Mutation(() => RegisterCoverProductPayload, {
    description: "Registers a product under the merchant's own id, or updates the product with that id.",
  })
  async registerCoverProduct(
    @Arg("input", () => RegisterCoverProductInput, { description: "The product." }) input: RegisterCoverProductInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    return { product: await write(({ coverProducts }) => coverProducts.register(vendor.id, input)) };
  }

  @FieldResolver(() => CoverPriceConnection, { description: "Price plans of the product, the newest first." })
  prices(@Root() { id }: CoverProductRecord, @Args(() => SliceArgs) args: SliceArgs, @Ctx() context: GatewayContext) {
    const list = context.read.coverPrices.list;
    return toChildConnection(context, { list, parent: "productId", filter: {}, sorting: newestFirst }, args, id);
  }
}
