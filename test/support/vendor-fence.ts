import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as tables from "../../schema/tables/index.ts";

/** Tables of a vendor's data; `vendors` itself is read before the vendor of the request is known. */
const vendorTables: ReadonlySet<string> = new Set(
  Object.values(tables)
    .filter((table) => is(table, PgTable))
    .map((table) => getTableConfig(table as PgTable))
    .filter(({ columns }) => columns.some(({ name }) => name === "vendor_id"))
    .map(({ name }) => name),
);

/**
 * Queries without a vendor: whose a token, a session, a link to set a password, an e-mail address or an order's code is, and which codes several
 * vendors have. And the one update of many vendors: when keys were last used. And the searches for vendors that have
 * due work, whose events have no number, and whose messages are due: they return nothing but the ids of vendors. And the daily check of all
 * entries of the ledger.
 */
const EXEMPT_STATEMENTS = [
  /^select "vendor_id" from "orders" where "orders"\."code" = \$1 limit \$2$/,
  /^select distinct "code" from "orders" where "orders"\."code_repeat" > \$1 /,
  /where \("api_keys"\."hash" = \$1/,
  /where "sessions"\."hash" = \$1$/,
  /where \("password_links"\."hash" = \$1/,
  /where \(lower\("managers"\."username"\) = lower\(\$1\)/,
  /^\s*update "api_keys" set last_used_at/,
  /^(?:explain \(costs off\))?\s*select v\."id" from "vendors" v where v\."enabled" and v\."id" in \(\s*select "\w+"\."vendor_id" from /,
  /^\s*select e\."vendor_id", e\."order_id"[^]* from "ledger_entries" e\s+where \(?\(e\."vendor_id", e\."order_id"\) > /,
  /^\s*with recursive "found" as \(\s*\(select "vendor_id" as "id" from "(?:unnumbered_events|messages)" /,
];

/**
 * The statements that use a vendor's table without naming the vendor, or name it by a comparison of a column with itself, which
 * is true of every vendor's rows.
 */
export function findUnfencedStatements(statements: readonly { text: string }[]): string[] {
  const texts = new Set(statements.map(({ text }) => text));
  return [...texts].filter((text) => {
    if (comparesColumnWithItself(text)) return true;
    if (EXEMPT_STATEMENTS.some((exception) => exception.test(text))) return false;
    const touched = [...text.matchAll(/\b(?:from|join|update|into) "(\w+)"(?: (?:as )?([a-z]\w*))?/g)];
    return touched.some(([, table, alias]) => vendorTables.has(table!) && !namesVendor(text, table!, alias));
  });
}

/** Whether the statement restricts the rows of the table to a vendor, under the table's name or its alias. */
function namesVendor(text: string, table: string, alias: string | undefined): boolean {
  const inserted = new RegExp(`insert into "${table}" \\([^)]*"vendor_id"`);
  const rows = [`"${table}"`, ...(alias === undefined ? [] : [alias])];
  // Orders of child vendors name the vendor whose order they belong to: the one exception to the fence.
  if (table === "orders" && rows.some((row) => text.includes(`${row}."parent_vendor_id" = `))) return true;
  return rows.some((row) => text.includes(`${row}."vendor_id" = `)) || inserted.test(text);
}

const COLUMN = String.raw`(?:("?\w+"?)\.)?"?(\w+)"?`;
const COMPARISON = new RegExp(String.raw`(?<![\w".])${COLUMN} = ${COLUMN}(?![\w".(])`, "g");

/**
 * Whether a column is compared with itself. Without the name of its table, a column in a subquery is that of the subquery's own
 * table: `o."vendor_id" = "vendor_id"` compares a column of `o` with itself. Drizzle leaves the name out in the fields of a
 * statement on one table.
 */
function comparesColumnWithItself(text: string): boolean {
  return [...text.matchAll(COMPARISON)].some(([, left, leftColumn, right, rightColumn]) => {
    if (leftColumn !== rightColumn) return false;
    // An assignment of an update, `set "state" = s."state"`, has no table on its left side.
    return left === right ? left !== undefined : left !== undefined && right === undefined;
  });
}
