import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { Region } from "../customers/region.type.ts";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { recordNumberOf } from "../graphql/record-ids.ts";
import { NodeResolver } from "../graphql/node.ts";
import { findByEitherId } from "../graphql/find-by-either-id.ts";
import { LineScalar } from "../graphql/scalars.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import { describeRegion } from "../kernel/regions.ts";
import { Product, ProductConnection, ProductFilterInput, ProductSortInput } from "./product.type.ts";

@Resolver(() => Product)
export class ProductResolver extends NodeResolver(() => Product, "Product") {
  @Query(() => Product, {
    nullable: true,
    description: "Returns one product by its id or its code. Null if the vendor has no such product.",
  })
  product(
    @Ctx() { read, loaders, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the product." }) id?: string,
    @Arg("code", () => LineScalar, { nullable: true, description: "Code of the product." }) code?: string,
  ) {
    return findByEitherId("Product", id, code, "code", {
      byId: (number) => loaders.findProjected(read.products.list, number, recordSelectionOf(info)),
      byPartnerId: (text) => read.products.byCode(vendor.id, text, recordSelectionOf(info)),
    });
  }

  @Query(() => ProductConnection, { description: "Returns the vendor's products. Defaults to the newest first." })
  products(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => ProductFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: ProductFilterInput,
    @Arg("orderBy", () => ProductSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: ProductSortInput,
  ) {
    const categoryId = filter?.categoryId == null ? undefined : recordNumberOf(filter.categoryId, "filter.categoryId");
    const { list } = context.read.products;
    return toConnection(context, list, args, { ...filter, categoryId }, orderBy ?? NEWEST_FIRST, nodeSelectionOf(info));
  }

  @FieldResolver(() => [Region])
  availableRegions(@Root() { availableRegionCodes }: { availableRegionCodes: RegionCode[] }) {
    return availableRegionCodes.map(describeRegion);
  }
}
