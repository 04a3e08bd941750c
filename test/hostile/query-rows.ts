import { sql, type SQL } from "drizzle-orm";
import type { TestGateway } from "../support/test-gateway.ts";

/** The rows of a question to the database of a test. */
export async function rowsOf<T>({ database }: TestGateway, question: SQL | string): Promise<T[]> {
  const rows: unknown = await database.handle.execute(typeof question === "string" ? sql.raw(question) : question);
  return rows as T[];
}
