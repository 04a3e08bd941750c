import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { Projected } from "../../graphql/execution/projected-fields.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { GraphQLBigInt, LineScalar } from "../../graphql/scalars.ts";
import { recordSelectionOf } from "../../graphql/execution/text-plans.ts";
import { BundlePrice } from "./bundle-price.type.ts";
import { PriceRange, PriceVolume } from "./price-parts.type.ts";
import { PricePlan, PricePlanConnection, PricePlanFilterInput, PricePlanSortInput } from "./price-plan.type.ts";
import { Product } from "../product.type.ts";

@Resolver(() => PricePlan)
export class PricePlanResolver extends NodeResolver(() => PricePlan, "PricePlan") {
  @Query(() => PricePlan, {
    nullable: true,
    description: "Returns one price plan by its id or its code. Null if the vendor has no such plan.",
  })
  pricePlan(
    @Ctx() { read, loaders, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number of the price plan." }) id?: string,
    @Arg("code", () => LineScalar, { nullable: true, description: "Code of the plan." }) code?: string,
    @Arg("productId", () => ID, {
      nullable: true,
      description: "Global id or number of the product that the plan must belong to. Defaults to any product.",
    })
    productId?: string,
  ) {
    const product = optionalDatabaseIdOf("Product", productId, "productId");
    return findByEitherId("PricePlan", id, code, "code", {
      byId: (number) =>
        product === undefined
          ? loaders.findProjected(read.pricePlans.list, number, recordSelectionOf(info))
          : read.pricePlans.ofProduct(vendor.id, product, number, recordSelectionOf(info)),
      byPartnerId: (text) => read.pricePlans.byCode(vendor.id, text, product, recordSelectionOf(info)),
    });
  }

  @Query(() => PricePlanConnection, { description: "Returns the vendor's price plans. Defaults to the newest first." })
  pricePlans(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => PricePlanFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: PricePlanFilterInput,
    @Arg("orderBy", () => PricePlanSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: PricePlanSortInput,
  ) {
    const productId = optionalDatabaseIdOf("Product", filter?.productId, "filter.productId");
    const { list } = context.read.pricePlans;
    return toConnection(context, list, args, { ...filter, productId }, orderBy ?? NEWEST_FIRST, nodeSelectionOf(info));
  }

  @Projected()
  @FieldResolver(() => Product, { description: "Product that the plan belongs to." })
  product(@Root() { product }: { product: object }) {
    return product;
  }

  @Projected()
  @FieldResolver(() => [BundlePrice], {
    description: "Plans of a bundle's members, in order. Empty for other plans.",
  })
  bundlePrices(@Root() { bundlePrices }: { bundlePrices: object[] }) {
    return bundlePrices;
  }
}

/** The numbers of ranges, which are stored with their plan. */
@Resolver(() => PriceVolume)
export class PriceVolumeResolver {
  @FieldResolver(() => GraphQLBigInt, { description: "Number of the range." })
  databaseId(@Root() { id }: PriceVolume) {
    return id;
  }
}

@Resolver(() => PriceRange)
export class PriceRangeResolver {
  @FieldResolver(() => GraphQLBigInt, { description: "Number of the range." })
  databaseId(@Root() { id }: PriceRange) {
    return id;
  }
}
