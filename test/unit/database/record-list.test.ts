import { eq, type SQL } from "drizzle-orm";
import { bigint, integer, numeric, PgDialect, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { beforeEach, describe, expect, test } from "vitest";
import type { Handle } from "../../../src/database/client.ts";
import { RecordList } from "../../../src/database/lists/record-list.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import type { SliceRequest } from "../../../src/kernel/slice.ts";

/* A list on a database that answers what the test says, and records its queries. */

const asked: { text: string; parameters: unknown[] }[] = [];
let answers: object[] = [];
const db = {
  execute: (statement: SQL) => {
    const { sql: text, params: parameters } = new PgDialect().sqlToQuery(statement);
    asked.push({ text, parameters });
    return Promise.resolve(answers);
  },
} as unknown as Handle;
beforeEach(() => {
  asked.length = 0;
  answers = [];
});

const tableNamed = (name: string) =>
  pgTable(name, {
    vendorId: bigint("vendor_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull(),
    madeAt: timestamp("made_at", { withTimezone: true }).notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    place: integer("place").notNull(),
    price: numeric("price").notNull(),
    name: text("name").notNull(),
  });
const things = tableNamed("things");
type Thing = typeof things.$inferSelect;
type Field = "MADE_AT" | "USED_AT" | "USE_OR_END" | "PLACE" | "PRICE" | "NAME" | "ID";

const listOf = (table: ReturnType<typeof tableNamed>) =>
  new RecordList<Thing, { name?: string }, Field, "place">(db, {
    table,
    sorts: {
      MADE_AT: table.madeAt,
      USED_AT: table.usedAt,
      USE_OR_END: (thing) => `coalesce(${thing}."used_at", ${thing}."ended_at")`,
      PLACE: table.place,
      PRICE: table.price,
      NAME: table.name,
      ID: table.id,
    },
    parentConditions: { place: table.place },
    filterCondition: ({ name }) => (name === undefined ? undefined : eq(table.name, name)),
  });
const list = listOf(things);
const newest = { field: "MADE_AT", direction: "DESC" } as const;

const MADE = "2026-03-01T09:30:05.123Z";
/** A row in the driver's form. */
const row = (id: number, value: string | null = MADE) => ({
  vendor_id: "7",
  id: String(id),
  made_at: "2026-03-01 09:30:05.123+00",
  used_at: null,
  ended_at: null,
  place: 3,
  price: "4.50",
  name: "thing",
  cursor_value: value,
});
const slice = (request: SliceRequest, sorting: Parameters<typeof list.slice>[3] = newest) =>
  list.slice(7, {}, request, sorting);

/** The cursor of a row. */
async function cursorOf(
  id: number,
  value: string | null = MADE,
  sorting: Parameters<typeof list.slice>[3] = newest,
  of = list,
) {
  answers = [row(id, value)];
  const { rows } = await of.slice(7, {}, { first: 1 }, sorting);
  asked.length = 0;
  answers = [];
  return rows[0]!.cursor;
}

const encoded = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
const decoded = (cursor: string): unknown => JSON.parse(Buffer.from(cursor, "base64url").toString());

test("a record has every column as Drizzle reads it", async () => {
  answers = [row(42)];
  const { rows } = await slice({ first: 1 });
  expect(rows.map((each) => each.row)).toEqual([
    {
      vendorId: 7,
      id: 42,
      madeAt: new Date(MADE),
      usedAt: null,
      endedAt: null,
      place: 3,
      price: "4.50",
      name: "thing",
    },
  ]);
});

test.each<[SliceRequest, string, number]>([
  [{}, "desc", 21],
  [{ first: 5 }, "desc", 6],
  [{ last: 5 }, "asc", 6],
])(
  "a slice of %o reads one row more than it returns, in its own order or from the end",
  async (request, order, limit) => {
    await slice(request);
    const [{ text, parameters }] = asked as [(typeof asked)[number]];
    expect(text).toMatch(new RegExp(`order by "things"."made_at" ${order}, "things"."id" ${order} limit \\$2$`));
    expect(parameters).toEqual([7, limit]);
  },
);

test("the slices of many parents are one statement, and each parent gets its own rows", async () => {
  answers = [1, 2, 3].map((id) => ({ ...row(id), slice_parent: id === 2 ? "9" : "8" }));
  const slices = await list.sliceOfEach(7, "place", [8, 9, 10], {}, { first: 1 }, newest);
  expect(slices.map(({ rows, hasNextPage }) => [rows.map((each) => each.row.id), hasNextPage])).toEqual([
    [[1], true],
    [[2], false],
    [[], false],
  ]);
  expect(asked).toHaveLength(1);
});

test("the slices of many parents obey the filter and the cursor, like any other slice", async () => {
  answers = [];
  const after = await cursorOf(42);
  asked.length = 0;
  await list.sliceOfEach(7, "place", [8, 9], { name: "thing" }, { first: 1, after }, newest);
  const [{ text, parameters }] = asked as [(typeof asked)[number]];
  expect(text).toContain(`("things"."made_at", "things"."id") < (`);
  expect(text).toContain(`"things"."name" = $`);
  expect(parameters).toEqual(expect.arrayContaining(["thing", MADE, 42]));
});

test("the counts of many parents are one statement, and a parent without rows has none", async () => {
  answers = [
    { parent: "8", total: "2" },
    { parent: "9", total: "0" },
  ];
  expect(await list.countOfEach(7, "place", [9, 8, 10], {})).toEqual([0, 2, 0]);
  expect(asked).toHaveLength(1);
});

test("a numbered page is one statement that finds its ids first", async () => {
  answers = [row(3), row(2)];
  const rows = await list.page(7, {}, { page: 4, size: 2 }, newest);
  expect(rows.map(({ id }) => id)).toEqual([3, 2]);
  expect(asked).toEqual([
    { text: expect.stringMatching(/any\(array\(select .* limit \$\d offset \$\d\)\)/s), parameters: [7, 7, 2, 8] },
  ]);
});

describe("a cursor", () => {
  test.each([
    ["after", "DESC", "<"],
    ["before", "DESC", ">"],
    ["after", "ASC", ">"],
    ["before", "ASC", "<"],
  ] as const)("given to %s in the order %s reads the rows %s its own", async (argument, direction, sign) => {
    const sorting = { field: "MADE_AT", direction } as const;
    const cursor = await cursorOf(42, MADE, sorting);
    await slice(argument === "after" ? { first: 2, after: cursor } : { last: 2, before: cursor }, sorting);
    const [{ text, parameters }] = asked as [(typeof asked)[number]];
    expect(text).toContain(`("things"."made_at", "things"."id") ${sign} (`);
    expect(parameters).toEqual([7, MADE, 42, 3]);
  });

  test.each<[Field, string | null, string, unknown]>([
    ["USED_AT", MADE, "::timestamptz", MADE],
    ["USED_AT", null, "::timestamptz", "-infinity"],
    ["USE_OR_END", MADE, "::timestamptz", MADE],
    ["PLACE", "-3", "::bigint", "-3"],
    ["ID", "42", "::bigint", "42"],
    ["PRICE", "4.5", "::numeric", "4.5"],
    ["NAME", "naïve \" '", "::text", "naïve \" '"],
  ])("by %s at %j is compared as %s", async (field, value, cast, parameter) => {
    const sorting = { field, direction: "ASC" } as const;
    await slice({ first: 1, after: await cursorOf(42, value, sorting) }, sorting);
    expect(asked[0]!.text).toContain(`> ($2${cast}, $3::bigint)`);
    expect(asked[0]!.parameters).toEqual([7, parameter, 42, 2]);
  });

  test("contains its version, its list and order, the value and the id", async () => {
    expect(decoded(await cursorOf(42))).toEqual([1, "things MADE_AT DESC", MADE, 42]);
  });

  test("is opaque text that fits into a URL", async () => {
    expect(await cursorOf(42)).toMatch(/^[\w-]+$/);
  });

  test("differs for rows that differ in value or in id only, and is the same for the same row", async () => {
    const later = "2026-03-01T09:30:06.123Z";
    const cursors = [await cursorOf(1), await cursorOf(1, later), await cursorOf(2)];
    expect(new Set(cursors).size).toBe(3);
    expect(await cursorOf(1)).toBe(cursors[0]);
  });

  const refusal = (argument: string) =>
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      details: {
        fields: [
          { path: argument, code: "INVALID_VALUE", message: expect.stringMatching(/^is not a cursor of this list/) },
        ],
      },
    });

  async function expectRefused(cursor: string, sorting = newest as Parameters<typeof list.slice>[3]): Promise<void> {
    await expect(slice({ first: 1, after: cursor }, sorting), cursor).rejects.toThrow(Refusal);
    await expect(slice({ first: 1, after: cursor }, sorting), cursor).rejects.toEqual(refusal("after"));
    await expect(slice({ last: 1, before: cursor }, sorting), cursor).rejects.toEqual(refusal("before"));
    expect(asked).toEqual([]);
  }

  test("of another field, direction or list is refused", async () => {
    await expectRefused(await cursorOf(1, MADE, { field: "USED_AT", direction: "DESC" }));
    await expectRefused(await cursorOf(1, MADE, { field: "MADE_AT", direction: "ASC" }));
    await expectRefused(await cursorOf(1, MADE, newest, listOf(tableNamed("others"))));
  });

  test.each([
    ["the colons of whole records", Buffer.from("things:MADE_AT:1772357405123:42").toString("base64url")],
    ["JSON without a version", encoded(["things:MADE_AT", MADE, 42])],
    ["an earlier version", encoded([0, "things MADE_AT DESC", MADE, 42])],
    ["a later version", encoded([2, "things MADE_AT DESC", MADE, 42])],
  ])("in another format, %s, is refused", (_, cursor) => expectRefused(cursor));

  test.each(["", "x", "\0", "🂡", encoded(null), encoded({}), encoded([1]), encoded("1:1"), "a".repeat(100_000)])(
    "that is garbage (%.20j) is refused, and no query runs",
    (garbage) => expectRefused(garbage),
  );

  test.each<[Field, unknown]>([
    ["MADE_AT", "+010000-01-01T00:00:00.000Z"],
    ["MADE_AT", "0000-01-01T00:00:00.000Z"],
    ["MADE_AT", "2026-02-30T00:00:00.000Z"],
    ["MADE_AT", "2026-03-01T09:30:05Z"],
    ["MADE_AT", ""],
    ["MADE_AT", 1772357405123],
    ["MADE_AT", null],
    ["USE_OR_END", null],
    ["PLACE", null],
    ["PLACE", "1.5"],
    ["PLACE", "1e3"],
    ["PLACE", "9".repeat(16)],
    ["PRICE", "1e3"],
    ["PRICE", "NaN"],
    ["NAME", "\0"],
    ["NAME", "\ud800"],
  ])("by %s with the value %j, which no row has, is refused", async (field, value) => {
    await expectRefused(encoded([1, `things ${field} DESC`, value, 42]), { field, direction: "DESC" });
  });

  test.each([0, -1, 4.2, Number.MAX_SAFE_INTEGER + 1, "42", null, [42]])(
    "with the id %j, which no row has, is refused",
    (id) => expectRefused(encoded([1, "things MADE_AT DESC", MADE, id])),
  );

  test("that the list would write differently is refused", async () => {
    const own = await cursorOf(42);
    const text = Buffer.from(own, "base64url").toString();
    await expectRefused(`${own}=`);
    await expectRefused(` ${own}`);
    await expectRefused(Buffer.from(` ${text}`).toString("base64url"));
    await expectRefused(encoded([...(decoded(own) as unknown[]), 1]));
  });
});

