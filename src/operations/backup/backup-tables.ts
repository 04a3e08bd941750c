import postgres from "postgres";
import { OperationError } from "../operation-error.ts";
import type { BackupEnd, BackupHeader, BackupTable } from "./backup.format.ts";

/** A foreign key or a trigger: it checks or repeats each write, and is suspended while rows are loaded. */
interface WriteRule {
  suspend: string;
  resume: string;
}

type Session = postgres.TransactionSql;

/** The table that lists the migrations of a schema, if it is a cell. That of the home database is in another schema. */
export const JOURNAL_TABLE = "__drizzle_migrations";

/** Tables that are not copied: the new place has a list of migrations of its own, and counts the requests of its own minutes. */
const LEFT_OUT = new Set([JOURNAL_TABLE, "request_counts"]);

/** A transaction whose rows are copied. */
interface CopyOptions {
  url: string;
  /** The schema of the tables. Defaults to that of the address. */
  schema?: string | undefined;
  /** The words after `begin`. */
  mode?: "isolation level repeatable read read only";
}

/** Runs work in a transaction that copies rows. */
export async function inCopyTransaction<Result>(
  { url, schema, mode }: CopyOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const client = postgres(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  try {
    return await new Promise<Result>((resolve, reject) => {
      let result: { value: Result } | undefined;
      const transaction = client.begin(mode ?? "", async (session) => {
        await setTextFormats(session);
        if (schema !== undefined) await session.unsafe(`set local search_path = "${schema}", public`);
        // Reported at once: rows that nobody reads any more, as on a full disk, would keep the rollback waiting.
        await work(session).then((value) => (result = { value }), reject);
        if (!result) throw new Error("the work has failed");
      });
      transaction.then(() => result && resolve(result.value), reject);
    });
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** Values have one text on all servers and in all sessions. */
export const setTextFormats = (session: Session): Promise<unknown> =>
  session
    .unsafe(
      `set local datestyle = 'ISO, YMD'; set local intervalstyle = postgres; set local timezone = 'UTC'; set local extra_float_digits = 3;
       set local bytea_output = hex; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    )
    .simple();

/** The tables with the columns that are stored, in the order of their names. Parts of tables belong to their parent. */
export const listTables = (session: Session): Promise<BackupTable[]> =>
  session<BackupTable[]>`
    select relname as table, (select json_agg(attname order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`;

/** The tables whose rows are in a backup, and in a cell that is moved. */
export const listCopiedTables = async (session: Session): Promise<BackupTable[]> =>
  (await listTables(session)).filter(({ table }) => !LEFT_OUT.has(table));

export const listPartitions = (session: Session): Promise<BackupHeader["partitions"]> =>
  session<BackupHeader["partitions"]>`
    select child.relname as name, parent.relname as parent, pg_get_expr(child.relpartbound, child.oid) as bounds
    from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where child.relnamespace = current_schema()::regnamespace and child.relispartition and child.relkind = 'r'
      and pg_get_expr(child.relpartbound, child.oid) <> 'DEFAULT'
    order by 1`;

/** Makes a partition, with the keys and indexes of the default one: the table as a whole may have fewer. */
export async function addPartition(
  session: Session,
  { name, parent, bounds }: BackupHeader["partitions"][number],
): Promise<void> {
  await session.unsafe(
    `create table "${name}" (like "${parent}_default" including defaults including constraints including indexes)`,
  );
  await session.unsafe(`alter table "${parent}" attach partition "${name}" ${bounds}`);
}

/** The sequences as they are now: no transaction holds them back, so that they are read after the rows. */
export async function listSequences(session: Session): Promise<BackupEnd["sequences"]> {
  const names = await session<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`;
  if (names.length === 0) return [];
  const each = names.map(
    ({ name }) => `select '${name}' as name, last_value::text as value, is_called as "isCalled" from "${name}"`,
  );
  return session.unsafe<BackupEnd["sequences"]>(each.join(" union all "));
}

/** Foreign keys, which are checked when they are added again, and triggers. */
export async function listWriteRules(session: Session): Promise<WriteRule[]> {
  const keys = await session<WriteRule[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as suspend,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as resume
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`;
  const triggers = await session<WriteRule[]>`
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as suspend,
      format('alter table %s enable %s trigger %I', tgrelid::regclass,
        case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as resume
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not tgisinternal and tgparentid = 0 and tgenabled <> 'D'`;
  return [...keys, ...triggers];
}

/** @throws an OperationError if gateways or workers are connected. */
export async function refuseIfInUse(session: Session): Promise<void> {
  const sessions =
    await session`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and application_name in ('recoup', 'recoup-jobs')`;
  if (sessions.length > 0)
    throw new OperationError(
      "DATABASE_IN_USE",
      `Gateways, workers or commands are connected to the database (${sessions.length} connections). Stop them, then try again.`,
    );
}

/** Removes all tables of the schema with what belongs to them. */
export async function dropTables(session: Session): Promise<void> {
  const tables = await listTables(session);
  const functions = await session<{ name: string }[]>`
    select pg_proc.oid::regprocedure::text as name from pg_proc where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`;
  for (const { table } of tables) await session.unsafe(`drop table "${table}" cascade`);
  for (const { name } of functions) await session.unsafe(`drop function ${name} cascade`);
}

/** The rows of a table in PostgreSQL's text format of COPY. */
export async function* readRows(session: Session, { table, columns }: BackupTable): AsyncGenerator<Buffer> {
  const stream = await session.unsafe(`copy (select ${columnList(columns)} from "${table}") to stdout`).readable();
  yield* stream as AsyncIterable<Buffer>;
  // The driver pauses its socket for a chunk that fills the stream, and resumes it at the next read, which an ended stream has
  // not. (postgres 3.4.9, `CopyData` in connection.js)
  stream._read(0);
}

export const copyIn = ({ table, columns }: BackupTable): string =>
  `copy "${table}" (${columnList(columns)}) from stdin`;

const columnList = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(", ");
