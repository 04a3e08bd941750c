import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { toConnection, NEWEST_FIRST, nodeSelectionOf, SliceArgs } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { databaseIdOf } from "../graphql/record-ids.ts";
import { recordOf } from "../graphql/execution/record-payload.ts";
import { NodeResolver } from "../graphql/node.ts";
import { PageArgs, toNumberedPage } from "../graphql/numbered-page.ts";
import { DecimalScalar, GraphQLJSONObject } from "../graphql/scalars.ts";
import { recordSelectionOf } from "../graphql/execution/text-plans.ts";
import { toAmount, toPlainString, roundAmount } from "../kernel/amounts.ts";
import { minorUnits } from "../kernel/currencies.ts";
import { Projected } from "../graphql/execution/projected-fields.ts";
import { describeRegion } from "../kernel/regions.ts";
import {
  CreateCustomerInput,
  CreateCustomerPayload,
  Customer,
  CustomerConnection,
  CustomerFilterInput,
  CustomerPage,
  CustomerSortInput,
  UpdateCustomerInput,
  UpdateCustomerPayload,
} from "./customer.type.ts";
import { Region } from "./region.type.ts";

@Resolver(() => Customer)
export class CustomerResolver extends NodeResolver(() => Customer, "Customer") {
  @Query(() => Customer, {
    nullable: true,
    description: "Returns one customer. Null if the vendor has no such customer.",
  })
  customer(
    @Arg("id", () => ID, { description: "Global id or number of the customer." }) id: string,
    @Ctx() { read, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return loaders.findProjected(read.customers.list, databaseIdOf("Customer", id, "id"), recordSelectionOf(info));
  }

  @Query(() => CustomerConnection, { description: "Returns the vendor's customers. Defaults to the newest first." })
  customers(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => SliceArgs) args: SliceArgs,
    @Arg("filter", () => CustomerFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CustomerFilterInput,
    @Arg("orderBy", () => CustomerSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CustomerSortInput,
  ) {
    return toConnection(
      context,
      context.read.customers.list,
      args,
      filter ?? {},
      orderBy ?? NEWEST_FIRST,
      nodeSelectionOf(info),
    );
  }

  @Query(() => CustomerPage, {
    description: "Returns a numbered page of the vendor's customers. Defaults to the newest first.",
  })
  customerPage(
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) page: PageArgs,
    @Arg("filter", () => CustomerFilterInput, {
      nullable: true,
      description: "Filter of the list. Defaults to all rows.",
    })
    filter?: CustomerFilterInput,
    @Arg("orderBy", () => CustomerSortInput, { nullable: true, description: "Sort order of the list." })
    orderBy?: CustomerSortInput,
  ) {
    return toNumberedPage(context, context.read.customers.list, page, filter ?? {}, orderBy ?? NEWEST_FIRST, info);
  }

  @Mutation(() => CreateCustomerPayload, { description: "Creates a customer." })
  async createCustomer(
    @Arg("input", () => CreateCustomerInput, { description: "The customer." }) input: CreateCustomerInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const { id } = await write(({ customers }) => customers.create(vendor.id, input));
    return { customer: recordOf(read.customers.list, id) };
  }

  @Mutation(() => UpdateCustomerPayload, {
    description:
      "Changes a customer. Sent fields are set, absent fields keep their values. Refused with CUSTOMER_NOT_FOUND.",
  })
  async updateCustomer(
    @Arg("input", () => UpdateCustomerInput, { description: "The changes." }) input: UpdateCustomerInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    const { id: given, ...fields } = input;
    const id = databaseIdOf("Customer", given, "id");
    await write(({ customers }) => customers.update(vendor.id, id, fields));
    return { customer: recordOf(read.customers.list, id) };
  }

  @FieldResolver(() => String)
  countryCode(@Root() { region }: { region: RegionCode | null }): string {
    return region ? describeRegion(region).countryCode : "UNKNOWN";
  }

  @FieldResolver(() => Region, { nullable: true })
  @Projected("MADE_OF_VALUE")
  region(@Root() { region }: { region: RegionCode | null }) {
    return region && describeRegion(region);
  }

  /** Sums of several currencies have decimals that the vendor's may not have. */
  @FieldResolver(() => DecimalScalar)
  totalPurchasedPrice(@Root() customer: Customer, @Ctx() { vendor }: GatewayContext): string {
    return toPlainString(roundAmount(toAmount(customer.totalPurchasedPrice), minorUnits(vendor.currency)));
  }

  @FieldResolver(() => GraphQLJSONObject)
  customFields(@Root() { attributes }: { attributes: Record<string, string> }): Record<string, unknown> {
    return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, JSON.parse(value) as unknown]));
  }

  @FieldResolver(() => GraphQLJSONObject)
  customFieldTexts(@Root() { attributes }: { attributes: Record<string, string> }): Record<string, string> {
    const textOf = (encoded: string) => {
      const value = JSON.parse(encoded) as unknown;
      return typeof value === "string" ? value : encoded;
    };
    return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, textOf(value)]));
  }
}
