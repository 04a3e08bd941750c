import { sql, type SQL } from "drizzle-orm";
import type { TestGateway } from "../support/test-gateway.ts";

/** Returns the rows of a query on a test's database. */
export async function queryRows<T>({ database }: TestGateway, query: SQL | string): Promise<T[]> {
  const rows: unknown = await database.handle.execute(typeof query === "string" ? sql.raw(query) : query);
  return rows as T[];
}
