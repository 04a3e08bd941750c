import { and, eq, exists, sql, type SQL } from "drizzle-orm";
import { products, vendors } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { ProjectedList } from "../database/lists/projected-list.ts";
import type { ProductRecord } from "./offer.repository.ts";
import { productSubmissionProjection } from "./product-submission.projection.ts";

/**
 * Queries for the products that child vendors have submitted to their parent: with the orders of children the only
 * place where a query crosses the vendor fence. It finds only products that wait for this parent, of vendors that are
 * its children now.
 */
export class ProductSubmissionRepository {
  readonly list: ProjectedList<object, "SUBMITTED_AT">;

  constructor(private readonly db: Handle) {
    this.list = new ProjectedList(db, {
      projection: productSubmissionProjection,
      ownerColumn: products.submittedTo,
      sorts: { SUBMITTED_AT: products.submittedAt },
      parentConditions: {},
      filterCondition: () => this.isFromChild(),
    });
  }

  /**
   * A product that waits for the parent's approval, locked until the transaction ends; undefined for any other product
   * of any vendor.
   */
  async lock(parentId: number, id: number): Promise<ProductRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(products)
      .where(and(eq(products.submittedTo, parentId), eq(products.id, id), this.isFromChild()))
      .for("no key update");
    return row;
  }

  private isFromChild(): SQL {
    return exists(
      this.db
        .select({ one: sql`1` })
        .from(vendors)
        .where(and(eq(products.vendorId, vendors.id), eq(vendors.parentId, products.submittedTo))),
    );
  }
}
