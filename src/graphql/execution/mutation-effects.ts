import type { GraphQLField, GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { required } from "../../kernel/required-values.ts";

/** The effect of an operation's only mutation. It takes place once, however often the mutation is resolved. */
export class MutationEffect {
  private payload: Promise<unknown> | undefined;

  /** The payload of the mutation, or its failure: the first time by running it, later as it was then. */
  payloadOf(mutate: () => unknown): Promise<unknown> {
    this.payload ??= (async () => mutate())();
    return this.payload;
  }
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

const reusingResolvers = new WeakSet<Resolver>();

/** Lets each mutation take its payload from the effect that is the root value of its operation, if there is one. */
export function reuseEffects(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(required(schema.getMutationType(), "Mutation").getFields())) {
    const mutate = required(field.resolve, `the resolver of ${field.name}`);
    const resolve: Resolver = (root, args, context, info) =>
      root instanceof MutationEffect
        ? root.payloadOf(() => mutate(root, args, context, info))
        : mutate(root, args, context, info);
    reusingResolvers.add(resolve);
    field.resolve = resolve;
  }
  return schema;
}

/** Whether a field is a mutation that can be resolved a second time without a second effect. */
export const reusesEffect = ({ resolve }: GraphQLField<unknown, unknown>): boolean =>
  resolve !== undefined && reusingResolvers.has(resolve);
