import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  InterfaceType,
  Query,
  Resolver,
  Root,
  type ClassType,
} from "type-graphql";
import { invalidField } from "../kernel/refusals.ts";
import type { GatewayContext } from "./context.ts";
import { globalId, readGlobalId, type NodeType } from "./record-ids.ts";
import { GraphQLBigInt } from "./scalars.ts";
import { selected } from "./selection.ts";

/** No request fetches more nodes than this at once. */
const MOST_NODES = 100;

export const GLOBAL_ID = "Global id: opaque, the same for ever, unique among all types.";
const DATABASE_ID = "The number of the record, unique among its type: the id that REST uses.";

@InterfaceType("Node", {
  description: "A record that can be fetched again by its global id.",
  resolveType: (value: { __typename: string }) => value.__typename,
})
export abstract class Node {
  @Field(() => ID, { description: GLOBAL_ID })
  id!: string;

  @Field(() => GraphQLBigInt, { description: DATABASE_ID })
  databaseId!: number;
}

/** Resolves the two ids of a type whose records are rows with a numeric `id`. */
export function NodeResolver<T extends object>(type: () => ClassType<T>, name: string) {
  @Resolver(type)
  abstract class IdsResolver {
    @FieldResolver(() => ID, { description: GLOBAL_ID })
    id(@Root() { id }: { id: number }): string {
      return globalId(name, id);
    }

    @FieldResolver(() => GraphQLBigInt, { description: DATABASE_ID })
    databaseId(@Root() { id }: { id: number }): number {
      return id;
    }
  }
  return IdsResolver;
}

type Finder = (context: GatewayContext, id: number, info: GraphQLResolveInfo) => Promise<object | null> | object | null;

/** How the record of each type is found. */
const finders: Record<NodeType, Finder> = {
  Product: ({ loaders, read }, id, info) => loaders.shaped(read.products.list, id, selected(info)),
  PricePlan: ({ loaders, read }, id, info) => loaders.shaped(read.pricePlans.list, id, selected(info)),
  Subscription: ({ loaders, read }, id, info) => loaders.shaped(read.subscriptions.list, id, selected(info)),
  Order: ({ loaders, read }, id, info) => loaders.shaped(read.orders.list, id, selected(info)),
  OrderItem: ({ loaders, read }, id, info) => loaders.shaped(read.orders.items, id, selected(info)),
  Invoice: ({ loaders, read }, id, info) => loaders.shaped(read.invoices.list, id, selected(info)),
  Payment: ({ loaders, read }, id, info) => loaders.shaped(read.payments.list, id, selected(info)),
  Customer: ({ loaders, read }, id, info) => loaders.shaped(read.customers.list, id, selected(info)),
  Vendor: ({ vendor, read }, id, info) => (vendor.id === id ? read.vendors.seenBy(vendor, selected(info)) : null),
  CoverCustomer: ({ loaders }, id) => loaders.find("coverCustomers", id),
  CoverProduct: ({ loaders }, id) => loaders.find("coverProducts", id),
  CoverPrice: ({ loaders }, id) => loaders.find("coverPrices", id),
  CoverOrder: ({ loaders }, id) => loaders.find("coverOrders", id),
  CoverSubscription: ({ loaders }, id) => loaders.find("coverSubscriptions", id),
  Cover: ({ loaders }, id) => loaders.find("covers", id),
  RetryDecision: async ({ read, vendor }, id) => (await read.covers.decisionsByIds(vendor.id, [id]))[0] ?? null,
  RecoveryPolicy: ({ loaders }, id) => loaders.find("recoveryPolicies", id),
};

@Resolver()
export class NodesResolver {
  @Query(() => Node, {
    nullable: true,
    description: "The record with this global id, or null where the vendor has none.",
  })
  node(
    @Arg("id", () => ID, { description: "A global id." }) id: string,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<object | null> {
    return find(context, id, info);
  }

  @Query(() => [Node], {
    nullable: "items",
    description:
      "The records with these global ids, in their order, null where the vendor has none. At most 100 at once.",
  })
  nodes(
    @Arg("ids", () => [ID], { description: "Global ids." }) ids: string[],
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<object | null>[] {
    if (ids.length > MOST_NODES) throw invalidField("ids", `must have at most ${MOST_NODES} entries.`);
    return ids.map((id) => find(context, id, info));
  }
}

async function find(context: GatewayContext, globalIdText: string, info: GraphQLResolveInfo): Promise<object | null> {
  const known = readGlobalId(globalIdText);
  if (!known || !Object.hasOwn(finders, known.type)) return null;
  const found = await finders[known.type as NodeType](context, known.id, info);
  return found && { ...found, __typename: known.type };
}
