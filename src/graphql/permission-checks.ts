import { defaultFieldResolver, type GraphQLObjectType, type GraphQLSchema } from "graphql";
import { denied, invariant } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import type { PermissionArea } from "../../schema/vocabulary.ts";
import type { Permissions } from "../vendors/people/mutation.permissions.ts";
import type { GatewayContext } from "./context.ts";

/** Refuses a caller who lacks a permission. A context without permissions has none. */
type Check = (permissions: Permissions | undefined) => void;

/**
 * Checks the caller's permissions before each field of the roots, for GraphQL and REST alike: queries and streams need
 * the permission to read, each mutation that of its area. A mutation without an area is a bug that stops the process.
 */
export function requirePermissions(
  schema: GraphQLSchema,
  areaByMutation: Readonly<Record<string, PermissionArea>>,
): GraphQLSchema {
  const mutations = required(schema.getMutationType(), "Mutation");
  const unknown = Object.keys(areaByMutation).filter((name) => !(name in mutations.getFields()));
  invariant(unknown.length === 0, `the mutations with an area exist: ${unknown.join(", ")}`);
  checkFields(mutations, (name) => {
    const area = areaByMutation[name];
    invariant(area, `the mutation ${name} has an area in mutation.permissions.ts`);
    return (permissions) => {
      if (!permissions?.areas.includes(area))
        throw denied("PERMISSION_DENIED", `\`${name}\` needs the permission ${area}, which the caller does not have.`);
    };
  });
  const checkReading: Check = (permissions) => {
    if (!permissions?.canRead)
      throw denied("PERMISSION_DENIED", "Reading needs the scope READ, which the key does not have.");
  };
  checkFields(required(schema.getQueryType(), "Query"), () => checkReading);
  const streams = required(schema.getSubscriptionType(), "EventStream");
  for (const field of Object.values(streams.getFields())) {
    const subscribe = required(field.subscribe, "the start of a stream");
    field.subscribe = (root, args, context: GatewayContext, info) => {
      checkReading(context.caller.permissions);
      return subscribe(root, args, context, info);
    };
  }
  return schema;
}

function checkFields(type: GraphQLObjectType, checkOf: (name: string) => Check): void {
  for (const field of Object.values(type.getFields())) {
    const check = checkOf(field.name);
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (root, args, context: GatewayContext, info) => {
      check(context.caller.permissions);
      return resolve(root, args, context, info);
    };
  }
}
