/** The few words of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minimum?: number;
}

interface Document {
  components: { schemas: Record<string, Schema> };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const typeOf = (value: unknown): string[] => {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [typeof value];
};

/** Where a value does not fit a schema. A field that the schema does not name is a misfit too: the document must tell all. */
export function misfits(document: Document, schema: Schema, value: unknown, at = "body"): string[] {
  if (schema.$ref) return misfits(document, document.components.schemas[schema.$ref.split("/").at(-1)!]!, value, at);
  if (schema.oneOf) {
    const fitting = schema.oneOf.filter((one) => misfits(document, one, value, at).length === 0);
    return fitting.length === 1 ? [] : [`${at} fits ${fitting.length} of its alternatives`];
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !typeOf(value).some((type) => types.includes(type)))
    return [`${at} is ${typeOf(value).join(" or ")}, not ${types.join(" or ")}`];
  if (value === null) return [];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is none of its words`];
  if (schema.format === "date-time" && !INSTANT.test(value as string)) return [`${at} is no instant`];
  if (schema.minimum !== undefined && (value as number) < schema.minimum)
    return [`${at} is less than ${schema.minimum}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => misfits(document, schema.items ?? {}, item, `${at}[${index}]`));
  if (typeof value === "object") return misfitsOfObject(document, schema, value as Record<string, unknown>, at);
  return [];
}

function misfitsOfObject(
  document: Document,
  { properties = {}, required = [], additionalProperties }: Schema,
  value: Record<string, unknown>,
  at: string,
): string[] {
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${at}.${name} is missing`);
  const present = Object.entries(value).filter(([, field]) => field !== undefined);
  const unknown = additionalProperties
    ? []
    : present.filter(([name]) => !properties[name]).map(([name]) => `${at}.${name} is not in the document`);
  const wrong = present.flatMap(([name, field]) =>
    properties[name] ? misfits(document, properties[name], field, `${at}.${name}`) : [],
  );
  return [...missing, ...unknown, ...wrong];
}
