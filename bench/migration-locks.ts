import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { withHomePlace } from "../src/database/migrations/migrate.ts";
import { applyMigration } from "../src/database/migrations/apply-migration.ts";
import { parseMigration } from "../src/database/migrations/migration-files.ts";
import { openBenchStore } from "./support/bench-store.ts";

/*
 * `npm run bench:migrations`: how long a migration of each kind keeps statements of others waiting, on a table of a million rows as wide as
 * orders and on a narrow one of ten million. Readers and writers send statements to both meanwhile, and every other second a transaction
 * reads for a second, so that what changes a table has to wait. WIDE_ROWS and NARROW_ROWS change the sizes, KINDS=UPDATE names
 * the kinds. The longest wait is that of a caller, who may also have waited for the processor; the longest lock is what the server says of
 * statements that wait for a lock.
 */

const WIDE_ROWS = Number(process.env["WIDE_ROWS"] ?? 1_000_000);
const NARROW_ROWS = Number(process.env["NARROW_ROWS"] ?? 10_000_000);
const KINDS = new RegExp(process.env["KINDS"] ?? "");
const WIDE_TEXTS = 24;
const LONG_READ_SECONDS = 1;
/** Locks are waited for at least so long before they are seen. */
const LOCK_SAMPLE_MS = 20;
/** Rest between two migrations, in which statements that waited end. */
const PAUSE_MS = 1_500;

const OUTSIDE = "-- recoup: outside of a transaction";
const addCheck = (table: string) =>
  `alter table "${table}" add constraint "${table}_checked" check ("word" is not null) not valid`;
type MeasuredMigration = [kind: string, table: string, text: string];

/** Migrations of each kind, in their order, and last what the rules refuse. */
const migrations = (
  [
    [
      "ADD COLUMN with a constant default",
      (table) => `alter table "${table}" add column "added" int not null default 7`,
    ],
    ["ADD CONSTRAINT … NOT VALID", addCheck],
    ["VALIDATE CONSTRAINT", (table) => `${OUTSIDE}\nalter table "${table}" validate constraint "${table}_checked"`],
    ["SET NOT NULL after it", (table) => `alter table "${table}" alter column "word" set not null`],
    [
      "CREATE INDEX CONCURRENTLY",
      (table) => `${OUTSIDE}\ncreate index concurrently "${table}_word" on "${table}" ("vendor_id", "word")`,
    ],
    ["DROP INDEX CONCURRENTLY", (table) => `${OUTSIDE}\ndrop index concurrently if exists "${table}_word"`],
    [
      "CREATE TABLE with a foreign key to it",
      (table) =>
        `create table "${table}_more" ("vendor_id" bigint not null, "id" bigint not null, "version" uuid);--> statement-breakpoint\nalter table "${table}_more" add constraint "${table}_more_fk" foreign key ("vendor_id", "id") references "${table}" ("vendor_id", "id")`,
    ],
    ["DROP COLUMN", (table) => `alter table "${table}" drop column "added"`],
  ] as [string, (table: string) => string][]
).flatMap(([kind, toText]) =>
  ["wide_rows", "narrow_rows"].map((table): MeasuredMigration => [kind, table, toText(table)]),
);
migrations.push(
  [
    "UPDATE in batches",
    "wide_rows",
    `-- recoup: in batches of "wide_rows"\nupdate "wide_rows" set "word" = 'new' where {batch}`,
  ],
  [
    "refused by the rules: CREATE INDEX",
    "narrow_rows",
    'create index "narrow_rows_kept" on "narrow_rows" ("vendor_id", "word")',
  ],
  ["refused by the rules: ALTER COLUMN TYPE", "wide_rows", 'alter table "wide_rows" alter column "amount" type bigint'],
);

const bench = await openBenchStore();
const { url } = bench.store;
const CALLERS = "bench-callers";
const connect = (max: number, name = "bench") =>
  postgres(url, { max, onnotice: () => undefined, fetch_types: false, connection: { application_name: name } });
const sql = connect(1);
try {
  const filledAt = performance.now();
  await fillTables();
  console.log(
    `${WIDE_ROWS.toLocaleString("en")} wide rows, ${NARROW_ROWS.toLocaleString("en")} narrow rows, filled in ${seconds(filledAt)} s; ${await sizes()}; Node ${process.version}`,
  );
  console.log(
    "kind".padEnd(44),
    "table".padEnd(12),
    "seconds".padStart(8),
    "statements".padStart(11),
    "longest wait, ms".padStart(17),
    "longest lock, ms".padStart(17),
  );
  await measure("no migration", "", () => wait(10_000));
  for (const [index, [kind, table, text]] of migrations.entries())
    if (KINDS.test(kind))
      await measure(kind, table, () =>
        withHomePlace(url, {}, (place) =>
          applyMigration(place, parseMigration(`bench_${index}`, 9_000_000_000_000 + index, text)),
        ),
      );
} finally {
  await sql.end();
  await bench.remove();
}

