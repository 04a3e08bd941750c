import { invariant } from "../../src/kernel/refusals.ts";
import { getOrThrow, required } from "../../src/kernel/required-values.ts";
import { queryParametersOf, type RestRoute } from "./route.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** The part of a page object that the wire calls its content, and the count that goes with it. */
export const ROWS_FIELD = "rows";
export const TOTAL_FIELD = "totalCount";

/** The query parameters of the requested page, by their wire names. */
export type PageQuery = ReadonlyMap<string, string>;

/** One page of a list: rows as the JSON of the wire, and the total of the whole list. */
export interface RestPage {
  rows: string[];
  total: number;
}

const requiredParameters = { ENVELOPE: ["page", "size", "sort", "sortDir"], ARRAY: ["page", "size"] };

/** @throws if a route answers a page but has no page parameters. */
export function requirePageParameters(route: RestRoute): void {
  const named = new Map(queryParametersOf(route).map((parameter) => [parameter.name, parameter]));
  for (const name of requiredParameters[required(route.page, "page")])
    invariant(named.get(name)?.default !== undefined, `${route.operation} takes ${name} with a default`);
}

const pageNumbersOf = (query: PageQuery) => ({ page: Number(query.get("page")), size: Number(query.get("size")) });

/** The contract's page envelope, in neutral words. */
function toEnvelope({ rows, total }: RestPage, query: PageQuery) {
  const { page, size } = pageNumbersOf(query);
  const totalPages = Math.ceil(total / size);
  return {
    content: rows,
    pageable: {
      page,
      size,
      sortDir: getOrThrow(query, "sortDir"),
      sort: getOrThrow(query, "sort"),
      pageSize: size,
      pageNumber: page,
      offset: page * size,
      paged: true,
      unpaged: false,
    },
    sort: { sorted: true, unsorted: false, empty: false },
    number: page,
    size,
    numberOfElements: rows.length,
    totalElements: total,
    totalPages,
    first: page === 0,
    last: page + 1 >= totalPages,
    empty: rows.length === 0,
  };
}

/**
 * The envelope of a page as JSON. Its rows are JSON already: to serialize a thousand of them at once would block all
 * other requests.
 */
export function stringifyEnvelope(page: RestPage, query: PageQuery, vocabulary: WireVocabulary): string {
  const { content, ...rest } = toEnvelope(page, query);
  return `{${JSON.stringify(vocabulary.toWireField("content"))}:[${content.join(",")}],${JSON.stringify(withWireNames(rest, vocabulary)).slice(1)}`;
}

/** An envelope of nothing, which shows its shape. */
export const emptyEnvelope = toEnvelope(
  { rows: [], total: 0 },
  new Map([
    ["page", "0"],
    ["size", "20"],
    ["sort", "createdAt"],
    ["sortDir", "DESC"],
  ]),
);

/** The names that stand in the envelope. */
export const envelopeNames: readonly string[] = [emptyEnvelope, emptyEnvelope.pageable, emptyEnvelope.sort].flatMap(
  (part) => Object.keys(part),
);

/** An envelope, or a part of one, with its keys as they stand on the wire. */
export function withWireNames(envelope: object, vocabulary: WireVocabulary): object {
  const isPart = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(envelope).map(([name, value]: [string, unknown]) => [
      vocabulary.toWireField(name),
      isPart(value) ? withWireNames(value, vocabulary) : value,
    ]),
  );
}

/** Headers of a page that goes out as a bare array: how many rows there are, and where the pages beside this one stand. */
export function pageHeadersOf({ total }: RestPage, query: PageQuery, url: string, vocabulary: WireVocabulary) {
  const { page, size } = pageNumbersOf(query);
  const last = Math.max(0, Math.ceil(total / size) - 1);
  const relations = [
    ["first", 0],
    ...(page > 0 ? [["prev", Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [["next", page + 1] as const] : []),
    ["last", last],
  ] as const;
  const toLink = ([relation, number]: readonly [string, number]) => {
    const { pathname, searchParams } = new URL(url, "http://here");
    searchParams.set(vocabulary.toWireField("page"), String(number));
    searchParams.set(vocabulary.toWireField("size"), String(size));
    return `<${pathname}?${searchParams.toString()}>; rel="${relation}"`;
  };
  return { "x-total-count": String(total), link: relations.map(toLink).join(", ") };
}