describe("the page info of a slice", () => {
  const around = async (request: SliceRequest, ids: number[]) => {
    answers = ids.map((id) => row(id));
    const { rows, hasNextPage, hasPreviousPage } = await slice(request);
    return { ids: rows.map(({ row: { id } }) => id), hasNextPage, hasPreviousPage };
  };

  test("forwards: the extra row is cut off and means that there are more", async () => {
    const after = await cursorOf(9);
    expect(await around({ first: 2 }, [3, 2])).toEqual({ ids: [3, 2], hasNextPage: false, hasPreviousPage: false });
    expect(await around({ first: 2 }, [3, 2, 1])).toEqual({ ids: [3, 2], hasNextPage: true, hasPreviousPage: false });
    expect(await around({ first: 2, after }, [3])).toEqual({ ids: [3], hasNextPage: false, hasPreviousPage: true });
    expect(await around({ first: 2, after }, [])).toEqual({ ids: [], hasNextPage: false, hasPreviousPage: true });
  });

  test("backwards: the rows are in the list's own order", async () => {
    const before = await cursorOf(5);
    expect(await around({ last: 2 }, [1, 2])).toEqual({ ids: [2, 1], hasNextPage: false, hasPreviousPage: false });
    expect(await around({ last: 2 }, [1, 2, 3])).toEqual({ ids: [2, 1], hasNextPage: false, hasPreviousPage: true });
    expect(await around({ last: 2, before }, [1])).toEqual({ ids: [1], hasNextPage: true, hasPreviousPage: false });
  });
});
