import { invariant } from "../../src/kernel/refusals.ts";
import { queryParameters, type Route } from "./route.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** The part of a page object that the wire calls its content, and the count that goes with it. */
export const ROWS = "rows";
export const TOTAL = "totalCount";

/** Which page was asked for, in the words of the wire. */
export type Choice = ReadonlyMap<string, string>;

/** One page of a list: rows as the JSON that stands on the wire, and how many the whole list has. */
export interface Page {
  rows: string[];
  total: number;
}

const needed = { ENVELOPE: ["page", "size", "sort", "sortDir"], ARRAY: ["page", "size"] };

/** @throws where a route answers a page that nobody can choose. */
export function checkPage(route: Route): void {
  const named = new Map(queryParameters(route).map((parameter) => [parameter.name, parameter]));
  for (const name of needed[route.page!])
    invariant(named.get(name)?.default !== undefined, `${route.operation} takes ${name} with a default`);
}

const numbersOf = (choice: Choice) => ({ page: Number(choice.get("page")), size: Number(choice.get("size")) });

/** The contract's page envelope, in neutral words. */
function envelopeOf({ rows, total }: Page, choice: Choice) {
  const { page, size } = numbersOf(choice);
  const totalPages = Math.ceil(total / size);
  return {
    content: rows,
    pageable: {
      page,
      size,
      sortDir: choice.get("sortDir")!,
      sort: choice.get("sort")!,
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

/** The envelope of a page as JSON. Its rows are JSON already: to write a thousand of them at once would hold up everybody. */
export function envelopeText(page: Page, choice: Choice, vocabulary: Vocabulary): string {
  const { content, ...rest } = envelopeOf(page, choice);
  return `{${JSON.stringify(vocabulary.field("content"))}:[${content.join(",")}],${JSON.stringify(inWireKeys(rest, vocabulary)).slice(1)}`;
}

/** An envelope of nothing, which shows its shape. */
export const emptyEnvelope = envelopeOf(
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
export function inWireKeys(envelope: object, vocabulary: Vocabulary): object {
  const isPart = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(envelope).map(([name, value]: [string, unknown]) => [
      vocabulary.field(name),
      isPart(value) ? inWireKeys(value, vocabulary) : value,
    ]),
  );
}

/** Headers of a page that goes out as a bare array: how many rows there are, and where the pages beside this one stand. */
export function pageHeaders({ total }: Page, choice: Choice, url: string, vocabulary: Vocabulary) {
  const { page, size } = numbersOf(choice);
  const last = Math.max(0, Math.ceil(total / size) - 1);
  const relations = [
    ["first", 0],
    ...(page > 0 ? [["prev", Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [["next", page + 1] as const] : []),
    ["last", last],
  ] as const;
  const link = ([relation, number]: readonly [string, number]) => {
    const { pathname, searchParams } = new URL(url, "http://here");
    searchParams.set(vocabulary.field("page"), String(number));
    searchParams.set(vocabulary.field("size"), String(size));
    return `<${pathname}?${searchParams.toString()}>; rel="${relation}"`;
  };
  return { "x-total-count": String(total), link: relations.map(link).join(", ") };
}
