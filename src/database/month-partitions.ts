import { sql } from "drizzle-orm";
import type { Handle } from "./client.ts";

/** Months from the present one that have a partition. */
const MONTHS_AHEAD = 3;

/** How long a change of partitions waits for transactions that use the table; others wait behind it. It is tried again a minute later. */
const LOCK_TIMEOUT = sql.raw("'1s'");

/** A month, in UTC. */
interface Month {
  /** `2026_03` */
  name: string;
  from: Date;
  until: Date;
}

/** The time at which a partition ends, of a row `c` of `pg_class`; null for the default partition. */
const upperBound = sql.raw(
  String.raw`substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz`,
);

/**
 * The partitions of a table that is partitioned by month, in the schema of the connection. They hold the rows of all vendors.
 * Beside the months there can be one of all times before a month, and there is one for rows of no other partition.
 */
export class MonthPartitions {
  constructor(
    private readonly db: Handle,
    private readonly table: string,
    private readonly column: string,
  ) {}

  /** Makes the next missing partition of the present month and the next two. @returns 1, or 0 if none is missing. */
  async makeNext(realNow: Date): Promise<number> {
    const months = Array.from({ length: MONTHS_AHEAD }, (_, ahead) => monthAfter(realNow, ahead));
    const missing = await this.findMissing(months);
    if (missing) await this.addPartition(missing);
    return missing ? 1 : 0;
  }

  /**
   * Drops the first partition whose rows are all older than an instant; if there is none, deletes such rows from the default
   * partition, which has some only if no worker ran for months. @returns 1, or 0 if nothing was dropped.
   */
  async dropNextBefore(instant: Date): Promise<number> {
    const until = sql`${instant.toISOString()}::timestamptz`;
    const ended = (await this.db.execute(sql`
      select c.oid::regclass::text as name from pg_inherits join pg_class c on c.oid = inhrelid
      where inhparent = to_regclass(${this.table}::text) and ${upperBound} <= ${until}
      order by ${upperBound} limit 1`)) as Iterable<{ name: string }>;
    const [partition] = ended;
    if (partition) {
      await this.db.execute(sql`set local lock_timeout = ${LOCK_TIMEOUT}`);
      await this.db.execute(sql.raw(`drop table ${partition.name}`));
      return 1;
    }
    await this.db.execute(sql`delete from ${this.fallback} where ${sql.identifier(this.column)} < ${until}`);
    return 0;
  }

  /** The first month, among some, without a partition of its own or one of all times before. */
  private async findMissing(months: readonly Month[]): Promise<Month | undefined> {
    const names = JSON.stringify(months.map((month) => ({ name: this.nameOf(month), start: month.from })));
    // In the schema of this database's or cell's tables only: another schema of the search path may have a table of this name.
    const rows = (await this.db.execute(sql`
      select name from json_to_recordset(${names}::text::json) as months(name text, start timestamptz)
      where to_regclass(quote_ident(current_schema()) || '.' || quote_ident(name)) is null
        and not exists (select from pg_inherits join pg_class c on c.oid = inhrelid
          where inhparent = to_regclass(${this.table}::text) and ${upperBound} > start
            and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM (MINVALUE)%')`)) as Iterable<{ name: string }>;
    const missing = new Set(Array.from(rows, ({ name }) => name));
    return months.find((month) => missing.has(this.nameOf(month)));
  }

  /**
   * Adds the partition of a month, with the indexes of the default one. Rows of the month that are in the default partition move
   * into it. Attaching a table lets writers continue, while creating a partition would wait for all of them.
   */
  private async addPartition(month: Month): Promise<void> {
    const [table, partition, column] = [this.table, this.nameOf(month), this.column].map((name) =>
      sql.identifier(name),
    );
    const [from, until] = [month.from, month.until].map((instant) => sql.raw(`'${instant.toISOString()}'`));
    await this.db.execute(sql`set local lock_timeout = ${LOCK_TIMEOUT}`);
    await this.db.execute(
      sql`create table ${partition} (like ${this.fallback} including defaults including constraints including indexes)`,
    );
    await this.db.execute(sql`
      with moved as (delete from ${this.fallback} where ${column} >= ${from} and ${column} < ${until} returning *)
      insert into ${partition} select * from moved`);
    await this.db.execute(
      sql`alter table ${table} attach partition ${partition} for values from (${from}) to (${until})`,
    );
  }

  private get fallback() {
    return sql.identifier(`${this.table}_default`);
  }

  private nameOf({ name }: Month): string {
    return `${this.table}_${name}`;
  }
}

/** The month, in UTC, that is so many after the present one. */
function monthAfter(now: Date, ahead: number): Month {
  const startOf = (month: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1));
  const from = startOf(ahead);
  return { name: from.toISOString().slice(0, 7).replace("-", "_"), from, until: startOf(ahead + 1) };
}
