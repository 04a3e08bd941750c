import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import { textRules } from "../../src/graphql/scalars.ts";
import type { Operation, Operations } from "./operations.ts";
import { pathParameters, PREFIX, successStatus, type Route } from "./route.ts";
import { fieldsOf, resourceOf } from "./selection.ts";
import type { Vocabulary } from "./vocabulary.ts";

type Json = Record<string, unknown>;

const ID = { type: "integer", format: "int64", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** How the scalars stand on the REST wire. */
const scalarSchemas: Readonly<Record<string, Json>> = {
  ID,
  BigInt: { type: "integer", format: "int64" },
  Boolean: { type: "boolean" },
  Int: { type: "integer", format: "int32" },
  PositiveInt: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
  String: { type: "string" },
  DateTime: { type: "string", format: "date-time" },
  Decimal: { type: "number", minimum: 0, description: "At most 15 significant digits and 6 decimals." },
};

const ERROR_BODY = {
  type: "object",
  required: ["errorCode"],
  properties: {
    errorCode: { type: "string" },
    traceId: { type: "string" },
    errorMessage: { type: "string" },
    details: { type: "object", additionalProperties: true },
  },
};

/** Names of fields and parameters that stand on the wire, for the vocabulary. */
export function fieldNamesOf(contract: readonly Route[], operations: Operations): Set<string> {
  const names = new Set<string>();
  for (const route of contract) {
    const operation = operations.of(route);
    for (const name of [...(route.query ?? []), ...Object.keys(route.adds ?? {})]) names.add(name);
    const visitInput = (type: GraphQLInputObjectType, fields: readonly string[]): void => {
      for (const name of fields) {
        names.add(name);
        const below = getNamedType(type.getFields()[name]?.type);
        if (isInputObjectType(below)) visitInput(below, Object.keys(below.getFields()));
      }
    };
    if (route.body) visitInput(getNamedType(operation.variables.get("input")) as GraphQLInputObjectType, route.body);
    const visit = (type: GraphQLObjectType, selection: SelectionSetNode): void => {
      for (const { key, namedType, selection: below } of fieldsOf(type, selection, operation.fragments)) {
        names.add(key);
        if (below && isObjectType(namedType)) visit(namedType, below);
      }
    };
    visit(operation.answer.type, operation.answer.selection);
  }
  return names;
}

/** The OpenAPI document of the routes, in the words that stand on the wire. */
export function openApiOf(contract: readonly Route[], operations: Operations, vocabulary: Vocabulary): Json {
  const printer = new Printer(vocabulary);
  const paths: Record<string, Json> = {};
  for (const route of contract) {
    const item = (paths[PREFIX + route.path] ??= {});
    item[route.method.toLowerCase()] = printer.operation(route, operations.of(route));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Subscription Billing and Payment Recovery API",
      version: "1.0",
      description:
        "Calls with `x-extension: true` stand beside the contract; senders use them to register what the contract only refers to.",
    },
    security: [{ SecretToken: [] }],
    paths,
    components: {
      securitySchemes: { SecretToken: { type: "apiKey", in: "header", name: "Secret-Token" } },
      schemas: { Error: ERROR_BODY, ...printer.schemas },
    },
  };
}

class Printer {
  readonly schemas: Record<string, Json> = {};

  constructor(private readonly vocabulary: Vocabulary) {}

  operation(route: Route, operation: Operation): Json {
    const input = route.body && (getNullableType(operation.variables.get("input")) as GraphQLInputObjectType);
    const parameters = [
      ...pathParameters(route).map((name) => ({ name, in: "path", required: true, schema: ID })),
      ...(route.query ?? []).map((name) => ({
        name: this.vocabulary.field(name),
        in: "query",
        required: false,
        schema: this.input(operation.variables.get(name)!),
      })),
    ];
    const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
    return {
      operationId: route.operation,
      summary: route.summary,
      ...(route.extension && { "x-extension": true }),
      ...(parameters.length > 0 && { parameters }),
      ...(input && {
        requestBody: { required: true, content: { "application/json": { schema: this.body(input, route.body!) } } },
      }),
      responses: {
        [successStatus(route)]: {
          description: "What the call answers.",
          content: { "application/json": { schema: this.answer(route, operation) } },
        },
        "400": { description: "The request is wrong as sent.", ...error },
        "403": { description: "The Secret-Token is missing, unknown or revoked, or its vendor is disabled.", ...error },
        ...(parameters.some((parameter) => parameter.in === "path") && {
          "404": { description: "Nothing of the vendor's has this id.", ...error },
        }),
      },
    };
  }

