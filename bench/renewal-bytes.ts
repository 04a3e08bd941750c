import "reflect-metadata";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { required } from "../src/kernel/required-values.ts";
import { openRenewingMerchant } from "./figures/renewing-merchant.ts";

/*
 * `npm run bench:bytes`: subscriptions of one vendor become due at once, and one worker charges them. Prints what one renewal
 * costs in the database: bytes that tables and indexes grow by, and bytes of the write-ahead log (WAL), by relation. A
 * checkpoint comes first, so that each page is written whole into the WAL at its first change; these page images are a column
 * of their own, because they depend on the time between checkpoints. Then the next month is measured, after a vacuum: its
 * renewals write into the space of the row versions that the first one replaced. SUBSCRIPTIONS sets the number of renewals.
 */

const SUBSCRIPTIONS = Number(process.env["SUBSCRIPTIONS"] ?? 4_000);
const MAX_SECONDS = 300;
const MONTH_MS = 31 * 86_400_000;

/** A table or an index, and the table that it belongs to. */
interface RelationSize {
  table: string;
  relation: string;
  isIndex: boolean;
  bytes: number;
}

/** WAL records that change a relation. */
interface RelationWal {
  table: string;
  relation: string;
  records: number;
  bytes: number;
  imageBytes: number;
}

const merchant = await openRenewingMerchant({ subscriptions: SUBSCRIPTIONS, gatewayMs: 1 });
const sql = postgres(merchant.superuserUrl, { max: 1, onnotice: () => undefined });
try {
  await sql`create extension if not exists pg_walinspect`;
  console.log(`${SUBSCRIPTIONS} renewals, one worker; bytes for each renewal; Node ${process.version}`);
  console.log("First month:");
  await measureMonth(sql, SUBSCRIPTIONS);
  await sql`update vendors set clock_ahead_ms = clock_ahead_ms + ${MONTH_MS}`;
  console.log("Second month:");
  await measureMonth(sql, 2 * SUBSCRIPTIONS);
} finally {
  await sql.end();
  await merchant.close();
}

/** Charges what is due until there are so many payments, and prints what it cost. */
async function measureMonth(session: postgres.Sql, payments: number): Promise<void> {
  await session`vacuum`;
  await session`checkpoint`;
  const [before, from] = [await readSizes(session), await readPosition(session)];
  const stopWorker = merchant.launchWorker();
  await waitForPayments(session, payments);
  await stopWorker();
  const [after, until] = [await readSizes(session), await readPosition(session)];
  const totals = await readTotals(session, from, until);
  printFigures({ before, after, wal: await readWal(session, from, until), ...totals });
}

/** Waits until there are so many payments, and each event has its number. */
async function waitForPayments(session: postgres.Sql, payments: number): Promise<void> {
  const end = performance.now() + MAX_SECONDS * 1_000;
  for (;;) {
    const [row] = await session<{ paid: number; unnumbered: number }[]>`
      select (select count(*) from payments where state = 'SUCCEEDED')::int as paid,
        (select count(*) from unnumbered_events)::int as unnumbered`;
    const { paid, unnumbered } = required(row, "counts");
    if (paid >= payments && unnumbered === 0) return;
    if (performance.now() > end) throw new Error(`Only ${paid} of ${payments} renewals were charged.`);
    await wait(500);
  }
}

