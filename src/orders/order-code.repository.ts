import { eq, gt } from "drizzle-orm";
import { orders } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { firstOf } from "../kernel/required-values.ts";

/** Queries for order codes across all vendors: the second exception to the vendor fence. */
export class OrderCodeRepository {
  constructor(private readonly db: Handle) {}

  /** The vendor whose order has a code; undefined where no order has it, or orders of several vendors do. */
  async vendorOf(code: string): Promise<number | undefined> {
    const found = await this.db
      .select({ vendorId: orders.vendorId })
      .from(orders)
      .where(eq(orders.code, code))
      .limit(2);
    return found.length === 1 ? firstOf(found).vendorId : undefined;
  }

  /** Codes that orders of several vendors have, from before codes were unique over all vendors. */
  async findDuplicates(limit: number): Promise<string[]> {
    const found = await this.db
      .selectDistinct({ code: orders.code })
      .from(orders)
      .where(gt(orders.codeRepeat, 0))
      .orderBy(orders.code)
      .limit(limit);
    return found.map(({ code }) => code);
  }
}
