import type { FastifyRequest } from "fastify";
import { isObjectType } from "graphql";
import { invariant } from "../../src/kernel/refusals.ts";
import { inTurns } from "../../src/kernel/cooperative-work.ts";
import { below, type Operation, type Selected } from "./stored-operations.ts";
import { checkPage, envelopeText, inWireKeys, pageHeaders, ROWS, TOTAL } from "./page-envelope.ts";
import type { Asked } from "./request-reader.ts";
import { unknownInPath } from "./path-subjects.ts";
import { pathParameters, PREFIX, successStatus, type Redirect, type Route } from "./route.ts";
import { fieldsOf } from "./selected-fields.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";
import { bodyWriter } from "./body-writer.ts";

/** An answer as it goes out. */
export interface Written {
  status: number;
  body: string;
  headers: Record<string, string>;
}

type Data = Record<string, unknown>;

/** The part of an operation's answer that the body of a route consists of. */
export const contentOf = (route: Route, operation: Operation): Selected =>
  route.page ? below(operation.answer, ROWS, operation.fragments, route.operation) : operation.answer;

/** Compiles what turns the data of an operation into the answer of a route. */
export function answerWriter(
  route: Route,
  operation: Operation,
  vocabulary: Vocabulary,
): (data: unknown, asked: Asked, request: FastifyRequest) => Written | Promise<Written> {
  const status = successStatus(route);
  const path = route.answer.split(".");
  const resourceIn = (data: unknown): Data => {
    const resource = path.reduce((value, name) => (value as Data | null)?.[name] ?? null, data);
    if (resource === null) throw unknownInPath(route);
    return resource as Data;
  };
  const { redirect } = route;
  invariant(
    pathParameters(route).length === 0 || route.finds,
    `the route of ${route.operation} says what its path finds`,
  );
  invariant(route.method === "GET" || !(route.page || redirect), "what answers headers is not stored for a repeat");
  if (redirect) {
    const { to, deprecated } = redirect;
    checkLeaves(operation, route, deprecated ? [to, deprecated.code] : [to]);
    return (data, _asked, request) => {
      const resource = resourceIn(data);
      const headers = deprecated && alternateHeaders(route, deprecated, resource, request);
      return { status, body: "", headers: { location: resource[to] as string, ...headers } };
    };
  }
  const write = bodyWriter(contentOf(route, operation), route, operation, vocabulary);
  if (route.page) {
    checkPage(route);
    checkLeaves(operation, route, [TOTAL]);
    return async (data, { query }, { url }) => {
      const { [ROWS]: rows, [TOTAL]: total } = resourceIn(data);
      const texts = await inTurns(rows as unknown[], (row) => JSON.stringify((write([row]) as unknown[])[0]));
      const page = { rows: texts, total: total as number };
      return route.page === "ENVELOPE"
        ? { status, body: envelopeText(page, query, vocabulary), headers: {} }
        : { status, body: `[${texts.join(",")}]`, headers: pageHeaders(page, query, url, vocabulary) };
    };
  }
  const adds = route.adds && inWireKeys(route.adds, vocabulary);
  return (data) => {
    const body = write(resourceIn(data));
    return { status, body: JSON.stringify(adds ? { ...adds, ...(body as object) } : body), headers: {} };
  };
}

/** @throws where the answered resource is not asked for what a route reads of it. */
function checkLeaves({ answer: { type, selection }, fragments }: Operation, route: Route, names: string[]): void {
  const keys = isObjectType(type) ? fieldsOf(type, selection, fragments).map(({ key }) => key) : [];
  for (const name of names) invariant(keys.includes(name), `${route.operation} selects ${name} of ${route.answer}`);
}

/** Headers for whoever used the number: since when that is on its way out, and the address that has the code. */
function alternateHeaders(
  { path }: Route,
  { parameter, code, since }: NonNullable<Redirect["deprecated"]>,
  resource: Data,
  { params, url }: FastifyRequest,
): Record<string, string> {
  const values = params as Record<string, string>;
  if (!/^\d+$/.test(values[parameter]!)) return {};
  const valueOf = (name: string) => (name === parameter ? (resource[code] as string) : values[name]!);
  const alternate = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)));
  const { search } = new URL(url, "http://here");
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    link: `<${PREFIX}${alternate}${search}>; rel="alternate"`,
  };
}
