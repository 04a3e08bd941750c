import { isDeepStrictEqual } from "node:util";
import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import { contentOf } from "./response-writer.ts";
import type { InputField } from "./input-fields.ts";
import type { Operation } from "./stored-operations.ts";
import { emptyEnvelope, inWireKeys } from "./page-envelope.ts";
import type { QueryParameter, Route } from "./route.ts";
import { orNull, schemaOfAnswered, schemaOfScalar, type Json } from "./scalar-schemas.ts";
import { fieldsOf, resourceOf } from "./selected-fields.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** What a date without a time means. */
const DAYS = {
  FIRST: "A date without a time is the first instant of that day in the vendor's zone.",
  LAST: "A date without a time is the last instant of that day in the vendor's zone.",
};

/** What the answers of one route have in common. */
type Shape = Pick<Operation, "fragments"> & Pick<Route, "times">;

/** Prints the types of requests and answers as JSON Schema, in the words that stand on the wire. */
export class Schemas {
  /** The resources of the contract: each is printed once and referred to. */
  readonly named: Record<string, Json> = {};

  constructor(readonly vocabulary: Vocabulary) {}

  /** What a route answers. */
  answer(route: Route, operation: Operation): Json {
    const { type, selection } = contentOf(route, operation);
    const shape = { fragments: operation.fragments, times: route.times };
    const resource = resourceOf(selection);
    const content = this.output(new GraphQLNonNull(type as GraphQLObjectType), (object) =>
      resource ? this.resource(resource, object, selection, shape) : this.object(object, selection, shape),
    );
    if (route.page === "ENVELOPE") return this.envelope(content, resource);
    return route.adds ? this.widened(content, route.adds) : content;
  }

  /** What a route takes as its body. */
  body(fields: readonly InputField[], defaults: Route["defaults"] = {}): Json {
    return {
      type: "object",
      required: fields.filter(({ required }) => required).map(({ wire }) => this.vocabulary.field(wire)),
      properties: Object.fromEntries(
        fields.map(({ name, wire, type, below, description }) => {
          const { value } = defaults[name] ?? {};
          const schema = { ...this.input(type, below), description, ...(value !== undefined && { default: value }) };
          return [this.vocabulary.field(wire), schema];
        }),
      ),
    };
  }

  /** What stands in a path, or in a field of a body. */
  input(type: GraphQLInputType, below?: readonly InputField[]): Json {
    const nullable = getNullableType<GraphQLInputType>(type);
    if (isListType(nullable)) return { type: "array", items: this.input(nullable.ofType, below) };
    return below ? this.body(below) : this.leaf(nullable);
  }

  /** What a query parameter takes, and what an absent one means. */
  query({ default: fallback, least, most, day, words }: QueryParameter, type: GraphQLInputType): Json {
    return {
      ...(words
        ? { type: "string", enum: Object.keys(words).map((word) => this.vocabulary.field(word)) }
        : this.leaf(getNamedType(type))),
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
      ...(day && { description: DAYS[day] }),
      ...(fallback !== undefined && {
        default: typeof fallback === "string" ? this.vocabulary.word(fallback) : fallback,
      }),
    };
  }

  private widened({ required, properties }: Json, adds: Readonly<Record<string, boolean>>): Json {
    const names = Object.keys(adds).map((name) => this.vocabulary.field(name));
    return {
      type: "object",
      required: [...names, ...(required as string[])],
      properties: { ...Object.fromEntries(names.map((name) => [name, { type: "boolean" }])), ...(properties as Json) },
    };
  }

  /** The page envelope around a list; that of a resource has the resource's name. */
  private envelope(content: Json, resource: string | undefined): Json {
    const envelope = schemaLike(inWireKeys({ ...emptyEnvelope, content: [] }, this.vocabulary));
    (envelope["properties"] as Json)[this.vocabulary.field("content")] = content;
    if (!resource) return envelope;
    this.named[`${resource}Page`] = envelope;
    return { $ref: `#/components/schemas/${resource}Page` };
  }

  /** @throws where two resources of the contract have one name. */
  private resource(name: string, type: GraphQLObjectType, selection: SelectionSetNode, shape: Shape): Json {
    const known = this.named[name];
    const printed = (this.named[name] ??= {});
    const schema = this.object(type, selection, shape);
    if (known && !isDeepStrictEqual(known, schema))
      throw new Error(`Two fragments are named ${name}, but differ: give each resource a name of its own.`);
    Object.assign(printed, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  private object(type: GraphQLObjectType, selection: SelectionSetNode, shape: Shape): Json {
    const properties = fieldsOf(type, selection, shape.fragments).map(
      ({ key, type: field, selection: below, resource, unset, words }) => {
        const print = (object: GraphQLObjectType): Json =>
          resource ? this.resource(resource, object, below!, shape) : this.object(object, below!, shape);
        const type = unset === undefined ? field : new GraphQLNonNull(getNullableType(field) as GraphQLObjectType);
        const schema = words ? { type: "string", enum: Object.values(words) } : this.output(type, print, shape.times);
        return [this.vocabulary.field(key), schema];
      },
    );
    return {
      type: "object",
      required: properties.map(([key]) => key),
      properties: Object.fromEntries(properties) as Json,
    };
  }

  private output(
    type: GraphQLOutputType,
    printObject: (type: GraphQLObjectType) => Json,
    times?: Route["times"],
  ): Json {
    if (!isNonNullType(type)) return orNull(this.output(new GraphQLNonNull(type) as never, printObject, times));
    const inner = type.ofType as GraphQLOutputType;
    if (isListType(inner))
      return { type: "array", items: this.output(inner.ofType as GraphQLOutputType, printObject, times) };
    if (isObjectType(inner)) return printObject(inner);
    return this.vocabulary.isClosed(inner) ? this.leaf(inner) : schemaOfAnswered(String(inner), times);
  }

  private leaf(type: GraphQLOutputType | GraphQLInputType): Json {
    if (this.vocabulary.isClosed(type)) return { type: "string", enum: this.vocabulary.values(String(type)) };
    return schemaOfScalar(String(type));
  }
}

/** The schema of whatever has the keys of a sample and values of the same types. */
function schemaLike(sample: unknown): Json {
  if (Array.isArray(sample)) return { type: "array" };
  if (typeof sample === "number") return { type: "integer", minimum: 0 };
  if (typeof sample !== "object" || sample === null) return { type: typeof sample };
  const properties = Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, schemaLike(value)]));
  return { type: "object", required: Object.keys(properties), properties };
}
