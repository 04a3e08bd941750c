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
import { Projected } from "./execution/projected-fields.ts";
import { toGlobalId, parseGlobalId, type NodeType } from "./record-ids.ts";
import { GraphQLBigInt } from "./scalars.ts";
import { selectionOf } from "./selection.ts";

/** Maximum number of nodes that one request fetches. */
const MAX_NODES = 100;

export const GLOBAL_ID = "Global id. It is opaque, never changes and is unique among all types.";
const DATABASE_ID = "Number of the record, unique within its type. REST uses it as the id.";

@InterfaceType("Node", {
  description: "A record that can be fetched by its global id.",
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
    @Projected({ globalIdOf: name })
    @FieldResolver(() => ID, { description: GLOBAL_ID })
    id(@Root() { id }: { id: number }): string {
      return toGlobalId(name, id);
    }

    @Projected("RECORD_NUMBER")
    @FieldResolver(() => GraphQLBigInt, { description: DATABASE_ID })
    databaseId(@Root() { id }: { id: number }): number {
      return id;
    }
  }
  return IdsResolver;
}

type FindNode = (
  context: GatewayContext,
  id: number,
  info: GraphQLResolveInfo,
) => Promise<object | null> | object | null;

/** The finder of each type's records. */
const finders: Record<NodeType, FindNode> = {
  Product: ({ loaders, read }, id, info) => loaders.findProjected(read.products.list, id, selectionOf(info)),
  PricePlan: ({ loaders, read }, id, info) => loaders.findProjected(read.pricePlans.list, id, selectionOf(info)),
  Subscription: ({ loaders, read }, id, info) => loaders.findProjected(read.subscriptions.list, id, selectionOf(info)),
  Order: ({ loaders, read }, id, info) => loaders.findProjected(read.orders.list, id, selectionOf(info)),
  OrderItem: ({ loaders, read }, id, info) => loaders.findProjected(read.orders.items, id, selectionOf(info)),
  Invoice: ({ loaders, read }, id, info) => loaders.findProjected(read.invoices.list, id, selectionOf(info)),
  Payment: ({ loaders, read }, id, info) => loaders.findProjected(read.payments.list, id, selectionOf(info)),
  Customer: ({ loaders, read }, id, info) => loaders.findProjected(read.customers.list, id, selectionOf(info)),
  Vendor: ({ vendor, read }, id, info) =>
    vendor.id === id ? read.vendors.projectOwn(vendor, selectionOf(info)) : null,
  CoverCustomer: ({ loaders }, id) => loaders.findById("coverCustomers", id),
  CoverProduct: ({ loaders }, id) => loaders.findById("coverProducts", id),
  CoverPrice: ({ loaders }, id) => loaders.findById("coverPrices", id),
  CoverOrder: ({ loaders }, id) => loaders.findById("coverOrders", id),
  CoverSubscription: ({ loaders }, id) => loaders.findById("coverSubscriptions", id),
  Cover: ({ loaders }, id) => loaders.findById("covers", id),
  RetryDecision: async ({ read, vendor }, id) => (await read.covers.decisionsByIds(vendor.id, [id]))[0] ?? null,
  RecoveryPolicy: ({ loaders }, id) => loaders.findById("recoveryPolicies", id),
  RecoveryExperiment: ({ loaders }, id) => loaders.findById("recoveryExperiments", id),
  RecoveryModel: ({ loaders }, id) => loaders.findById("recoveryModels", id),
  RecoveryTraining: ({ loaders }, id) => loaders.findById("recoveryTrainings", id),
  WebhookEndpoint: ({ loaders }, id) => loaders.findById("webhookEndpoints", id),
  WebhookDelivery: ({ loaders }, id) => loaders.findById("webhookDeliveries", id),
  Message: ({ loaders }, id) => loaders.findById("messages", id),
  Person: ({ loaders }, id) => loaders.findById("people", id),
  ApiKey: ({ loaders }, id) => loaders.findById("apiKeys", id),
};

@Resolver()
export class NodesResolver {
  @Query(() => Node, {
    nullable: true,
    description: "Returns the record with this global id. Null if the vendor has no such record.",
  })
  node(
    @Arg("id", () => ID, { description: "Global id of the record." }) id: string,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<object | null> {
    return findNode(context, id, info);
  }

  @Query(() => [Node], {
    nullable: "items",
    description:
      "Returns the records with these global ids, in the same order. An entry is null if the vendor has no such record. At most 100 ids.",
  })
  nodes(
    @Arg("ids", () => [ID], { description: "Global ids of the records. At most 100." }) ids: string[],
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<object | null>[] {
    if (ids.length > MAX_NODES) throw invalidField("ids", `must have at most ${MAX_NODES} entries.`);
    return ids.map((id) => findNode(context, id, info));
  }
}

async function findNode(
  context: GatewayContext,
  globalIdText: string,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const parsed = parseGlobalId(globalIdText);
  if (!parsed || !Object.hasOwn(finders, parsed.type)) return null;
  const found = await finders[parsed.type as NodeType](context, parsed.id, info);
  return found && { ...found, __typename: parsed.type };
}
