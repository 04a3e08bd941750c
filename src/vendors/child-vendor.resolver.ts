import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver } from "type-graphql";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { PageArgs, toNumberedPage } from "../graphql/numbered-page.ts";
import { GraphQLUUID } from "../graphql/scalars.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import { selectionOf } from "../graphql/selection.ts";
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
  @Query(() => ChildVendorConnection, {
    description: "Returns the vendor's child vendors. Defaults to the newest first.",
  })
  childVendors(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => ChildVendorFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: ChildVendorFilterInput,
    @Arg("orderBy", () => ChildVendorSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: ChildVendorSortInput,
  ) {
    return toConnection(
      context,
      context.read.childVendors.children,
      args,
      filter ?? {},
      orderBy ?? NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }

  @Query(() => ChildVendorPage, {
    nullable: true,
    description:
      "Returns a numbered page of a vendor's child vendors, the newest first. Null if the uuid belongs neither to the vendor nor to one of its children. A child has no children.",
  })
  async childVendorPage(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("vendorUuid", () => GraphQLUUID, { description: "Uuid of the vendor or of a child." }) vendorUuid: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    const vendor = await context.read.vendors.findSelfOrChild(context.vendor.id, vendorUuid);
    return (
      vendor && toNumberedPage({ ...context, vendor }, context.read.childVendors.children, args, {}, NEWEST_FIRST, info)
    );
  }

  @Mutation(() => CreateChildVendorPayload, {
    description: "Creates a child vendor with its first manager and its first Secret-Token.",
  })
  async createChildVendor(
    @Arg("input", () => CreateChildVendorInput, { description: "The child." }) input: CreateChildVendorInput,
    @Ctx() { vendor, read, write, markSensitive }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    markSensitive();
    const { vendorUuid, ...fields } = input;
    const { id, ...keys } = await write(({ childVendors }) => childVendors.create(vendor, vendorUuid, fields));
    return { child: { ...(await read.vendors.findProjected(id, selectionOf(info, ["child"]))), ...keys } };
  }

  @Mutation(() => SetChildVendorEnabledPayload, {
    description: "Enables or disables a child vendor. Refused with VENDOR_NOT_FOUND for a vendor that is not a child.",
  })
  async setChildVendorEnabled(
    @Arg("input", () => SetChildVendorEnabledInput, { description: "The child vendor, and whether it is enabled." })
    { vendorUuid, enabled }: SetChildVendorEnabledInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const id = await write(({ childVendors }) => childVendors.setEnabled(vendor.id, vendorUuid, enabled));
    return { child: recordOf(read.childVendors.children, id) };
  }
}
