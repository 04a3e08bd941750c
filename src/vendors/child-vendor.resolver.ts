import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver } from "type-graphql";
import { connectShaped, newestFirst, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { PageArgs, paginate } from "../graphql/numbered-page.ts";
import { GraphQLUUID } from "../graphql/scalars.ts";
import { selected } from "../graphql/selection.ts";
import {
  ChildVendor,
  ChildVendorConnection,
  ChildVendorFilterInput,
  ChildVendorPage,
  ChildVendorSortInput,
  CreateChildVendorInput,
  CreateChildVendorPayload,
  SetChildVendorEnabledInput,
  SetChildVendorEnabledPayload,
} from "./child-vendor.type.ts";

@Resolver(() => ChildVendor)
export class ChildVendorResolver extends NodeResolver(() => ChildVendor, "ChildVendor") {
  @Query(() => ChildVendorConnection, { description: "The vendor's children, newest first unless told otherwise." })
  childVendors(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => ChildVendorFilterInput, {
      nullable: true,
      description: "Which are asked for; all unless told.",
    })
    filter?: ChildVendorFilterInput,
    @Arg("orderBy", () => ChildVendorSortInput, { nullable: true, description: "How they are sorted." })
    orderBy?: ChildVendorSortInput,
  ) {
    return connectShaped(context, context.read.childVendors.list, args, filter ?? {}, orderBy ?? newestFirst, info);
  }

  @Query(() => ChildVendorPage, {
    nullable: true,
    description:
      "A numbered page of a vendor's children, newest first; null for a uuid that is neither the vendor's nor a child's. A child has none.",
  })
  async childVendorPage(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("vendorUuid", () => GraphQLUUID, { description: "Uuid of the vendor, or of a child." }) vendorUuid: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    const vendor = await context.read.vendors.inFamily(context.vendor.id, vendorUuid);
    return vendor && paginate({ ...context, vendor }, context.read.childVendors.list, args, {}, newestFirst, info);
  }

  @Mutation(() => CreateChildVendorPayload, {
    description: "Creates a child of the vendor, with its first manager and its first Secret-Token.",
  })
  async createChildVendor(
    @Arg("input", () => CreateChildVendorInput, { description: "The child." }) input: CreateChildVendorInput,
    @Ctx() { vendor, read, write, confide }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    confide();
    const { vendorUuid, ...fields } = input;
    const { id, ...keys } = await write(({ childVendors }) => childVendors.create(vendor, vendorUuid, fields));
    return { child: { ...(await read.vendors.shown(id, selected(info, ["child"]))), ...keys } };
  }

  @Mutation(() => SetChildVendorEnabledPayload, {
    description: "Lets a child in, or keeps it out. Refused with VENDOR_NOT_FOUND for any vendor that is no child.",
  })
  async setChildVendorEnabled(
    @Arg("input", () => SetChildVendorEnabledInput, { description: "Which, and whether." })
    { vendorUuid, enabled }: SetChildVendorEnabledInput,
    @Ctx() { vendor, read, write, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = await write(({ childVendors }) => childVendors.setEnabled(vendor.id, vendorUuid, enabled));
    return { child: await loaders.shaped(read.childVendors.list, id, selected(info, ["child"])) };
  }
}
