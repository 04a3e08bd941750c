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
import { required } from "../../src/kernel/required-values.ts";
import { bodySelectionOf } from "./response-writer.ts";
import type { InputField } from "./input-fields.ts";
import type { StoredOperation } from "./stored-operations.ts";
import { emptyEnvelope, withWireNames } from "./page-envelope.ts";
import type { QueryParameter, RestRoute } from "./route.ts";
import { orNullSchema, outputScalarSchema, scalarSchema, type JsonObject } from "./scalar-schemas.ts";
import { selectedFieldsOf, resourceNameOf } from "./selected-fields.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** The meaning of a date without a time. */
const DAY_BOUNDARY_SENTENCES = {
  FIRST: "First instant included. A date without a time means the first instant of that day in the vendor's time zone.",
  LAST: "Last instant included. A date without a time means the last instant of that day in the vendor's time zone.",
};

/** The context shared by the answers of one route. */
type OutputContext = Pick<StoredOperation, "fragments"> & Pick<RestRoute, "timeFormat">;

/** Prints the types of requests and answers as JSON Schema, in the words that stand on the wire. */
export class JsonSchemaPrinter {
  /** The resources of the contract: each is printed once and referred to. */
  readonly components: Record<string, JsonObject> = {};

  constructor(readonly vocabulary: WireVocabulary) {}

  /** The schema of a route's answer. */
  responseSchema(route: RestRoute, operation: StoredOperation): JsonObject {
    const { type, selection } = bodySelectionOf(route, operation);
    const context = { fragments: operation.fragments, timeFormat: route.timeFormat };
    const resource = resourceNameOf(selection);
    const content = this.outputSchema(new GraphQLNonNull(type as GraphQLObjectType), (object) =>
      resource
        ? this.resourceSchema(resource, object, selection, context)
        : this.objectSchema(object, selection, context),
    );
    if (route.page === "ENVELOPE") return this.envelopeSchema(content, resource);
    return route.addedFields ? this.withAddedFields(content, route.addedFields) : content;
  }

  /** The schema of a route's body. */
  bodySchema(fields: readonly InputField[], defaults: RestRoute["defaults"] = {}): JsonObject {
    return {
      type: "object",
      required: fields.filter(({ required }) => required).map(({ wireName }) => this.vocabulary.toWireField(wireName)),
      properties: Object.fromEntries(
        fields.map(({ name, wireName, type, nested, description }) => {
          const { value } = defaults[name] ?? {};
          const schema = {
            ...this.inputSchema(type, nested),
            description,
            ...(value !== undefined && { default: value }),
          };
          return [this.vocabulary.toWireField(wireName), schema];
        }),
      ),
    };
  }

  /** The schema of a path parameter or a body field. */
  inputSchema(type: GraphQLInputType, below?: readonly InputField[]): JsonObject {
    const nullable = getNullableType<GraphQLInputType>(type);
    if (isListType(nullable)) return { type: "array", items: this.inputSchema(nullable.ofType, below) };
    return below ? this.bodySchema(below) : this.leafSchema(nullable);
  }

  /** The schema of a query parameter, with the meaning of an absent one. */
  querySchema({ isList, ...parameter }: QueryParameter, type: GraphQLInputType): JsonObject {
    if (isList) return { type: "array", items: this.querySchema(parameter, type) };
    const { default: fallback, min, max, dayBoundary, enumMapping } = parameter;
    return {
      ...(enumMapping
        ? { type: "string", enum: Object.keys(enumMapping).map((word) => this.vocabulary.toWireField(word)) }
        : this.leafSchema(getNamedType(type))),
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
      ...(dayBoundary && { description: DAY_BOUNDARY_SENTENCES[dayBoundary] }),
      ...(fallback !== undefined && {
        default: typeof fallback === "string" ? this.vocabulary.toWireWord(fallback) : fallback,
      }),
    };
  }

