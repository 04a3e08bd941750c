import {
  getNamedType,
  isInputObjectType,
  isRequiredInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { invariant } from "../../src/kernel/refusals.ts";
import type { StoredOperation } from "./stored-operations.ts";
import { pathParametersOf, queryParametersOf, type RestRoute } from "./route.ts";

/** One field of an input that a route takes, and those that it takes of the objects below. */
export interface InputField {
  name: string;
  /** Its name on the wire, in neutral words. */
  wireName: string;
  type: GraphQLInputType;
  /** Whether it has to be sent: it may not be null, and has no default. */
  required: boolean;
  description: string | null | undefined;
  nested: InputField[] | undefined;
}

/**
 * The fields of the operation's input that a route takes from the body, or undefined for a route without one.
 * @throws where the input lacks a named field, or needs one that comes from nowhere: no request could succeed.
 */
export function bodyFieldsOf(route: RestRoute, { inputType }: StoredOperation): InputField[] | undefined {
  if (!route.body) return undefined;
  invariant(inputType, `${route.operation} has an input, since its route has a body`);
  const namesOutsideBody = [...pathParametersOf(route), ...queryParametersOf(route).map(({ name }) => name)];
  return selectInputFields(inputType, route.body, route.wireNames ?? {}, namesOutsideBody);
}

/** `items` brings all below it, `items.priceCode` that field alone. */
function selectInputFields(
  type: GraphQLInputObjectType,
  names: readonly string[],
  wireNames: Readonly<Record<string, string>>,
  namesOutsideBody: readonly string[] = [],
): InputField[] {
  const nestedNamesByName = new Map<string, string[]>();
  for (const name of names) {
    const [first = "", ...rest] = name.split(".");
    nestedNamesByName.set(first, [
      ...(nestedNamesByName.get(first) ?? []),
      ...(rest.length > 0 ? [rest.join(".")] : []),
    ]);
  }
  const fields = type.getFields();
  for (const field of Object.values(fields)) {
    if (isRequiredInputField(field) && !nestedNamesByName.has(field.name) && !namesOutsideBody.includes(field.name))
      throw new Error(`${type.name} needs the field ${field.name}, which the route does not name.`);
  }
  return [...nestedNamesByName].map(([name, namesBelow]) => {
    const field = fields[name];
    if (!field) throw new Error(`${type.name} has no field ${name}, which the contract needs.`);
    const object = getNamedType(field.type);
    if (namesBelow.length > 0 && !isInputObjectType(object)) throw new Error(`${type.name}.${name} has no fields.`);
    const nested = isInputObjectType(object)
      ? selectInputFields(object, namesBelow.length > 0 ? namesBelow : Object.keys(object.getFields()), wireNames)
      : undefined;
    return {
      name,
      wireName: wireNames[name] ?? name,
      type: field.type,
      required: isRequiredInputField(field),
      description: field.description,
      nested,
    };
  });
}
