import { sql } from "drizzle-orm";
import { orders } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf } from "../database/conditions.ts";
import { ProjectedList, type ProjectedRow, type RecordSelection } from "../database/lists/projected-list.ts";
import type { OrderList } from "./order-list.repository.ts";
import { newOrderProjection } from "./order.projection.ts";

/** Reads orders right after their creation, without what they cannot have (decision 111). */
export class CreatedOrderList extends ProjectedList<object> {
  constructor(
    db: Handle,
    private readonly all: Pick<OrderList, "byIds">,
  ) {
    super(db, {
      projection: newOrderProjection,
      key: "created orders",
      ...{ sorts: {}, parentConditions: {}, filterCondition: () => undefined },
    });
  }

  /** What happens to an order modifies it: one that somebody changed between its creation and this read is read like any other. */
  override async byIds(vendorId: number, ids: readonly number[], selection: RecordSelection): Promise<ProjectedRow[]> {
    const isUnchanged = sql`${idIsOneOf(orders.id, ids)} and ${orders.modifiedAt} = ${orders.createdAt}`;
    const unchanged = await this.readRecords(vendorId, isUnchanged, selection);
    return unchanged.length === ids.length ? unchanged : this.all.byIds(vendorId, ids, selection);
  }
}
