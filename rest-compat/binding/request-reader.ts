import type { FastifyRequest } from "fastify";
import { invalidFields, type FieldError } from "../../src/kernel/refusals.ts";
import { required } from "../../src/kernel/required-values.ts";
import { bodyFieldsOf } from "./input-fields.ts";
import { parameterTypeOf, type StoredOperation } from "./stored-operations.ts";
import { compilePathReader } from "./path-reader.ts";
import { compileQueryReader } from "./query-reader.ts";
import { reportFieldError, compileObjectReader } from "./body-reader.ts";
import { pathParametersOf, queryParametersOf, type RestRoute } from "./route.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** The content of a request. */
export interface RestRequest {
  variables: Record<string, unknown>;
  /** The query parameters as they stand on the wire, under their neutral names; the defaults of absent ones too. */
  query: ReadonlyMap<string, string>;
}

/** Compiles what turns a request into the variables of the operation, or into one refusal that names every fault. */
export function compileRequestReader(
  route: RestRoute,
  operation: StoredOperation,
  vocabulary: WireVocabulary,
): (request: FastifyRequest, zoneId: string) => RestRequest {
  const pathReaders = pathParametersOf(route).map((name) => ({
    name,
    read: compilePathReader(parameterTypeOf(operation, name)),
  }));
  const queryReaders = queryParametersOf(route).map((parameter) => ({
    ...parameter,
    wire: vocabulary.toWireField(parameter.name),
    fallback: parameter.default === undefined ? undefined : vocabulary.toWireWord(String(parameter.default)),
    read: compileQueryReader(parameter, parameterTypeOf(operation, parameter.name), vocabulary),
  }));
  const bodyInputFields = bodyFieldsOf(route, operation);
  const readBody = bodyInputFields && compileObjectReader(bodyInputFields, vocabulary);

  return ({ params, query, body }, zoneId) => {
    const fieldErrors: FieldError[] = [];
    const values: Record<string, unknown> = {};
    const queryTexts = new Map<string, string>();
    for (const { name, read } of pathReaders)
      values[name] = read(required((params as Record<string, string>)[name], name));
    for (const { name, wire, fallback, read } of queryReaders) {
      const [sent = fallback, ...repeated] = nonEmptyValues((query as RawQuery)[wire]);
      if (repeated.length > 0) reportFieldError(fieldErrors, wire, "INVALID_TYPE", "must be in the query only once.");
      else if (sent !== undefined) {
        queryTexts.set(name, sent);
        values[name] = read(sent, wire, fieldErrors, zoneId);
      }
    }
    for (const { name, wire, notBefore } of queryReaders) {
      if (notBefore !== undefined && isAfter(values[notBefore], values[name]))
        reportFieldError(
          fieldErrors,
          wire,
          "INVALID_VALUE",
          `must not be before ${vocabulary.toWireField(notBefore)}.`,
        );
    }
    const fields = readBody?.(body, "", fieldErrors) as Record<string, unknown> | undefined;
    if (fieldErrors.length > 0) throw invalidFields(fieldErrors);
    const completeBody = fields && { ...fields, ...defaultsForAbsent(fields, route.defaults ?? {}) };
    return { variables: toVariables(values, completeBody, operation.variables), query: queryTexts };
  };
}

type RawQuery = Record<string, string | string[] | undefined>;

/** The values of a parameter. One without a value (`status=`) is absent. */
const nonEmptyValues = (sent: RawQuery[string]): string[] => [sent ?? ""].flat().filter((text) => text !== "");

/** Both are ISO 8601 in UTC, whose texts are in the order of time. */
const isAfter = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one > other;

/** The defaults for fields that a body omits. */
const defaultsForAbsent = (
  fields: Record<string, unknown>,
  defaults: NonNullable<RestRoute["defaults"]>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(defaults).flatMap(([name, { value, unlessIn }]) => {
      const items = (unlessIn === undefined ? [] : fields[unlessIn]) as readonly Record<string, unknown>[];
      return [fields, ...items].some((object) => object[name] != null) ? [] : [[name, value]];
    }),
  );

/** Whatever is no variable of its own is a field of the input. */
function toVariables(
  values: Record<string, unknown>,
  body: object | undefined,
  variables: StoredOperation["variables"],
): Record<string, unknown> {
  const sentValues = Object.entries(values).filter(([, value]) => value !== undefined);
  const ownVariables = sentValues.filter(([name]) => variables.has(name));
  const inputFields = sentValues.filter(([name]) => !variables.has(name));
  const input = { ...body, ...Object.fromEntries(inputFields) };
  return { ...Object.fromEntries(ownVariables), ...(variables.has("input") && { input }) };
}
