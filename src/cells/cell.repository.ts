import { asc, eq, max } from "drizzle-orm";
import { cells } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** A cell as it is stored: passwords are encrypted. */
export type CellRow = typeof cells.$inferSelect;

/** Queries for the cells of an installation, in the home database. */
export class CellRepository {
  constructor(private readonly db: Handle) {}

  /** All cells, in the order of their numbers. */
  all(): Promise<CellRow[]> {
    return this.db.select().from(cells).orderBy(asc(cells.number));
  }

  /** The row of a cell, which nobody else changes until the transaction has ended; undefined without one. */
  async lock(number: number): Promise<CellRow | undefined> {
    const [row] = await this.db.select().from(cells).where(eq(cells.number, number)).for("update");
    return row;
  }

  /** The number of the newest cell; 0 without any. */
  async newestNumber(): Promise<number> {
    const [row] = await this.db.select({ newest: max(cells.number) }).from(cells);
    return row?.newest ?? 0;
  }

  async add(row: CellRow): Promise<void> {
    await this.db.insert(cells).values(row);
  }

  async change(number: number, values: Partial<Omit<CellRow, "number">>): Promise<void> {
    await this.db.update(cells).set(values).where(eq(cells.number, number));
  }
}
