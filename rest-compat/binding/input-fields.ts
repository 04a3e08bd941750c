import {
  getNamedType,
  isInputObjectType,
  isRequiredInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { invariant } from "../../src/kernel/refusals.ts";
import type { Operation } from "./stored-operations.ts";
import { pathParameters, queryParameters, type Route } from "./route.ts";

/** One field of an input that a route takes, and those that it takes of the objects below. */
export interface InputField {
  name: string;
  /** Its name on the wire, in neutral words. */
  wire: string;
  type: GraphQLInputType;
  /** Whether it has to be sent: it may not be null, and nothing stands in for it. */
  required: boolean;
  description: string | null | undefined;
  below: InputField[] | undefined;
}

/**
 * The fields of the operation's input that a route takes from the body, or undefined for a route without one.
 * @throws where the input lacks a named field, or needs one that comes from nowhere: no request could succeed.
 */
export function bodyFields(route: Route, { input }: Operation): InputField[] | undefined {
  if (!route.body) return undefined;
  invariant(input, `${route.operation} has an input, since its route has a body`);
  const elsewhere = [...pathParameters(route), ...queryParameters(route).map(({ name }) => name)];
  return fieldsOf(input, route.body, route.names ?? {}, elsewhere);
}

/** `items` brings all below it, `items.priceCode` that field alone. */
function fieldsOf(
  type: GraphQLInputObjectType,
  names: readonly string[],
  onWire: Readonly<Record<string, string>>,
  elsewhere: readonly string[] = [],
): InputField[] {
  const named = new Map<string, string[]>();
  for (const name of names) {
    const [first, ...rest] = name.split(".");
    named.set(first!, [...(named.get(first!) ?? []), ...(rest.length > 0 ? [rest.join(".")] : [])]);
  }
  const fields = type.getFields();
  for (const field of Object.values(fields)) {
    if (isRequiredInputField(field) && !named.has(field.name) && !elsewhere.includes(field.name))
      throw new Error(`${type.name} needs the field ${field.name}, which the route does not name.`);
  }
  return [...named].map(([name, namesBelow]) => {
    const field = fields[name];
    if (!field) throw new Error(`${type.name} has no field ${name}, which the contract needs.`);
    const object = getNamedType(field.type);
    if (namesBelow.length > 0 && !isInputObjectType(object)) throw new Error(`${type.name}.${name} has no fields.`);
    const below = isInputObjectType(object)
      ? fieldsOf(object, namesBelow.length > 0 ? namesBelow : Object.keys(object.getFields()), onWire)
      : undefined;
    return {
      name,
      wire: onWire[name] ?? name,
      type: field.type,
      required: isRequiredInputField(field),
      description: field.description,
      below,
    };
  });
}
