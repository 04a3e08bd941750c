import { bigint, pgTable, timestamp } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pg-proxy";
import { beforeEach, describe, expect, test } from "vitest";
import type { Handle } from "../../../src/database/client.ts";
import { KeysetList } from "../../../src/database/keyset-list.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import type { SliceRequest } from "../../../src/kernel/slice.ts";

/* A keyset on a database that answers what the test says, and remembers what it was asked. */

const asked: { text: string; parameters: unknown[] }[] = [];
let answers: [vendorId: string, id: string, madeAt: string, usedAt: string][] = [];
const db = drizzle(async (text, parameters) => {
  asked.push({ text, parameters });
  return { rows: answers };
}) as unknown as Handle;
beforeEach(() => {
  asked.length = 0;
  answers = [];
});

const tableNamed = (name: string) =>
  pgTable(name, {
    vendorId: bigint("vendor_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull(),
    madeAt: timestamp("made_at", { withTimezone: true }).notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }).notNull(),
  });
const things = tableNamed("things");
type Thing = typeof things.$inferSelect;

const keysetOf = (table: ReturnType<typeof tableNamed>) =>
  new KeysetList<Thing, object, "MADE_AT" | "USED_AT", never>(db, {
    table,
    sorts: {
      MADE_AT: { expression: table.madeAt, valueOf: (row) => row.madeAt },
      USED_AT: { expression: table.usedAt, valueOf: (row) => row.usedAt },
    },
    parentColumns: {},
    filterCondition: () => undefined,
  });
const list = keysetOf(things);
const [byMaking, byUse] = [
  { field: "MADE_AT", direction: "DESC" },
  { field: "USED_AT", direction: "DESC" },
] as const;

const row = (id: number, second: number): (typeof answers)[number] => [
  "7",
  String(id),
  `2026-03-01 09:30:0${second}.123+00`,
  "2026-03-02 00:00:00+00",
];
const slice = (request: SliceRequest, sorting: Parameters<typeof list.slice>[3] = byMaking) =>
  list.slice(7, {}, request, sorting);

/** The cursor of a row. */
async function cursorOf(id: number, second: number, keyset = list, sorting: typeof byMaking | typeof byUse = byMaking) {
  answers = [row(id, second)];
  const { rows } = await keyset.slice(7, {}, { first: 1 }, sorting);
  asked.length = 0;
  answers = [];
  return rows[0]!.cursor;
}

test.each<[SliceRequest, string, number]>([
  [{}, "desc", 21],
  [{ first: 5 }, "desc", 6],
  [{ last: 5 }, "asc", 6],
])(
  "a slice of %o asks for one row more than it gives, in its own order or from the end",
  async (request, order, limit) => {
    await slice(request);
    const [{ text, parameters }] = asked as [(typeof asked)[number]];
    expect(text).toMatch(new RegExp(`order by "things"."made_at" ${order}, "things"."id" ${order} limit \\$2$`));
    expect(parameters).toEqual([7, limit]);
  },
);

describe("a cursor", () => {
  test.each([
    ["after", "DESC", "<"],
    ["before", "DESC", ">"],
    ["after", "ASC", ">"],
    ["before", "ASC", "<"],
  ] as const)("given to %s in the order %s asks for the rows %s its own", async (argument, direction, sign) => {
    const cursor = await cursorOf(42, 5);
    const request = argument === "after" ? { first: 2, after: cursor } : { last: 2, before: cursor };
    await slice(request, { field: "MADE_AT", direction });
    const [{ text, parameters }] = asked as [(typeof asked)[number]];
    expect(text).toContain(`("things"."made_at", "things"."id") ${sign} (`);
    expect(parameters).toEqual([7, "2026-03-01T09:30:05.123Z", 42, 3]);
  });

  test("is opaque text that fits into an address", async () => {
    expect(await cursorOf(42, 5)).toMatch(/^[\w-]+$/);
  });

  test("differs for rows that differ in time or in number alone, and is the same for the same", async () => {
    const cursors = [await cursorOf(1, 1), await cursorOf(1, 2), await cursorOf(2, 1)];
    expect(new Set(cursors).size).toBe(3);
    expect(await cursorOf(1, 1)).toBe(cursors[0]);
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

  test("of another order, or of another list, is refused", async () => {
    const foreign = [await cursorOf(1, 1, list, byUse), await cursorOf(1, 1, keysetOf(tableNamed("others")))];
    for (const after of foreign) await expect(slice({ first: 1, after })).rejects.toEqual(refusal("after"));
    expect(asked).toEqual([]);
  });

  const encoded = (text: string): string => Buffer.from(text).toString("base64url");

  test.each([
    "",
    "x",
    "\0",
    "🂡",
    encoded("things:MADE_AT"),
    encoded("things:MADE_AT::"),
    encoded("1:1"),
    "a".repeat(100_000),
  ])("that is garbage (%.20j) is refused, and nothing is asked", async (garbage) => {
    await expect(slice({ first: 1, after: garbage })).rejects.toThrow(Refusal);
    await expect(slice({ first: 1, after: garbage })).rejects.toEqual(refusal("after"));
    await expect(slice({ last: 1, before: garbage })).rejects.toEqual(refusal("before"));
    expect(asked).toEqual([]);
  });

  test("with a time or a number that no row has is refused", async () => {
    const own = Buffer.from(await cursorOf(42, 5), "base64url").toString();
    const [at, id] = [/\d{13}/, /42$/];
    const forged = [
      own.replace(at, "253402300800000"),
      own.replace(at, "-62135596800001"),
      own.replace(at, "8640000000000001"),
      own.replace(at, "1e12"),
      own.replace(at, ""),
      own.replace(id, ""),
      own.replace(id, "0"),
      own.replace(id, "-1"),
      own.replace(id, "4.2"),
      own.replace(id, "9007199254740993"),
      `${own}:1`,
      ` ${own}`,
    ];
    for (const text of forged)
      await expect(slice({ first: 1, after: encoded(text) }), text).rejects.toEqual(refusal("after"));
    expect(asked).toEqual([]);
  });
});

describe("a slice says what lies around it", () => {
  const around = async (request: SliceRequest, ids: number[]) => {
    answers = ids.map((id) => row(id, 1));
    const { rows, hasNextPage, hasPreviousPage } = await slice(request);
    return { ids: rows.map(({ row: { id } }) => id), hasNextPage, hasPreviousPage };
  };

  test("forwards: the row too many is cut off and means that there are more", async () => {
    const after = await cursorOf(9, 1);
    expect(await around({ first: 2 }, [3, 2])).toEqual({ ids: [3, 2], hasNextPage: false, hasPreviousPage: false });
    expect(await around({ first: 2 }, [3, 2, 1])).toEqual({ ids: [3, 2], hasNextPage: true, hasPreviousPage: false });
    expect(await around({ first: 2, after }, [3])).toEqual({ ids: [3], hasNextPage: false, hasPreviousPage: true });
    expect(await around({ first: 2, after }, [])).toEqual({ ids: [], hasNextPage: false, hasPreviousPage: true });
  });

  test("backwards: the rows come in the list's own order", async () => {
    const before = await cursorOf(5, 0);
    expect(await around({ last: 2 }, [1, 2])).toEqual({ ids: [2, 1], hasNextPage: false, hasPreviousPage: false });
    expect(await around({ last: 2 }, [1, 2, 3])).toEqual({ ids: [2, 1], hasNextPage: false, hasPreviousPage: true });
    expect(await around({ last: 2, before }, [1])).toEqual({ ids: [1], hasNextPage: true, hasPreviousPage: false });
  });
});
