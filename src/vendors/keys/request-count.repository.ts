import { sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";

/** Requests of a caller that are not in the database yet. */
export interface RequestCount {
  caller: string;
  requests: number;
}

/** Queries for the requests that all gateways together answered in a minute. */
export class RequestCountRepository {
  constructor(private readonly db: Handle) {}

  /**
   * Adds the requests of a minute, in one statement for all callers. Rows are locked in one order, so that two gateways cannot
   * wait for each other. A gateway whose clock is a minute behind adds nothing. @returns the sums of all gateways by caller.
   */
  async add(minute: number, counts: readonly RequestCount[]): Promise<Map<string, number>> {
    const ordered = [...counts].sort((one, other) => (one.caller < other.caller ? -1 : 1));
    const list = sql.join(
      ordered.map(({ caller, requests }) => sql`(${caller}, ${minute}::bigint, ${requests}::bigint)`),
      sql`, `,
    );
    const rows = (await this.db.execute(sql`
      insert into "request_counts" ("caller", "minute", "requests") values ${list}
      on conflict ("caller") do update set
        "minute" = greatest("request_counts"."minute", excluded."minute"),
        "requests" = case when "request_counts"."minute" < excluded."minute" then excluded."requests"
          when "request_counts"."minute" > excluded."minute" then "request_counts"."requests"
          else "request_counts"."requests" + excluded."requests" end
      returning "caller", "requests"`)) as Iterable<{ caller: string; requests: string }>;
    return new Map(Array.from(rows, ({ caller, requests }) => [caller, Number(requests)]));
  }
}
