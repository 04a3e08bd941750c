import type { FastifyRequest } from "fastify";
import { isObjectType } from "graphql";
import { invariant } from "../../src/kernel/refusals.ts";
import { required } from "../../src/kernel/required-values.ts";
import type { ResponseForm } from "../../src/graphql/execution/response-form.ts";
import { ResponseText } from "../../src/kernel/response-text.ts";
import { mapInTimeSlices } from "../../src/kernel/scheduling/cooperative-work.ts";
import { selectedUnder, type StoredOperation, type SelectedType } from "./stored-operations.ts";
import {
  requirePageParameters,
  stringifyEnvelope,
  withWireNames,
  pageHeadersOf,
  ROWS_FIELD,
  TOTAL_FIELD,
} from "./page-envelope.ts";
import type { RestRequest } from "./request-reader.ts";
import { unknownPathRefusal } from "./path-subjects.ts";
import { pathParametersOf, API_PREFIX, successStatusOf, type BrowserRedirect, type RestRoute } from "./route.ts";
import { selectedFieldsOf } from "./selected-fields.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";
import { compileBodyWriter, recordFormOf } from "./body-writer.ts";

/** An answer as it goes out. */
export interface RestResponse {
  status: number;
  body: string;
  headers: Record<string, string>;
}

type OperationData = Record<string, unknown>;

/** The part of an operation's answer that the body of a route consists of. */
export const bodySelectionOf = (route: RestRoute, operation: StoredOperation): SelectedType =>
  route.page ? selectedUnder(operation.resource, ROWS_FIELD, operation.fragments, route.operation) : operation.resource;

/** How the answer of a route is made of the data of its operation. */
interface ResponseWriter {
  write: (data: unknown, restRequest: RestRequest, request: FastifyRequest) => RestResponse | Promise<RestResponse>;
  /** The form in which the data's records may be texts already. */
  form: ResponseForm;
}

/** Compiles what turns the data of an operation into the answer of a route. */
export function compileResponseWriter(
  route: RestRoute,
  operation: StoredOperation,
  vocabulary: WireVocabulary,
): ResponseWriter {
  const status = successStatusOf(route);
  const path = route.resourcePath.split(".");
  const findResource = (data: unknown): OperationData => {
    const resource = path.reduce((value, name) => (value as OperationData | null)?.[name] ?? null, data);
    if (resource === null) throw unknownPathRefusal(route);
    return resource as OperationData;
  };
  const { redirect } = route;
  invariant(
    pathParametersOf(route).length === 0 || route.pathSubject,
    `the route of ${route.operation} names the record of its path`,
  );
  invariant(route.method === "GET" || !(route.page || redirect), "an answer with headers is not stored for a repeat");
  if (redirect) {
    const { addressField, deprecated } = redirect;
    requireSelectedFields(operation, route, deprecated ? [addressField, deprecated.code] : [addressField]);
    const write: ResponseWriter["write"] = (data, _asked, request) => {
      const resource = findResource(data);
      const headers = deprecated && deprecationHeaders(route, deprecated, resource, request);
      return { status, body: "", headers: { location: resource[addressField] as string, ...headers } };
    };
    return { write, form: "VALUES" };
  }
  const body = compileBodyWriter(bodySelectionOf(route, operation), route, operation, vocabulary);
  const form = recordFormOf(route, body.form, vocabulary) ?? "VALUES";
  if (route.page) {
    requirePageParameters(route);
    requireSelectedFields(operation, route, [TOTAL_FIELD]);
    const write: ResponseWriter["write"] = async (data, { query }, { url }) => {
      const { [ROWS_FIELD]: rows, [TOTAL_FIELD]: total } = findResource(data);
      const rowTexts = await mapInTimeSlices(rows as unknown[], (row) =>
        row instanceof ResponseText ? row.text : JSON.stringify((body.write([row]) as unknown[])[0]),
      );
      const page = { rows: rowTexts, total: total as number };
      return route.page === "ENVELOPE"
        ? { status, body: stringifyEnvelope(page, query, vocabulary), headers: {} }
        : { status, body: `[${rowTexts.join(",")}]`, headers: pageHeadersOf(page, query, url, vocabulary) };
    };
    return { write, form };
  }
  const addedFields = route.addedFields && withWireNames(route.addedFields, vocabulary);
  const write: ResponseWriter["write"] = (data) => {
    const resource = findResource(data);
    if (resource instanceof ResponseText) return { status, body: resource.text, headers: {} };
    const value = body.write(resource);
    return {
      status,
      body: JSON.stringify(addedFields ? { ...addedFields, ...(value as object) } : value),
      headers: {},
    };
  };
  return { write, form };
}

/** @throws if the stored operation does not select a field that a route reads. */
function requireSelectedFields(
  { resource: { type, selection }, fragments }: StoredOperation,
  route: RestRoute,
  names: string[],
): void {
  const keys = isObjectType(type) ? selectedFieldsOf(type, selection, fragments).map(({ key }) => key) : [];
  for (const name of names)
    invariant(keys.includes(name), `${route.operation} selects ${name} of ${route.resourcePath}`);
}

/** Headers for callers that used the number: the date of its deprecation, and the address with the code. */
function deprecationHeaders(
  { path }: RestRoute,
  { parameter, code, since }: NonNullable<BrowserRedirect["deprecated"]>,
  resource: OperationData,
  { params, url }: FastifyRequest,
): Record<string, string> {
  const values = params as Record<string, string>;
  if (!/^\d+$/.test(required(values[parameter], parameter))) return {};
  const valueOf = (name: string) => (name === parameter ? (resource[code] as string) : required(values[name], name));
  const alternatePath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)));
  const { search } = new URL(url, "http://here");
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    link: `<${API_PREFIX}${alternatePath}${search}>; rel="alternate"`,
  };
}