async function fillTables(): Promise<void> {
  const texts = Array.from({ length: WIDE_TEXTS }, (_, index) => `text_${index} text`).join(", ");
  const values = Array.from({ length: WIDE_TEXTS }, (_, index) => `'value ${index} of row ' || n`).join(", ");
  await sql.unsafe(
    `create table wide_rows (vendor_id bigint, id bigint, word text, amount int, at timestamptz, ${texts}, primary key (vendor_id, id))`,
  );
  await sql.unsafe("create table narrow_rows (vendor_id bigint, id bigint, word text, primary key (vendor_id, id))");
  await sql.unsafe("set synchronous_commit = off");
  await sql.unsafe(
    `insert into wide_rows select v, n, 'word', n % 1000, now(), ${values} from generate_series(0, 99) v, generate_series(1, ${WIDE_ROWS / 100}) n`,
  );
  await sql.unsafe("create index wide_rows_at on wide_rows (vendor_id, at, id)");
  await sql.unsafe(
    `insert into narrow_rows select v, n, 'word' from generate_series(0, 99) v, generate_series(1, ${Math.ceil(NARROW_ROWS / 100)}) n`,
  );
  await sql.unsafe("analyze wide_rows");
  await sql.unsafe("analyze narrow_rows");
}

async function sizes(): Promise<string> {
  const rows = await sql<{ name: string; size: string }[]>`
    select relname as name, pg_size_pretty(pg_total_relation_size(oid)) as size from pg_class where relname in ('wide_rows', 'narrow_rows')`;
  return rows.map(({ name, size }) => `${name} ${size}`).join(", ");
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

/** Runs work beside readers and writers of both tables, and prints how long their longest statement took. */
async function measure(kind: string, table: string, work: () => Promise<void>): Promise<void> {
  const clients = connect(9, CALLERS);
  const stopping = new AbortController();
  let [statements, longest, longestLock] = [0, 0, 0];
  const send = async (text: string) => {
    const startedAt = performance.now();
    await clients.unsafe(text);
    longest = Math.max(longest, performance.now() - startedAt);
    statements++;
  };
  const random = (limit: number) => Math.floor(Math.random() * limit);
  const repeat = async (step: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await step();
      await wait(2);
    }
  };
  const callers = ["wide_rows", "narrow_rows"].flatMap((name) => {
    const row = () => `vendor_id = ${random(100)} and id = ${1 + random(WIDE_ROWS / 100)}`;
    let newest = 1_000_000_000 + random(1_000_000_000);
    return [
      repeat(() => send(`select word from ${name} where ${row()}`)),
      repeat(() => send(`update ${name} set word = 'changed' where ${row()}`)),
      repeat(() => send(`insert into ${name} (vendor_id, id, word) values (${random(100)}, ${newest++}, 'added')`)),
      repeat(async () => {
        // Its own time is no wait.
        await clients.unsafe(`select pg_sleep(${LONG_READ_SECONDS}) from (select from ${name} limit 1) as one`);
        await wait(LONG_READ_SECONDS * 1_000);
      }),
    ];
  });
  callers.push(
    repeat(async () => {
      const [found] = await sql<{ ms: number | null }[]>`
        select max(extract(epoch from clock_timestamp() - waitstart))::float8 * 1000 as ms
        from pg_locks join pg_stat_activity using (pid) where not granted and application_name = ${CALLERS}`;
      longestLock = Math.max(longestLock, found?.ms ?? 0);
      await wait(LOCK_SAMPLE_MS);
    }),
  );
  const startedAt = performance.now();
  const fault = await work().then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  const taken = seconds(startedAt);
  await wait(PAUSE_MS);
  stopping.abort();
  await Promise.all(callers);
  await clients.end();
  console.log(
    kind.padEnd(44),
    table.padEnd(12),
    taken.padStart(8),
    String(statements).padStart(11),
    String(Math.round(longest)).padStart(17),
    String(Math.round(longestLock)).padStart(17),
    ...(fault === undefined ? [] : [`failed: ${fault}`]),
  );
}
