import { sql, type Column } from "drizzle-orm";
import {
  bigint,
  check,
  customType,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  type PgColumn,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import Big from "big.js";

/** An exact amount of money: up to 15 digits before the point and 6 after it, as the wire allows. */
export const amount = customType<{ data: Big; driverData: string }>({
  dataType: () => "numeric(21, 6)",
  fromDriver: (stored) => new Big(stored),
  toDriver: (value) => value.toFixed(),
});

/** An exact rate, with decimals enough for the weakest currency in the strongest. */
export const rate = customType<{ data: Big; driverData: string }>({
  dataType: () => "numeric(27, 12)",
  fromDriver: (stored) => new Big(stored),
  toDriver: (value) => value.toFixed(),
});

/** Amounts together: however many the largest amounts are, their sum fits. */
export const totalAmount = customType<{ data: Big; driverData: string }>({
  dataType: () => "numeric(38, 6)",
  fromDriver: (stored) => new Big(stored),
  toDriver: (value) => value.toFixed(),
});

/** A sum of squares or of products, as exact as the amounts in it. */
export const squareSum = customType<{ data: number; driverData: string }>({
  dataType: () => "numeric",
  fromDriver: Number,
  toDriver: String,
});

/** Raw bytes. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** The id of a trace in W3C form, 32 hexadecimal digits, in the 16 bytes that they stand for. */
export const traceId = customType<{ data: string; driverData: string }>({
  dataType: () => "uuid",
  fromDriver: (stored) => stored.replaceAll("-", ""),
  toDriver: (value) => value,
});

/** An instant in milliseconds, which a JavaScript date represents exactly. */
export const instant = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: "date" });

/** A count that is only ever incremented, from 0. */
export const countColumn = (name: string) => integer(name).notNull().default(0);

/** A sum of amounts that is only ever added to, from 0. */
export const amountColumn = (name: string) =>
  totalAmount(name)
    .notNull()
    .default(sql`0`);

/** Several instants in order. */
export const instantArray = (name: string) => instant(name).array();

/** A row's number, drawn from a sequence of the table; with the vendor's it is the primary key. */
export const identity = () => bigint("id", { mode: "number" }).generatedAlwaysAsIdentity();

/** Several numbers of rows, in order. */
export const referenceArray = (name: string) => bigint(name, { mode: "number" }).array();

/** A reference by number. The foreign key is always composite, so that no row points across vendors. */
export const reference = (name: string) => bigint(name, { mode: "number" });

/** The vendor that a row belongs to. */
export const vendorReference = () => reference("vendor_id").notNull();

/**
 * The search text for keywords: several texts of the row as one, in lower case, separated by a character that cannot be
 * typed. A generated column.
 */
export const searchText = (...texts: string[]) =>
  text("search_text").generatedAlwaysAs(sql.raw(`lower(${texts.join(" || chr(31) || ")})`));

/**
 * Finds a part of a search column by its trigrams, within one vendor. New rows wait in a list and go into it together, about a
 * hundred at a time: one by one, each of their trigrams would write to a page of its own. Each search reads the list whole, and
 * a long one makes the planner prefer to read the table, so that it is short: in kB.
 */
export const searchIndex = (name: string, vendorId: PgColumn, text: ExtraConfigColumn) =>
  index(name).using("gin", vendorId, text.op("gin_trgm_ops")).with({ fastupdate: true, gin_pending_list_limit: 256 });

/** Restricts a text column to a closed list of words. */
export const enumCheck = (name: string, column: Column, words: Record<string, string>) =>
  check(
    name,
    sql`${column} in (${sql.raw(
      Object.keys(words)
        .map((word) => `'${word}'`)
        .join(", "),
    )})`,
  );

/** The words of a closed list as the tuple that a text column takes. */
export const enumValues = <W extends string>(words: Readonly<Record<W, W>>) => Object.keys(words) as [W, ...W[]];

/** The key of a vendor's table: the vendor first, so that the rows of one lie together and could be moved together. */
export const vendorPrimaryKey = (name: string, table: { vendorId: PgColumn; id: PgColumn }) =>
  primaryKey({ name, columns: [table.vendorId, table.id] });

/** A reference to a row of the same vendor. The vendor is part of it, so that no row can point across vendors. */
export const vendorForeignKey = (
  name: string,
  vendorId: PgColumn,
  id: PgColumn,
  other: { vendorId: PgColumn; id: PgColumn },
) => foreignKey({ name, columns: [vendorId, id], foreignColumns: [other.vendorId, other.id] });