  private withAddedFields({ required, properties }: JsonObject, adds: Readonly<Record<string, boolean>>): JsonObject {
    const names = Object.keys(adds).map((name) => this.vocabulary.toWireField(name));
    return {
      type: "object",
      required: [...names, ...(required as string[])],
      properties: {
        ...Object.fromEntries(names.map((name) => [name, { type: "boolean" }])),
        ...(properties as JsonObject),
      },
    };
  }

  /** The page envelope around a list; that of a resource has the resource's name. */
  private envelopeSchema(content: JsonObject, resource: string | undefined): JsonObject {
    const envelope = schemaOfSample(withWireNames({ ...emptyEnvelope, content: [] }, this.vocabulary));
    (envelope["properties"] as JsonObject)[this.vocabulary.toWireField("content")] = content;
    if (!resource) return envelope;
    this.components[`${resource}Page`] = envelope;
    return { $ref: `#/components/schemas/${resource}Page` };
  }

  /** @throws where two resources of the contract have one name. */
  private resourceSchema(
    name: string,
    type: GraphQLObjectType,
    selection: SelectionSetNode,
    context: OutputContext,
  ): JsonObject {
    const existing = this.components[name];
    const printed = (this.components[name] ??= {});
    const schema = this.objectSchema(type, selection, context);
    if (existing && !isDeepStrictEqual(existing, schema))
      throw new Error(`Two fragments are named ${name}, but differ: give each resource a name of its own.`);
    Object.assign(printed, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  private objectSchema(type: GraphQLObjectType, selection: SelectionSetNode, context: OutputContext): JsonObject {
    const properties = selectedFieldsOf(type, selection, context.fragments).map(
      ({ key, type: field, selection: below, resource, valueForNull, enumMapping }) => {
        const print = (object: GraphQLObjectType): JsonObject =>
          this.below(resource, object, required(below, key), context);
        const type =
          valueForNull === undefined ? field : new GraphQLNonNull(getNullableType(field) as GraphQLObjectType);
        const schema = enumMapping
          ? { type: "string", enum: Object.values(enumMapping) }
          : this.outputSchema(type, print, context.timeFormat);
        return [this.vocabulary.toWireField(key), schema];
      },
    );
    return {
      type: "object",
      required: properties.map(([key]) => key),
      properties: Object.fromEntries(properties) as JsonObject,
    };
  }

  private below(
    resource: string | undefined,
    type: GraphQLObjectType,
    selection: SelectionSetNode,
    shape: OutputContext,
  ): JsonObject {
    return resource ? this.resourceSchema(resource, type, selection, shape) : this.objectSchema(type, selection, shape);
  }

  private outputSchema(
    type: GraphQLOutputType,
    printObject: (type: GraphQLObjectType) => JsonObject,
    times?: RestRoute["timeFormat"],
  ): JsonObject {
    if (!isNonNullType(type)) return orNullSchema(this.outputSchema(new GraphQLNonNull(type), printObject, times));
    const inner = type.ofType as GraphQLOutputType;
    if (isListType(inner))
      return { type: "array", items: this.outputSchema(inner.ofType as GraphQLOutputType, printObject, times) };
    if (isObjectType(inner)) return printObject(inner);
    return this.vocabulary.isClosedList(inner) ? this.leafSchema(inner) : outputScalarSchema(String(inner), times);
  }

  private leafSchema(type: GraphQLOutputType | GraphQLInputType): JsonObject {
    if (this.vocabulary.isClosedList(type)) return { type: "string", enum: this.vocabulary.wireValuesOf(String(type)) };
    return scalarSchema(String(type));
  }
}

/** A schema with the keys and the value types of a sample. */
function schemaOfSample(sample: unknown): JsonObject {
  if (Array.isArray(sample)) return { type: "array" };
  if (typeof sample === "number") return { type: "integer", minimum: 0 };
  if (typeof sample !== "object" || sample === null) return { type: typeof sample };
  const properties = Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, schemaOfSample(value)]));
  return { type: "object", required: Object.keys(properties), properties };
}
