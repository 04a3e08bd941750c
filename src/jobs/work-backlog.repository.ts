import { sql, type SQL } from "drizzle-orm";
import type { Handle } from "../database/client.ts";
import { timestamp, timestampLiteral, type DueRows } from "../database/due-rows.ts";
import { keysOf } from "../kernel/typed-records.ts";

/** Work that is due and was not done, of all enabled vendors at the real time. */
export interface WorkBacklog {
  /** How many rows of a kind have been due for at least an age; `MAX_COUNT` stands for that many or more. */
  dueWork: { work: string; age: WorkAge; count: number }[];
  /** How long the oldest one of a queue has waited, in seconds; 0 if none waits. */
  oldest: { queue: string; seconds: number }[];
  /** The families whose model of a source is tested, by whether it decides. */
  models: { source: string; state: "decides" | "given_up"; count: number }[];
}

/** For how long rows have been due, in milliseconds. */
const AGES = { "0s": 0, "5m": 5 * 60_000, "1h": 60 * 60_000, "1d": 24 * 60 * 60_000 };
export type WorkAge = keyof typeof AGES;

const MAX_COUNT = 10_000;

/** Queries for the metrics of operators. They read across all vendors, as the search for due work does. */
export class WorkBacklogRepository {
  constructor(private readonly db: Handle) {}

  /** Counts what is due by the indexes of the search for vendors with work, so that the cost grows with the backlog. */
  async read(now: Date, kinds: Readonly<Record<string, DueRows>>): Promise<WorkBacklog> {
    const counts = keysOf(AGES).flatMap((age) =>
      Object.entries(kinds).map(([work, rows]) => countDue({ work, age }, rows, new Date(now.getTime() - AGES[age]))),
    );
    const dueWork = await this.rowsOf<{ work: string; age: WorkAge; count: number }>(
      sql.join(counts, sql` union all `),
    );
    const oldest = await this.rowsOf<{ queue: string; seconds: number }>(sql`
      select q."queue", greatest(0, coalesce(extract(epoch from ${timestamp(now)} - q."since"), 0))::float8 as "seconds" from (values
        ('events', (select min(u."recorded_at") from "unnumbered_events" u)),
        ('webhooks', (select e."due_at" from "webhook_endpoints" e where e."enabled" and e."due_at" is not null order by e."due_at" limit 1)),
        ('messages', (select min(m."attempt_at") from "messages" m where m."attempt_at" is not null))
      ) q ("queue", "since")`);
    const models = await this.rowsOf<WorkBacklog["models"][number]>(sql`
      select lower(t."source") as "source", case when t."given_up_at" is null then 'decides' else 'given_up' end as "state", count(*)::int as "count"
      from "recovery_model_trust" t group by 1, 2`);
    return { dueWork, oldest, models };
  }

  private async rowsOf<Row>(statement: SQL): Promise<Row[]> {
    return [...((await this.db.execute(statement)) as Iterable<Row>)];
  }
}

/** A sandbox whose clock is ahead is left out: its rows are due at another time. */
const countDue = ({ work, age }: { work: string; age: string }, { table, isDue }: DueRows, at: Date): SQL => sql`
  select ${sql.raw(`'${work}'`)}::text as "work", ${sql.raw(`'${age}'`)}::text as "age", (
    select count(*)::int from (
      select from ${table} where ${isDue(timestampLiteral(at))} and exists (
        select from "vendors" v where v."id" = ${table.vendorId} and v."enabled" and v."clock_ahead_ms" = 0)
      limit ${sql.raw(String(MAX_COUNT))}) d) as "count"`;
