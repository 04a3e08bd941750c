import { sql, type SQL } from "drizzle-orm";
import type { TestGateway } from "../support/test-gateway.ts";

/** The rows of a question to the database of a test. */
export async function queryRows<T>({ database }: TestGateway, query: SQL | string): Promise<T[]> {
  const rows: unknown = await database.handle.execute(typeof query === "string" ? sql.raw(query) : query);
  return rows as T[];
}