  private answer(route: Route, operation: Operation): Json {
    const { type, selection } = operation.answer;
    const name = resourceOf(selection);
    if (name) return this.resource(name, type, selection, operation);
    const adds = Object.fromEntries(
      Object.keys(route.adds ?? {}).map((key) => [this.vocabulary.field(key), { type: "boolean" }]),
    );
    const { properties, required } = this.object(type, selection, operation) as {
      properties: Json;
      required: string[];
    };
    return { type: "object", required: [...Object.keys(adds), ...required], properties: { ...adds, ...properties } };
  }

  /** A resource of the contract is printed once and referred to. */
  private resource(name: string, type: GraphQLObjectType, selection: SelectionSetNode, operation: Operation): Json {
    if (!this.schemas[name]) {
      this.schemas[name] = {};
      Object.assign(this.schemas[name], this.object(type, selection, operation));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private object(type: GraphQLObjectType, selection: SelectionSetNode, operation: Operation): Json {
    const fields = fieldsOf(type, selection, operation.fragments);
    const properties = fields.map(({ key, type: fieldType, selection: below, resource }) => {
      const print = (object: GraphQLObjectType): Json =>
        resource ? this.resource(resource, object, below!, operation) : this.object(object, below!, operation);
      return [this.vocabulary.field(key), this.output(fieldType, print)];
    });
    return {
      type: "object",
      required: properties.map(([key]) => key),
      properties: Object.fromEntries(properties) as Json,
    };
  }

  private output(type: GraphQLOutputType, printObject: (type: GraphQLObjectType) => Json): Json {
    if (!isNonNullType(type)) return orNull(this.output(new GraphQLNonNull(type) as never, printObject));
    const inner = type.ofType as GraphQLOutputType;
    if (isListType(inner)) return { type: "array", items: this.output(inner.ofType as GraphQLOutputType, printObject) };
    if (isObjectType(inner)) return printObject(inner);
    return this.leaf(inner);
  }

  private body(type: GraphQLInputObjectType, names: readonly string[]): Json {
    const fields = names.map((name) => type.getFields()[name]!);
    return {
      type: "object",
      required: fields.filter((field) => isNonNullType(field.type)).map((field) => this.vocabulary.field(field.name)),
      properties: Object.fromEntries(
        fields.map((field) => [
          this.vocabulary.field(field.name),
          { ...this.input(field.type), description: field.description },
        ]),
      ),
    };
  }

  private input(type: GraphQLInputType): Json {
    const nullable = getNullableType<GraphQLInputType>(type);
    if (isListType(nullable)) return { type: "array", items: this.input(nullable.ofType) };
    if (isInputObjectType(nullable)) return this.body(nullable, Object.keys(nullable.getFields()));
    return this.leaf(nullable);
  }

  private leaf(type: GraphQLOutputType | GraphQLInputType): Json {
    if (isEnumType(type)) return { type: "string", enum: this.vocabulary.values(type.name) };
    const name = String(type);
    const rules = textRules.get(name);
    if (rules) return { type: "string", ...(rules.least && { minLength: rules.least }), maxLength: rules.most };
    const known = scalarSchemas[name];
    if (!known) throw new Error(`The OpenAPI document has no word for the scalar ${name}.`);
    return known;
  }
}

const orNull = (schema: Json): Json =>
  "$ref" in schema
    ? { oneOf: [schema, { type: "null" }] }
    : {
        ...schema,
        type: [schema["type"], "null"],
        ...("enum" in schema && { enum: [...(schema["enum"] as string[]), null] }),
      };
