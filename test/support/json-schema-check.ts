/** The JSON Schema keywords that the OpenAPI document uses. */
export interface JsonSchema {
  $ref?: string;
  oneOf?: JsonSchema[];
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  minimum?: number;
}

interface OpenApiDocument {
  components: { schemas: Record<string, JsonSchema> };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const jsonTypesOf = (value: unknown): string[] => {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [typeof value];
};

/** The places where a value does not fit a schema. An unnamed field is a misfit too: the document must be complete. */
export function schemaViolations(document: OpenApiDocument, schema: JsonSchema, value: unknown, at = "body"): string[] {
  if (schema.$ref)
    return schemaViolations(document, document.components.schemas[schema.$ref.split("/").at(-1)!]!, value, at);
  if (schema.oneOf) {
    const matching = schema.oneOf.filter((one) => schemaViolations(document, one, value, at).length === 0);
    return matching.length === 1 ? [] : [`${at} fits ${matching.length} of its alternatives`];
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !jsonTypesOf(value).some((type) => types.includes(type)))
    return [`${at} is ${jsonTypesOf(value).join(" or ")}, not ${types.join(" or ")}`];
  if (value === null) return [];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is none of its words`];
  if (schema.format === "date-time" && !INSTANT.test(value as string)) return [`${at} is no instant`];
  if (schema.minimum !== undefined && (value as number) < schema.minimum)
    return [`${at} is less than ${schema.minimum}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => schemaViolations(document, schema.items ?? {}, item, `${at}[${index}]`));
  if (typeof value === "object") return objectSchemaViolations(document, schema, value as Record<string, unknown>, at);
  return [];
}

function objectSchemaViolations(
  document: OpenApiDocument,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  value: Record<string, unknown>,
  at: string,
): string[] {
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${at}.${name} is missing`);
  const present = Object.entries(value).filter(([, field]) => field !== undefined);
  const unknown = additionalProperties
    ? []
    : present.filter(([name]) => !properties[name]).map(([name]) => `${at}.${name} is not in the document`);
  const wrong = present.flatMap(([name, field]) =>
    properties[name] ? schemaViolations(document, properties[name], field, `${at}.${name}`) : [],
  );
  return [...missing, ...unknown, ...wrong];
}
