import type { FastifyRequest } from "fastify";
import { invalidFields, type FieldFault } from "../../src/kernel/refusals.ts";
import { bodyFields } from "./input-fields.ts";
import { parameterType, type Operation } from "./stored-operations.ts";
import { pathReader } from "./path-reader.ts";
import { queryReader } from "./query-reader.ts";
import { fault, objectReader } from "./body-reader.ts";
import { pathParameters, queryParameters, type Route } from "./route.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** What a request asks for. */
export interface Asked {
  variables: Record<string, unknown>;
  /** The query parameters as they stand on the wire, under their neutral names; the defaults of absent ones too. */
  query: ReadonlyMap<string, string>;
}

/** Compiles what turns a request into the variables of the operation, or into one refusal that names every fault. */
export function requestReader(
  route: Route,
  operation: Operation,
  vocabulary: Vocabulary,
): (request: FastifyRequest, zoneId: string) => Asked {
  const inPath = pathParameters(route).map((name) => ({ name, read: pathReader(parameterType(operation, name)) }));
  const inQuery = queryParameters(route).map((parameter) => ({
    ...parameter,
    wire: vocabulary.field(parameter.name),
    fallback: parameter.default === undefined ? undefined : vocabulary.word(String(parameter.default)),
    read: queryReader(parameter, parameterType(operation, parameter.name), vocabulary),
  }));
  const taken = bodyFields(route, operation);
  const readBody = taken && objectReader(taken, vocabulary);

  return ({ params, query, body }, zoneId) => {
    const faults: FieldFault[] = [];
    const values: Record<string, unknown> = {};
    const texts = new Map<string, string>();
    for (const { name, read } of inPath) values[name] = read((params as Record<string, string>)[name]!);
    for (const { name, wire, fallback, read } of inQuery) {
      const [sent = fallback, ...more] = sentTexts((query as Query)[wire]);
      if (more.length > 0) fault(faults, wire, "INVALID_TYPE", "must stand in the query only once.");
      else if (sent !== undefined) {
        texts.set(name, sent);
        values[name] = read(sent, wire, faults, zoneId);
      }
    }
    for (const { name, wire, notBefore } of inQuery) {
      if (notBefore !== undefined && isAfter(values[notBefore], values[name]))
        fault(faults, wire, "INVALID_VALUE", `must not be before ${vocabulary.field(notBefore)}.`);
    }
    const fields = readBody?.(body, "", faults) as Record<string, unknown> | undefined;
    if (faults.length > 0) throw invalidFields(faults);
    const filled = fields && { ...fields, ...absent(fields, route.defaults ?? {}) };
    return { variables: arranged(values, filled, operation.variables), query: texts };
  };
}

type Query = Record<string, string | string[] | undefined>;

/** The values of a parameter. One without a value (`status=`) is absent. */
const sentTexts = (sent: Query[string]): string[] => [sent ?? ""].flat().filter((text) => text !== "");

/** Both are ISO 8601 in UTC, whose texts are in the order of time. */
const isAfter = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one > other;

/** What stands in for the fields that a body leaves out. */
const absent = (fields: Record<string, unknown>, defaults: NonNullable<Route["defaults"]>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(defaults).flatMap(([name, { value, unlessIn }]) => {
      const items = (unlessIn === undefined ? [] : fields[unlessIn]) as readonly Record<string, unknown>[];
      return [fields, ...items].some((object) => object[name] != null) ? [] : [[name, value]];
    }),
  );

/** Whatever is no variable of its own is a field of the input. */
function arranged(
  values: Record<string, unknown>,
  body: object | undefined,
  variables: Operation["variables"],
): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const own = given.filter(([name]) => variables.has(name));
  const others = given.filter(([name]) => !variables.has(name));
  const input = { ...body, ...Object.fromEntries(others) };
  return { ...Object.fromEntries(own), ...(variables.has("input") && { input }) };
}
