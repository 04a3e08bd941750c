import { describe, expect, test } from "vitest";
import { startGateway } from "../support/gateway.ts";
import { fillLists, fillNestedLists, keyOf, type LongList } from "../support/long-lists.ts";

const gateway = await startGateway();
const { token } = await gateway.openVendor({ zoneId: "UTC" });
const lists = await fillLists(gateway, { token });
gateway.vendor = await gateway.openVendor({ zoneId: "UTC" });
const nested = await fillNestedLists(gateway);

const ARGUMENTS = "first: $first, after: $after, last: $last, before: $before";

interface Slice {
  rows: string[];
  cursors: string[];
  hasPreviousPage: boolean;
  hasNextPage: boolean;
}

/** One slice of a list; its parts must agree with one another. */
async function sliceOf({ around, field, key }: LongList, sorting: string, variables: object, as?: string): Promise<Slice> {
  const selection = `${field}(${ARGUMENTS} ${sorting}) {
    edges { cursor node { ${key} } } nodes { ${key} } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }`;
  const document = `query Walk($first: Int, $after: String, $last: Int, $before: String) { ${around.replace("%", selection)} }`;
  const data = await gateway.data(document, { ...variables }, as === undefined ? {} : { token: as });
  const root = Object.values<any>(data)[0];
  const { edges, nodes, totalCount, pageInfo } = around === "%" ? root : root[field];
  const cursors = edges.map(({ cursor }: { cursor: string }) => cursor);
  expect({ nodes, totalCount }).toEqual({ nodes: edges.map(({ node }: { node: object }) => node), totalCount: expect.any(Number) });
  expect(pageInfo).toMatchObject({ startCursor: cursors.at(0) ?? null, endCursor: cursors.at(-1) ?? null });
  return { rows: nodes.map(keyOf), cursors, hasPreviousPage: pageInfo.hasPreviousPage, hasNextPage: pageInfo.hasNextPage };
}

/** Reads a list slice by slice from its start, or from its end. */
async function walk(list: LongList, way: "forwards" | "backwards", size: number, sorting = "", as?: string): Promise<string[][]> {
  const slices: Slice[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const last = slices.at(-1);
    const variables =
      way === "forwards" ? { first: size, after: last?.cursors.at(-1) } : { last: size, before: last?.cursors.at(0) };
    const slice = await sliceOf(list, sorting, variables, as);
    slices.push(slice);
    const [ahead, behind] =
      way === "forwards" ? [slice.hasNextPage, slice.hasPreviousPage] : [slice.hasPreviousPage, slice.hasNextPage];
    expect(behind).toBe(turn > 0);
    if (!ahead) break;
  }
  const cursors = slices.flatMap((slice) => slice.cursors);
  expect(new Set(cursors).size).toBe(cursors.length);
  return slices.map(({ rows }) => rows);
}

const chunks = (rows: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));

const SIZES = [1, 3, 7, 100];

describe.each(lists)("$name", (list) => {
  const rising = { ...list, rows: list.rows.toReversed() };
  const orders = [
    ["in its own order", list, ""],
    ["newest first", list, ", orderBy: { direction: DESC }"],
    ["oldest first", rising, ", orderBy: { direction: ASC }"],
  ] as const;

  test.each(orders)("%s gives every row once, forwards and backwards", async (_name, expected, sorting) => {
    for (const size of SIZES) {
      expect(await walk(list, "forwards", size, sorting, token)).toEqual(chunks(expected.rows, size));
      const fromTheEnd = chunks(expected.rows.toReversed(), size).map((rows) => rows.reverse());
      expect(await walk(list, "backwards", size, sorting, token)).toEqual(fromTheEnd);
    }
  });

  test("gives 20 rows unless told, and says how many there are", async () => {
    const { rows } = await sliceOf(list, "", {}, token);
    expect(rows).toEqual(list.rows);
  });
});

describe.each(nested)("$name", (list) => {
  test("gives every row once, forwards and backwards", async () => {
    for (const size of SIZES) {
      expect(await walk(list, "forwards", size)).toEqual(chunks(list.rows, size));
      const fromTheEnd = chunks(list.rows.toReversed(), size).map((rows) => rows.reverse());
      expect(await walk(list, "backwards", size)).toEqual(fromTheEnd);
    }
  });
});

test.each([...lists, ...nested])("the totalCount of $name counts the whole list, whatever the slice", async (list) => {
  const document = `{ ${list.around.replace("%", `${list.field}(first: 1) { totalCount nodes { __typename } }`)} }`;
  const data = await gateway.data(document, {}, list.around === "%" ? { token } : {});
  const root = Object.values<any>(data)[0];
  expect((list.around === "%" ? root : root[list.field]).totalCount).toBe(list.rows.length);
});

test("covers by RETRY_DATE are in the order of their next try, an ended one at its end", async () => {
  gateway.clock.set("2026-03-01T10:00:00Z");
  const orders = await gateway.data("{ coverOrders { nodes { databaseId cover { databaseId } } } }", {}, { token });
  const [first, second] = orders.coverOrders.nodes;
  for (const { databaseId: orderId } of [first, second]) {
    await gateway.data("mutation ($id: ID!) { cancelCoverOrder(input: { orderId: $id }) { order { id } } }", { id: orderId }, { token });
  }
  const { covers } = await gateway.data("{ covers { nodes { databaseId startedAt endedAt retryDate } } }", {}, { token });
  const rows = covers.nodes
    .map((row: any) => ({ id: row.databaseId as number, at: (row.endedAt ?? row.retryDate) as string }))
    .sort((a: any, b: any) => a.at.localeCompare(b.at) || a.id - b.id)
    .map(({ id }: { id: number }) => String(id));
  expect(rows.slice(0, 2)).toEqual([first, second].map(({ cover }: any) => String(cover.databaseId)).sort());
  const list = lists.find(({ name }) => name === "covers")!;
  for (const size of SIZES) {
    const sorting = ", orderBy: { field: RETRY_DATE, direction: ASC }";
    expect(await walk(list, "forwards", size, sorting, token)).toEqual(chunks(rows, size));
    const fromTheEnd = chunks(rows.toReversed(), size);
    expect(await walk(list, "forwards", size, sorting.replace("ASC", "DESC"), token)).toEqual(fromTheEnd);
  }
});