/** The sizes of all tables and indexes; a table's with its long values, and a partition's as its parent's. */
function readSizes(session: postgres.Sql): Promise<RelationSize[]> {
  return session<RelationSize[]>`
    select coalesce(parent.relname, t.relname) as table,
      case when c.oid = t.oid then coalesce(parent.relname, t.relname) else c.relname end as relation,
      c.relkind = 'i' as "isIndex",
      (pg_relation_size(c.oid) + coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as bytes
    from pg_class c left join pg_index i on i.indexrelid = c.oid
    join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
    left join pg_inherits h on h.inhrelid = t.oid left join pg_class parent on parent.oid = h.inhparent
    where c.relkind in ('r', 'i') and t.relkind = 'r' and t.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;
}

async function readPosition(session: postgres.Sql): Promise<string> {
  const [row] = await session<{ position: string }[]>`select pg_current_wal_flush_lsn()::text as position`;
  return required(row, "a position").position;
}

/** WAL records by the relation that they change first. */
function readWal(session: postgres.Sql, from: string, until: string): Promise<RelationWal[]> {
  return session<RelationWal[]>`
    select coalesce(parent.relname, t.relname, '(others)') as table,
      case when i.indexrelid is null then coalesce(parent.relname, t.relname, '(others)') else c.relname end as relation,
      count(*)::int as records, sum(w.record_length)::float8 as bytes, sum(w.images)::float8 as "imageBytes"
    from (select start_lsn, (array_agg(relfilenode order by block_id))[1] as relfilenode, max(record_length) as record_length,
        coalesce(sum(block_fpi_length), 0) as images
      from pg_get_wal_block_info(${from}::pg_lsn, ${until}::pg_lsn, false) group by start_lsn) w
    left join pg_class c on pg_relation_filenode(c.oid) = w.relfilenode
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
    left join pg_inherits h on h.inhrelid = t.oid left join pg_class parent on parent.oid = h.inhparent
    group by 1, 2`;
}

/** The distance in the log, and the number of transactions that committed. */
async function readTotals(
  session: postgres.Sql,
  from: string,
  until: string,
): Promise<{ walBytes: number; commits: number }> {
  const [row] = await session<{ walBytes: number; commits: number }[]>`
    select pg_wal_lsn_diff(${until}::pg_lsn, ${from}::pg_lsn)::float8 as "walBytes", (select count(*)::int
      from pg_get_wal_records_info(${from}::pg_lsn, ${until}::pg_lsn) where record_type like 'COMMIT%') as commits`;
  return required(row, "totals");
}

function printFigures({
  before,
  after,
  wal,
  walBytes,
  commits,
}: {
  before: RelationSize[];
  after: RelationSize[];
  wal: RelationWal[];
  walBytes: number;
  commits: number;
}): void {
  const each = (value: number) => Math.round(value / SUBSCRIPTIONS);
  const grown = new Map<string, { table: number; index: number; wal: number; images: number; records: number }>();
  const figuresOf = (table: string) => {
    const figures = grown.get(table) ?? { table: 0, index: 0, wal: 0, images: 0, records: 0 };
    grown.set(table, figures);
    return figures;
  };
  const indexes = new Map<string, number>();
  for (const [sizes, sign] of [
    [before, -1],
    [after, 1],
  ] as const)
    for (const { table, relation, isIndex, bytes } of sizes) {
      figuresOf(table)[isIndex ? "index" : "table"] += sign * bytes;
      if (isIndex) indexes.set(relation, (indexes.get(relation) ?? 0) + sign * bytes);
    }
  for (const { table, bytes, imageBytes, records } of wal) {
    const figures = figuresOf(table);
    figures.wal += bytes - imageBytes;
    figures.images += imageBytes;
    figures.records += records;
  }
  const rows = [...grown].toSorted(([, a], [, b]) => b.table + b.index + b.wal - a.table - a.index - a.wal);
  console.log(columnsOf("table", ["table", "indexes", "WAL", "page images", "WAL records"]));
  for (const [table, { table: own, index, wal: log, images, records }] of rows)
    if (each(own + index) !== 0 || each(log) >= 10)
      console.log(
        columnsOf(table, [each(own), each(index), each(log), each(images), (records / SUBSCRIPTIONS).toFixed(1)]),
      );
  const sum = (pick: (figures: (typeof rows)[number][1]) => number) =>
    each(rows.reduce((total, [, figures]) => total + pick(figures), 0));
  console.log(
    columnsOf("all", [sum((f) => f.table), sum((f) => f.index), sum((f) => f.wal), sum((f) => f.images), ""]),
  );
  console.log(`WAL in all ${each(walBytes)} bytes, ${(commits / SUBSCRIPTIONS).toFixed(2)} commits for each renewal`);
  console.log("Indexes and their WAL without page images:");
  for (const [index, bytes] of [...indexes].toSorted(([, a], [, b]) => b - a)) {
    const log = wal.filter(({ relation }) => relation === index).reduce((s, w) => s + w.bytes - w.imageBytes, 0);
    if (each(bytes) >= 10 || each(log) >= 50) console.log(columnsOf(index, [each(bytes), each(log)]));
  }
}

function columnsOf(name: string, values: readonly (number | string)[]): string {
  return name.padEnd(40) + values.map((value) => value.toLocaleString("en").padStart(12)).join("");
}
