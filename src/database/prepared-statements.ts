import { and, eq, sql, type InferInsertModel, type InferSelectModel } from "drizzle-orm";
import { PgDatabase, PgDialect, PgSession, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Handle } from "./client.ts";

/*
 * Building a statement costs Drizzle more than sending it. Those that every request needs are built once, with places for
 * their values, and run on whatever handle is at hand.
 */

/** What a session prepares of a statement. */
type Draft = Parameters<PgSession["prepareQuery"]>;
type Values = Record<string, unknown>;

/** A statement of Drizzle's that can be prepared. */
interface Preparable<Rows> {
  prepare(name: string): { execute(values?: Values): Promise<Rows> };
}

/** A session that runs nothing and remembers what it is asked to prepare. */
class Drafting extends PgSession {
  draft: Draft | undefined;

  override prepareQuery(...asked: Draft): never {
    this.draft = asked;
    return { setToken: () => undefined } as never;
  }

  override transaction(): never {
    throw new Error("A draft has no transaction.");
  }
}

function draftOf(build: (db: Handle) => Preparable<unknown>): Draft {
  const dialect = new PgDialect();
  const session = new Drafting(dialect);
  build(new PgDatabase(dialect, session, undefined)).prepare("draft");
  const [query, fields, , arrays] = session.draft!;
  return [query, fields, undefined, arrays];
}

const run = <Rows>(db: Handle, draft: Draft, values: Values): Promise<Rows> =>
  (db as unknown as PgDatabase<never>)._.session.prepareQuery(...draft).execute(values) as Promise<Rows>;

/** A statement with placeholders that is built when it is first run. */
export function drafted<Rows>(build: (db: Handle) => Preparable<Rows>): (db: Handle, values: Values) => Promise<Rows> {
  let draft: Draft | undefined;
  return (db, values) => run(db, (draft ??= draftOf(build)), values);
}

const known = new WeakMap<PgTable, Map<string, Draft>>();

/** The draft of a table's statement that sets certain columns. */
function draftFor(table: PgTable, key: string, build: (db: Handle) => Preparable<unknown>): Draft {
  const drafts = known.get(table) ?? new Map<string, Draft>();
  known.set(table, drafts);
  const draft = drafts.get(key) ?? draftOf(build);
  drafts.set(key, draft);
  return draft;
}

/** Places for values, named by their columns. A null stands in the text: columns do not expect one in a place. */
class Places {
  readonly values: Values = {};
  /** Which columns have places, and which are null. */
  key = "";

  /** A row with places for what is set of it. */
  of(row: Values, prefix: string): Values {
    const places: Values = {};
    for (const [column, value] of Object.entries(row)) {
      if (value === undefined) continue;
      this.key += value === null ? `${prefix}${column}=null ` : `${prefix}${column} `;
      places[column] = value === null ? null : sql.placeholder(prefix + column);
      if (value !== null) this.values[prefix + column] = value;
    }
    return places;
  }
}

/** Adds rows and answers them as they stand. */
export function insertInto<Table extends PgTable>(
  db: Handle,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<InferSelectModel<Table>[]> {
  const places = new Places();
  const placed = rows.map((row, index) => places.of(row, `${index}.`));
  const draft = draftFor(table, `insert ${places.key}`, (on) =>
    on
      .insert(table)
      .values(placed as never)
      .returning(),
  );
  return run(db, draft, places.values);
}

/** Sets some columns of a vendor's row, and answers it as it stands; none where the vendor has no such row. */
export function updateOf<Table extends PgTable & { vendorId: PgColumn; id: PgColumn }>(
  db: Handle,
  table: Table,
  vendorId: number,
  id: number,
  values: Partial<InferInsertModel<Table>>,
): Promise<InferSelectModel<Table>[]> {
  const places = new Places();
  const placed = places.of(values, "");
  const draft = draftFor(table, `update ${places.key}`, (on) =>
    on
      .update(table)
      .set(placed as never)
      .where(and(eq(table.vendorId, sql.placeholder("of.vendorId")), eq(table.id, sql.placeholder("of.id"))))
      .returning(),
  );
  return run(db, draft, { ...places.values, "of.vendorId": vendorId, "of.id": id });
}

/** A vendor's row, held until the transaction ends; none where the vendor has no such row. */
export function lockOf<Table extends PgTable & { vendorId: PgColumn; id: PgColumn }>(
  db: Handle,
  table: Table,
  vendorId: number,
  id: number,
): Promise<InferSelectModel<Table>[]> {
  const draft = draftFor(table, "lock", (on) =>
    on
      .select()
      .from(table as PgTable)
      .where(and(eq(table.vendorId, sql.placeholder("vendorId")), eq(table.id, sql.placeholder("id"))))
      .for("no key update"),
  );
  return run(db, draft, { vendorId, id });
}
