import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from "type-graphql";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { optionalDatabaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { findByEitherId } from "../../graphql/find-by-either-id.ts";
import { GraphQLBigInt, LineScalar } from "../../graphql/scalars.ts";
import { selectionOf } from "../../graphql/selection.ts";
import { BundlePrice } from "./bundle-price.type.ts";
import { PriceRange, PriceVolume } from "./price-parts.type.ts";
import { PricePlan, PricePlanConnection, PricePlanFilterInput, PricePlanSortInput } from "./price-plan.type.ts";
import { Product } from "../product.type.ts";

@Resolver(() => PricePlan)
export class PricePlanResolver extends NodeResolver(() => PricePlan, "PricePlan") {
  @Query(() => PricePlan, {
    nullable: true,
    description: "One price plan, by its id or its code; null where the vendor has none.",
  })
  pricePlan(
    @Ctx() { read, loaders, vendor }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { nullable: true, description: "Global id or number." }) id?: string,
    @Arg("code", () => LineScalar, { nullable: true, description: "Code of the plan." }) code?: string,
    @Arg("productId", () => ID, {
      nullable: true,
      description: "Global id or number of the product that it has to be a plan of; any unless told.",
    })
    productId?: string,
  ) {
    const product = optionalDatabaseIdOf("Product", productId, "productId");
    return findByEitherId("PricePlan", id, code, "code", {
      byId: (number) =>
        product === undefined
          ? loaders.findProjected(read.pricePlans.list, number, selectionOf(info))
          : read.pricePlans.ofProduct(vendor.id, product, number, selectionOf(info)),
      byPartnerId: (text) => read.pricePlans.byCode(vendor.id, text, product, selectionOf(info)),
    });
  }

  @Query(() => PricePlanConnection, { description: "The vendor's price plans, newest first unless told otherwise." })
  pricePlans(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => PricePlanFilterInput, { nullable: true, description: "Which are asked for; all unless told." })
    filter?: PricePlanFilterInput,
    @Arg("orderBy", () => PricePlanSortInput, { nullable: true, description: "How they are sorted." })
    orderBy?: PricePlanSortInput,
  ) {
    const productId = optionalDatabaseIdOf("Product", filter?.productId, "filter.productId");
    const { list } = context.read.pricePlans;
    return toConnection(context, list, args, { ...filter, productId }, orderBy ?? NEWEST_FIRST, nodeSelectionOf(info));
  }

  @FieldResolver(() => Product, { description: "The product that it is a plan of." })
  product(@Root() { product }: { product: object }) {
    return product;
  }

  @FieldResolver(() => [BundlePrice], {
    description: "The plans of a bundle's members, in order; none for other plans.",
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
