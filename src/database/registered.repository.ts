import { and, eq, type InferInsertModel, type InferSelectModel, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Handle } from "./client.ts";
import { lockRow, updateRow } from "./prepared-statements.ts";
import { idIsOneOf } from "./conditions.ts";
import { firstRow } from "./rows.ts";

type RegisteredTable = PgTable & { vendorId: PgColumn; id: PgColumn };
type Row<Table extends PgTable> = InferSelectModel<Table>;

/** The columns of a row that a caller may set. */
export type RegisteredValues<Table extends PgTable> = Omit<InferInsertModel<Table>, "vendorId" | "id">;

/** Queries shared by all records that a merchant registers under its own id. */
export class RegisteredRepository<Table extends RegisteredTable> {
  constructor(
    protected readonly db: Handle,
    private readonly table: Table,
    private readonly partnerId: PgColumn,
  ) {}

  /** Those of the ids that exist, in no particular order. */
  async byIds(vendorId: number, ids: readonly number[]): Promise<Row<Table>[]> {
    return this.selectWhere(and(this.isOfVendor(vendorId), idIsOneOf(this.table.id, ids)));
  }

  async byId(vendorId: number, id: number): Promise<Row<Table> | undefined> {
    const [row] = await this.selectWhere(and(this.isOfVendor(vendorId), eq(this.table.id, id)));
    return row;
  }

  async byPartnerId(vendorId: number, partnerId: string): Promise<Row<Table> | undefined> {
    const [row] = await this.selectWhere(and(this.isOfVendor(vendorId), eq(this.partnerId, partnerId)));
    return row;
  }

  /** The row, locked until the transaction ends. */
  async lock(vendorId: number, id: number): Promise<Row<Table> | undefined> {
    const [row] = await lockRow(this.db, this.table, vendorId, id);
    return row;
  }

  /** The row with this partner id, locked until the transaction ends. */
  async lockByPartnerId(vendorId: number, partnerId: string): Promise<Row<Table> | undefined> {
    const [row] = await this.selectWhere(and(this.isOfVendor(vendorId), eq(this.partnerId, partnerId)), true);
    return row;
  }

  /**
   * Inserts a row, or returns undefined if its partner id is taken: the unique constraint decides, also between
   * concurrent requests.
   */
  async add(vendorId: number, values: RegisteredValues<Table>): Promise<Row<Table> | undefined> {
    const rows = await this.db
      .insert(this.table)
      .values({ vendorId, ...values } as InferInsertModel<Table>)
      .onConflictDoNothing({ target: [this.table.vendorId, this.partnerId] })
      .returning();
    return (rows as Row<Table>[])[0];
  }

  /** Updates the given columns. */
  async update(vendorId: number, id: number, values: Partial<RegisteredValues<Table>>): Promise<Row<Table>> {
    const row = firstRow(
      await updateRow(this.db, this.table, vendorId, id, values as Partial<InferInsertModel<Table>>),
    );
    return row;
  }

  private isOfVendor(vendorId: number) {
    return eq(this.table.vendorId, vendorId);
  }

  private async selectWhere(condition: SQL | undefined, isLocking = false): Promise<Row<Table>[]> {
    const query = this.db
      .select()
      .from(this.table as PgTable)
      .where(condition);
    const rows = await (isLocking ? query.for("no key update") : query);
    // Drizzle cannot say which columns a table has that is generic.
    return rows as Row<Table>[];
  }
}
