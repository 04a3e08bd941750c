import { and, eq, ilike } from "drizzle-orm";
import { managers, vendors } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { containsPattern, whenGiven } from "../database/conditions.ts";
import { ProjectedList } from "../database/lists/projected-list.ts";
import { childVendorProjection } from "./vendor.projection.ts";

/** Filters for child vendors. */
export interface ChildVendorFilter {
  enabled?: boolean | null;
  name?: string | null;
}

export type ChildVendorSortField = "CREATED_AT" | "NAME";

/** Queries for the children of a vendor. */
export class ChildVendorRepository {
  readonly children: ProjectedList<ChildVendorFilter, ChildVendorSortField>;

  constructor(private readonly db: Handle) {
    this.children = new ProjectedList(db, {
      projection: childVendorProjection,
      ownerColumn: vendors.parentId,
      sorts: { CREATED_AT: vendors.createdAt, NAME: vendors.name },
      parentConditions: {},
      filterCondition: ({ enabled, name }) =>
        and(
          whenGiven(enabled, (is) => eq(vendors.enabled, is)),
          whenGiven(name, (text) => ilike(vendors.name, containsPattern(text))),
        ),
    });
  }

  /** Adds the first manager of a vendor. */
  async addManager(vendorId: number, values: Omit<typeof managers.$inferInsert, "id" | "vendorId">): Promise<void> {
    await this.db.insert(managers).values({ vendorId, ...values });
  }

  /** Enables or disables a child's tokens. @returns the child's id, or undefined if the vendor has no such child. */
  async setEnabled(parentId: number, uuid: string, enabled: boolean, now: Date): Promise<number | undefined> {
    const [child] = await this.db
      .update(vendors)
      .set({ enabled, modifiedAt: now })
      .where(and(eq(vendors.parentId, parentId), eq(vendors.uuid, uuid)))
      .returning({ id: vendors.id });
    return child?.id;
  }
}
