import fc from "fast-check";
import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
} from "graphql";

const isFree = ({ args }: GraphQLField<unknown, unknown>) => args.every(({ type }) => !isNonNullType(type));

/** A selection of a type: fields in any order, some twice and under other names, some in fragments. */
export function arbitrarySelection(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter(isFree);
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const objects = depth === 0 ? [] : fields.filter((field) => isObjectType(getNamedType(field.type)));
  const leaf = fc.constantFrom("__typename", ...leaves);
  const one = fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: leaf.map((name) => `other_${name.replace("__", "")}: ${name}`) },
    { weight: 1, arbitrary: leaf.map((name) => `... on ${type.name} { ${name} }`) },
    ...objects.map((field) => ({
      weight: 1,
      arbitrary: fc
        .constant(null)
        .chain(() => arbitrarySelection(getNamedType(field.type) as GraphQLObjectType, depth - 1))
        .map((inner) => `${field.name} { ${inner} }`),
    })),
  );
  return fc.array(one, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" "));
}
