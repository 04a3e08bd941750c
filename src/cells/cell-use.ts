import { sql } from "drizzle-orm";
import type { Handle } from "../database/client.ts";
import { firstRow } from "../database/rows.ts";

/** What a cell contains. */
export interface CellUse {
  /** Vendors without a parent: each has its children with it. */
  families: number;
  vendors: number;
  /** Size of its tables with their indexes. */
  bytes: number;
}

/** Reads what the database, or the schema, of a handle contains. */
export async function readCellUse(db: Handle): Promise<CellUse> {
  const engines = await db.execute(sql`select exists (select from pg_extension where extname = 'citus') as is_citus`);
  const { is_citus: isCitus } = firstRow(Array.from(engines as Iterable<{ is_citus: boolean }>));
  // On a distributed engine the tables of a schema are on a worker node, and the coordinator's are empty.
  const size = isCitus
    ? sql`(select coalesce(sum(table_size), 0) from (select citus_total_relation_size(logicalrelid) as table_size
        from pg_dist_partition join pg_class on pg_class.oid = logicalrelid where relnamespace = current_schema()::regnamespace) as sizes)`
    : sql`(select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r')`;
  const rows = await db.execute(sql`
    select count(*) filter (where parent_id is null)::int as families, count(*)::int as vendors, ${size}::text as bytes
    from vendors`);
  const row = firstRow(Array.from(rows as Iterable<{ families: number; vendors: number; bytes: string }>));
  return { families: row.families, vendors: row.vendors, bytes: Number(row.bytes) };
}

/** Cells that differ by less than this have the same room: then the number of their families decides. */
const SIZE_STEP_BYTES = 100_000_000;

/** The place with the most room for a new family: the smallest, and of equally large ones that with the fewest families. */
export function selectRoomiest<Place extends { use: CellUse }>(places: readonly [Place, ...Place[]]): Place {
  const steps = ({ use }: Place) => Math.floor(use.bytes / SIZE_STEP_BYTES);
  return places.reduce((best, place) =>
    steps(place) < steps(best) || (steps(place) === steps(best) && place.use.families < best.use.families)
      ? place
      : best,
  );
}
