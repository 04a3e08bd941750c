import { sql } from "drizzle-orm";
import type { Handle } from "../database/client.ts";

/** A month of the event log. */
export interface LogMonth {
  /** `2026-03` */
  name: string;
  from: Date;
  until: Date;
}

const partitionOf = ({ name }: LogMonth): string => `event_log_${name.replace("-", "_")}`;

/** Definitions of the event log's partitions. They hold the events of all vendors. */
export class EventPartitionRepository {
  constructor(private readonly db: Handle) {}

  /** The months without a partition. */
  async missingOf(months: readonly LogMonth[]): Promise<LogMonth[]> {
    const names = JSON.stringify(months.map(partitionOf));
    const rows = (await this.db.execute(
      // In the schema of this database's or cell's tables only: another schema of the search path may have a table of this name.
      sql`select name from json_array_elements_text(${names}::text::json) name
        where to_regclass(quote_ident(current_schema()) || '.' || quote_ident(name)) is null`,
    )) as Iterable<{ name: string }>;
    const missing = new Set(Array.from(rows, ({ name }) => name));
    return months.filter((month) => missing.has(partitionOf(month)));
  }

  /**
   * Adds the partition of a month. Events of the month that are in the default partition move into it. Attaching a table lets
   * writers continue, while creating a partition would wait for all of them.
   */
  async addPartition(month: LogMonth): Promise<void> {
    const table = sql.identifier(partitionOf(month));
    const [from, until] = [month.from, month.until].map((instant) => sql.raw(`'${instant.toISOString()}'`));
    await this.db.execute(sql`set local lock_timeout = '2s'`);
    await this.db.execute(sql`create table ${table} (like event_log including defaults including constraints)`);
    await this.db.execute(sql`
      with moved as (delete from event_log_default where recorded_at >= ${from} and recorded_at < ${until} returning *)
      insert into ${table} select * from moved`);
    await this.db.execute(sql`alter table event_log attach partition ${table} for values from (${from}) to (${until})`);
  }
}
