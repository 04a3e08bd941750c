import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import * as tables from "../../../schema/tables/index.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import type { TestGateway } from "../../support/test-gateway.ts";

type Value = string | number | boolean | null;
type Row = Record<string, Value>;

/** Values by chance, and the real time. */
const RANDOM_COLUMNS = new Set(["code", "id_key", "search_text", "recorded_at", "trace", "used_at", "event_id"]);
/** The row of a count that is spread over several depends on the ids of the counted records, or on chance. */
const SHARD_COLUMNS = ["shard", "slot"];
/** Tables whose rows are added to others: transactions with more work write fewer of them. */
const SUMMED_TABLES = ["order_count_changes"];

const vendorTables = (Object.values(tables) as unknown[])
  .filter((table) => is(table, PgTable))
  .map((table) => ({
    name: getTableName(table),
    columns: Object.values(getTableColumns(table)).map(({ name }) => name),
  }))
  .filter(({ columns }) => columns.includes("vendor_id"));

/** Rows of a vendor, by table. */
async function readTables(gateway: TestGateway, vendorId: number): Promise<Map<string, Row[]>> {
  const rowsByTable = new Map<string, Row[]>();
  for (const { name, columns } of vendorTables) {
    const order = columns.includes("id") ? " order by id" : "";
    const rows = await queryRows<{ row: Row }>(
      gateway,
      `select to_jsonb(t) as row from ${name} t where vendor_id = ${vendorId}${order}`,
    );
    rowsByTable.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return rowsByTable;
}

/** What an id of a record means, whichever order the records were made in. */
class RecordNames {
  private readonly names = new Map<string, string>();

  constructor(rows: ReadonlyMap<string, Row[]>) {
    const periods = new Map<Value | undefined, number>();
    for (const order of rows.get("orders") ?? []) {
      const of = order["parent_subscription_id"];
      periods.set(of, (periods.get(of) ?? 0) + 1);
      const name = of === null ? `order ${String(order["id"])}` : `renewal ${String(of)} ${String(periods.get(of))}`;
      this.add("order", order["id"], name);
      this.names.set(String(order["id_key"]), name);
    }
    for (const item of rows.get("order_items") ?? [])
      this.add("item", item["id"], `${String(this.of("order", item["order_id"]))} line ${String(item["position"])}`);
    for (const payment of rows.get("payments") ?? [])
      this.add(
        "payment",
        payment["id"],
        `${String(this.of("order", payment["order_id"]))} ${String(payment["attempt"])}`,
      );
    for (const cover of rows.get("covers") ?? [])
      this.add("cover", cover["id"], `cover of ${String(this.of("order", cover["renewal_order_id"]))}`);
    for (const charge of rows.get("simulated_charges") ?? [])
      this.names.set(String(charge["reference"]), `charge ${String(charge["idempotency_key"])}`);
  }

  of(kind: string, id: Value | undefined): Value {
    return id == null ? null : (this.names.get(`${kind} ${String(id)}`) ?? id);
  }

  /** A text with a random key in it. */
  text(text: string): string {
    for (const [random, name] of this.names)
      if (random.length > 20 && text.includes(random)) return text.replace(random, name);
    return text;
  }

  private add(kind: string, id: Value | undefined, name: string): void {
    this.names.set(`${kind} ${String(id)}`, name);
  }
}

const kindByColumn: Readonly<Record<string, string>> = {
  order_id: "order",
  renewal_order_id: "order",
  parent_order_id: "order",
  item_id: "item",
  related_item_id: "item",
  parent_item_id: "item",
  payment_id: "payment",
  cover_id: "cover",
};
const kindBySubject: Readonly<Record<string, string>> = {
  ORDER: "order",
  ORDER_ITEM: "item",
  PAYMENT: "payment",
  COVER: "cover",
};
/** Subscriptions and customers exist before the renewals, so that their ids are the same in equal worlds. */
const STABLE_IDS = new Set(["subscriptions", "subscription_items", "customers", "products", "price_plans"]);

function toComparedRow(table: string, row: Row, names: RecordNames): Row {
  const compared: Row = {};
  for (const [column, value] of Object.entries(row)) {
    if (RANDOM_COLUMNS.has(column) || (column === "id" && !STABLE_IDS.has(table))) continue;
    if (SHARD_COLUMNS.includes(column)) continue;
    const isSubscriptionItem = column === "item_id" && table.startsWith("subscription");
    const kind =
      column === "subject_id"
        ? kindBySubject[String(row["subject"])]
        : isSubscriptionItem
          ? undefined
          : kindByColumn[column];
    compared[column] = kind ? names.of(kind, value) : typeof value === "string" ? names.text(value) : value;
  }
  return compared;
}

/** The sums of a count over its rows, without those that are zero. */
function sumShards(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const { vendor_id: _vendor, ...row } of rows) {
    const isNumber = ([, value]: [string, Value]) => typeof value === "number";
    const key = JSON.stringify(Object.entries(row).filter((entry) => !isNumber(entry)));
    const sum = sums.get(key) ?? {};
    for (const [column, value] of Object.entries(row).filter(isNumber))
      sum[column] = Number(sum[column] ?? 0) + Number(value);
    sums.set(key, sum);
  }
  return [...sums].flatMap(([key, sum]) => (Object.values(sum).some((value) => value !== 0) ? [{ key, ...sum }] : []));
}

/**
 * All rows of a vendor as texts, by table, without what chance and the order of the work make different: the events of
 * each subject are in their order.
 */
export async function readComparedRows(gateway: TestGateway, vendorId: number): Promise<Record<string, string[]>> {
  const rows = await readTables(gateway, vendorId);
  const names = new RecordNames(rows);
  const compared: Record<string, string[]> = {};
  const positions = new Map<string, number>();
  for (const [table, tableRows] of rows) {
    const all = tableRows.map((row) => {
      const result = toComparedRow(table, row, names);
      if (table !== "event_log") return result;
      const subject = `${String(result["subject"])} ${String(result["subject_id"])}`;
      positions.set(subject, (positions.get(subject) ?? 0) + 1);
      return { ...result, position: positions.get(subject) ?? 0 };
    });
    const isSharded = SUMMED_TABLES.includes(table) || SHARD_COLUMNS.some((column) => column in (tableRows[0] ?? {}));
    const texts = (isSharded ? sumShards(all) : all).map((row) => JSON.stringify(row));
    compared[table] = texts.sort();
  }
  return compared;
}
