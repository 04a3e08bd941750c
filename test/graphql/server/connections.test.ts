import { describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { runMutation } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import {
  createListFixtures,
  createNestedListFixtures,
  rowKeyOf,
  type ListFixture,
} from "../../support/fixtures/list-fixtures.ts";

const gateway = await startGateway();
const { token } = await gateway.openVendor({ zoneId: "UTC" });
const lists = await createListFixtures(gateway, { token });
const { coverOrders } = await gateway.queryData("{ coverOrders(first: 2) { nodes { databaseId } } }", {}, { token });
for (const { databaseId: orderId } of coverOrders.nodes)
  await runMutation(gateway, "cancelCoverOrder", { orderId }, undefined, { token });
gateway.vendor = await gateway.openVendor({ zoneId: "UTC" });
const nested = await createNestedListFixtures(gateway);

const ARGUMENTS = "first: $first, after: $after, last: $last, before: $before";

interface Slice {
  rows: string[];
  cursors: string[];
  totalCount: number;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
}

/** One slice of a list; its parts must agree with one another. */
async function sliceOf(
  { documentTemplate, field, key }: ListFixture,
  sorting: string,
  variables: object,
  as?: string,
): Promise<Slice> {
  const selection = `${field}(${ARGUMENTS} ${sorting}) {
    edges { cursor node { ${key} } } nodes { ${key} } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }`;
  const document = `query Walk($first: Int, $after: String, $last: Int, $before: String) { ${documentTemplate.replace("%", selection)} }`;
  const data = await gateway.queryRawData(document, { ...variables }, as === undefined ? {} : { token: as });
  const root = Object.values<RawData>(data)[0];
  const { edges, nodes, totalCount, pageInfo } = documentTemplate === "%" ? root : root[field];
  const cursors = edges.map(({ cursor }: { cursor: string }) => cursor);
  expect(nodes).toEqual(edges.map(({ node }: { node: object }) => node));
  expect(pageInfo).toMatchObject({ startCursor: cursors.at(0) ?? null, endCursor: cursors.at(-1) ?? null });
  return {
    rows: nodes.map(rowKeyOf),
    cursors,
    totalCount,
    hasPreviousPage: pageInfo.hasPreviousPage,
    hasNextPage: pageInfo.hasNextPage,
  };
}

/** Reads a list slice by slice from its start, or from its end. */
async function walk(
  list: ListFixture,
  way: "forwards" | "backwards",
  size: number,
  sorting = "",
  as?: string,
): Promise<string[][]> {
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

const fromTheEnd = (rows: readonly string[], size: number): string[][] =>
  chunks(rows.toReversed(), size).map((chunk) => chunk.reverse());

/** Slices of one row, some, exactly all, and more than all. */
const SIZES = [1, 3, 7, 100];

async function expectEveryRowOnce(list: ListFixture, sorting = "", as?: string): Promise<void> {
  for (const size of SIZES) {
    expect(await walk(list, "forwards", size, sorting, as)).toEqual(chunks(list.expectedKeys, size));
    expect(await walk(list, "backwards", size, sorting, as)).toEqual(fromTheEnd(list.expectedKeys, size));
  }
}

describe.each(lists.map((list) => [list.name, list] as const))("%s", (_name, list) => {
  test("gives every row once, newest first, forwards and backwards", () => expectEveryRowOnce(list, "", token));

  test.each([
    ["DESC", list.expectedKeys],
    ["ASC", list.expectedKeys.toReversed()],
  ])("gives every row once in the order %s, forwards and backwards", (direction, rows) =>
    expectEveryRowOnce({ ...list, expectedKeys: rows }, `orderBy: { direction: ${direction} }`, token),
  );

  test("counts the whole list, whatever the slice", async () => {
    expect((await sliceOf(list, "", { first: 1 }, token)).totalCount).toBe(7);
  });
});

describe.each(nested.map((list) => [list.name, list] as const))("%s", (_name, list) => {
  test("gives every row once, forwards and backwards", () => expectEveryRowOnce(list));

  test("counts the whole list, whatever the slice", async () => {
    expect((await sliceOf(list, "", { first: 1 })).totalCount).toBe(list.expectedKeys.length);
  });
});

test.each(["ASC", "DESC"] as const)(
  "covers in the order of RETRY_DATE %s, an ended one at its end, give every row once",
  async (direction) => {
    const { covers } = await gateway.queryData("{ covers { nodes { databaseId endedAt retryDate } } }", {}, { token });
    const rows: string[] = covers.nodes
      .map((row) => ({ id: row.databaseId, at: row.endedAt ?? row.retryDate! }))
      .sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id)
      .map(({ id }) => String(id));
    if (direction === "DESC") rows.reverse();
    const list = lists.find(({ name }) => name === "covers")!;
    await expectEveryRowOnce(
      { ...list, expectedKeys: rows },
      `orderBy: { field: RETRY_DATE, direction: ${direction} }`,
      token,
    );
  },
);
