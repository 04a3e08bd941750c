import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLSchema, getOperationAST, parse } from "graphql";
import { expect, test } from "vitest";
import { stringifyResponse } from "../../../src/graphql/execution/response-json.ts";
import { compileOperation } from "../../../src/graphql/execution/operation-compiler.ts";
import { mapInTimeSlices } from "../../../src/kernel/scheduling/cooperative-work.ts";

const rows = Array.from({ length: 300 }, (_, index) => index);

/** Work that blocks the process for half a millisecond. */
function hold(row: number): number {
  const end = performance.now() + 0.5;
  while (performance.now() < end);
  return row * 2;
}

/** How often other work runs while this work continues. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const other = () => {
    turns++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await work();
  isOver = true;
  return turns;
}

const type = new GraphQLObjectType({
  name: "Query",
  fields: {
    rows: {
      type: new GraphQLList(
        new GraphQLObjectType({
          name: "Row",
          fields: { value: { type: GraphQLInt, resolve: (row: number) => hold(row) } },
        }),
      ),
      args: { first: { type: GraphQLInt } },
      resolve: (_source, { first }: { first?: number }) => rows.slice(0, first),
    },
  },
});

/** The answer of a compiled query with so many rows. */
async function compiled(first: number): Promise<unknown> {
  const operation = getOperationAST(parse(`{ rows(first: ${first}) { value } }`))!;
  return compileOperation(new GraphQLSchema({ query: type }), operation, {})!({ context: {}, variables: {} });
}

test("other work runs while a long list is processed", async () => {
  let results: number[] = [];
  expect(await turnsDuring(async () => (results = await mapInTimeSlices(rows, hold)))).toBeGreaterThan(5);
  expect(results).toEqual(rows.map((row) => row * 2));
});

test("a short list is processed without a pause", async () => {
  expect(await turnsDuring(() => mapInTimeSlices(rows.slice(0, 100), hold))).toBeLessThan(3);
});

test("an answer with a long list is the same text, written with pauses", async () => {
  const row = (value: number) => ({
    value,
    none: null,
    list: [1, { a: "“" }],
    toJSON: () => ({ value: hold(value), none: null }),
  });
  const answer = {
    errors: undefined,
    data: { page: { rows: rows.map(row), totalCount: 300 }, other: [{ rows: [] }], "": null },
  };
  let text = "";
  expect(await turnsDuring(async () => (text = await stringifyResponse(answer)))).toBeGreaterThan(5);
  expect(text).toBe(`${JSON.stringify(answer)}\n`);
});

test("a compiled query completes a long list with pauses, and a short one without", async () => {
  expect(await turnsDuring(() => compiled(300))).toBeGreaterThan(5);
  expect(await turnsDuring(() => compiled(100))).toBeLessThan(3);
  expect(await compiled(300)).toEqual({ rows: rows.map((row) => ({ value: row * 2 })) });
});
