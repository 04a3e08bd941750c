import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { ledgerChecks } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { toAmount, type Amount } from "../../kernel/amounts.ts";

type LedgerCheckRecord = typeof ledgerChecks.$inferSelect;

/** An order in the order in which the check reads them. */
export type CheckedOrder = Pick<LedgerCheckRecord, "vendorId" | "orderId">;

/** A payment whose entries do not sum to zero. */
export interface UnbalancedPayment extends CheckedOrder {
  paymentId: number;
  currency: string;
  sum: Amount;
}

/** Queries for the check of the ledger. They read across all vendors. */
export class LedgerCheckRepository {
  constructor(private readonly db: Handle) {}

  /** Adds the check of a day. @returns false if there is one. */
  async add(day: string, startedAt: Date): Promise<boolean> {
    const added = await this.db
      .insert(ledgerChecks)
      .values({ day, startedAt })
      .onConflictDoNothing()
      .returning({ day: ledgerChecks.day });
    return added.length > 0;
  }

  /** Locks the oldest check that has not ended; undefined if there is none, or another process has it. */
  async lockUnfinished(): Promise<LedgerCheckRecord | undefined> {
    const [check] = await this.db
      .select()
      .from(ledgerChecks)
      .where(isNull(ledgerChecks.finishedAt))
      .orderBy(ledgerChecks.day)
      .limit(1)
      .for("update", { skipLocked: true });
    return check;
  }

  async save(day: string, values: Partial<Omit<LedgerCheckRecord, "day">>): Promise<void> {
    await this.db.update(ledgerChecks).set(values).where(eq(ledgerChecks.day, day));
  }

  async removeBefore(day: string): Promise<void> {
    await this.db.delete(ledgerChecks).where(lt(ledgerChecks.day, day));
  }

  /** The newest check, and the newest one that has ended. */
  async latest(): Promise<{ newest: LedgerCheckRecord | undefined; finished: LedgerCheckRecord | undefined }> {
    const [newest] = await this.db.select().from(ledgerChecks).orderBy(desc(ledgerChecks.day)).limit(1);
    if (!newest || newest.finishedAt) return { newest, finished: newest };
    const hasEnded = sql`${ledgerChecks.finishedAt} is not null`;
    const ended = this.db.select().from(ledgerChecks).where(hasEnded).orderBy(desc(ledgerChecks.day)).limit(1);
    return { newest, finished: (await ended)[0] };
  }

  /** The order that so many entries after an order belong to; undefined if fewer follow. One range of an index. */
  async orderAfter({ vendorId, orderId }: CheckedOrder, entries: number): Promise<CheckedOrder | undefined> {
    const rows = (await this.db.execute(sql`
      select e."vendor_id", e."order_id" from "ledger_entries" e
      where (e."vendor_id", e."order_id") > (${vendorId}::bigint, ${orderId}::bigint)
      order by e."vendor_id", e."order_id" offset ${entries}::bigint limit 1`)) as Iterable<{
      vendor_id: string;
      order_id: string;
    }>;
    const [row] = [...rows];
    return row && { vendorId: Number(row.vendor_id), orderId: Number(row.order_id) };
  }

  /** The payments of the orders after one, up to another or to the end, whose entries do not sum to zero in a currency. */
  async unbalancedBetween(after: CheckedOrder, until: CheckedOrder | undefined): Promise<UnbalancedPayment[]> {
    const isBefore =
      until && sql`(e."vendor_id", e."order_id") <= (${until.vendorId}::bigint, ${until.orderId}::bigint)`;
    const rows = (await this.db.execute(sql`
      select e."vendor_id", e."order_id", e."payment_id", e."currency", sum(e."amount")::text as "sum" from "ledger_entries" e
      where ${and(sql`(e."vendor_id", e."order_id") > (${after.vendorId}::bigint, ${after.orderId}::bigint)`, isBefore)}
      group by e."vendor_id", e."order_id", e."payment_id", e."currency" having sum(e."amount") <> 0
      order by 1, 2, 3`)) as Iterable<Record<"vendor_id" | "order_id" | "payment_id" | "currency" | "sum", string>>;
    return Array.from(rows, (row) => ({
      vendorId: Number(row.vendor_id),
      orderId: Number(row.order_id),
      paymentId: Number(row.payment_id),
      currency: row.currency,
      sum: toAmount(row.sum),
    }));
  }
}
